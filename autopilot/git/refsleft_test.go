package git

import "testing"

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
	d, err := s.repo.Guards.Compare(t.Context(), g)
	s.must(err)
	equalList(t, "left", wordsOf(d.Left), "moved refs/heads/silent", "moved refs/tags/v1", "created refs/tags/v2")
	s.must(s.repo.Guards.PutBack(t.Context(), g, d, keptRef))
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
	d, err := s.repo.Guards.Compare(t.Context(), g)
	s.must(err)
	equalList(t, "said", d.Other, "moved "+moved, "deleted "+kept)
	s.must(s.repo.Guards.PutBack(t.Context(), g, d, keptRef))
	equal(t, "put back", s.git("rev-parse", kept, moved), was+"\n"+was)
	if _, err := s.try("rev-parse", "--verify", "-q", others); err == nil {
		t.Error("another session's ref was touched")
	}
}
