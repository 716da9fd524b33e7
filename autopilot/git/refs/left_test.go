package refs

import (
	"os"
	"testing"
)

func wordsOf(moved []Moved) []string {
	var words []string
	for _, m := range moved {
		words = append(words, m.Words())
	}
	return words
}

func TestRefsOfWhichNothingShowsWhoMovedThemStayAndAreKept(t *testing.T) {
	s := newSandbox(t)
	s.git("tag", "v1")
	s.git("branch", "logged")
	s.git("branch", "silent")
	was := s.head()
	g, _ := s.guarded(t)
	other := s.git("commit-tree", "-m", "x", "HEAD^{tree}")
	s.git("tag", "-f", "v1", other)
	s.git("tag", "v2")
	s.git("branch", "-f", "logged", other)
	s.remove(".git/logs/refs/heads/silent")
	s.git("-c", "core.logAllRefUpdates=false", "update-ref", "refs/heads/silent", other)
	d, err := Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	equalList(t, "left", wordsOf(d.Left), "moved refs/heads/silent", "moved refs/tags/v1", "created refs/tags/v2")
	s.must(Of(s.repo).PutBack(t.Context(), g, d, keptRef))
	equal(t, "logged", s.git("rev-parse", "logged"), was)
	equal(t, "silent, v1", s.git("rev-parse", "silent", "v1"), other+"\n"+other)
	equal(t, "kept of them", s.git("rev-parse", keptRef+"/heads/silent", keptRef+"/tags/v1"), was+"\n"+was)
}

func TestRefsThatKeepFilesArePutBack(t *testing.T) {
	s := newSandbox(t)
	const kept, moved, others = "refs/autopilot/s/user/1", "refs/autopilot/s/undone/d1/files", "refs/autopilot/other/user/1"
	for _, ref := range []string{kept, moved, others, "refs/autopilot/s/snap/d1"} {
		s.git("update-ref", ref, "HEAD")
	}
	g, _ := s.guarded(t)
	was, other := s.head(), s.git("commit-tree", "-m", "x", "HEAD^{tree}")
	s.git("update-ref", "-d", kept)
	s.git("update-ref", "-d", others)
	s.git("update-ref", moved, other)
	s.git("update-ref", "refs/autopilot/s/snap/d1", other)
	s.git("update-ref", "refs/autopilot/s/user/2", other)
	d, err := Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	equalList(t, "said", d.Other, "moved "+moved, "deleted "+kept)
	s.must(Of(s.repo).PutBack(t.Context(), g, d, keptRef))
	equal(t, "put back", s.git("rev-parse", kept, moved), was+"\n"+was)
	if _, err := s.try("rev-parse", "--verify", "-q", others); err == nil {
		t.Error("another session's ref was touched")
	}
}

func TestRefsArePutBackFromAnotherTree(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.path(".harness/worktrees/lane")
	lane, err := s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head())
	s.must(err)
	s.git("tag", "old")
	s.git("tag", "ours")
	g, err := Of(lane).Watch(t.Context(), "refs/autopilot/s/", nil)
	s.must(err)
	moves, err := Of(s.repo).RefsMovedBy(t.Context(), func() error { s.git("tag", "-d", "ours"); s.git("tag", "hooked"); return nil })
	s.must(err)
	g.Ours = moves
	s.git("tag", "-d", "old")
	s.git("branch", "theirs")
	s.must(os.RemoveAll(dir))
	d, err := Of(s.repo).PutRefsBack(t.Context(), g, "refs/autopilot/x/undone/1")
	s.must(err)
	equalList(t, "said", d.Shared, "created refs/heads/theirs")
	equalList(t, "told", wordsOf(d.Left), "deleted refs/tags/old")
	equal(t, "tags", s.git("tag"), "hooked")
	equal(t, "kept tag", s.git("rev-parse", "refs/autopilot/x/undone/1/tags/old"), s.head())
	equal(t, "branches", s.git("for-each-ref", "--format=%(refname:short)", "refs/heads/"), "lane/one\nmain")
	equal(t, "kept", s.git("rev-parse", "refs/autopilot/x/undone/1/heads/theirs"), s.head())
	d, err = Of(s.repo).PutRefsBack(t.Context(), Guard{}, "refs/autopilot/x/undone/1")
	s.must(err)
	equalList(t, "by a later process", d.Shared)
}

func TestTheEndOfADeletedBranchIsKnownFromTheLogOfHEAD(t *testing.T) {
	s := newSandbox(t)
	s.git("switch", "-q", "-c", "side")
	s.git("commit", "-q", "--allow-empty", "-m", "side")
	s.git("switch", "-q", "main")
	side := s.git("rev-parse", "side")
	s.git("branch", "-q", "-D", "side")
	equal(t, "side", Of(s.repo).LeftAt("side"), side)
	equal(t, "a branch that never was", Of(s.repo).LeftAt("sid"), "")
	s.git("reflog", "expire", "--expire=all", "HEAD")
	equal(t, "without a log", Of(s.repo).LeftAt("side"), "")
}
