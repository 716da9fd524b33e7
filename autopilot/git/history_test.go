package git

import (
	"context"
	"strings"
	"testing"
)

func TestHistoryIsRead(t *testing.T) {
	s := newSandbox(t)
	first := s.head()
	s.write("a.txt", "ONE\n")
	s.git("commit", "-qam", "Shout: ümlaut")
	second := s.head()
	s.git("switch", "-q", "-c", "side", first)
	s.write("b.txt", "TWO\n")
	s.git("commit", "-qam", "Side")

	log, err := s.repo.History.Log(t.Context(), 5)
	s.must(err)
	equal(t, "entries", len(log), 2)
	equal(t, "newest", log[0].Subject, "Side")
	equal(t, "oldest", log[1].SHA, first)
	base, err := s.repo.History.MergeBase(t.Context(), "main", "side")
	s.must(err)
	equal(t, "merge base", base, first)
	for _, c := range []struct {
		a, of string
		want  bool
	}{{first, second, true}, {second, first, false}, {second, "side", false}, {second, second, true}} {
		is, err := s.repo.History.IsAncestor(t.Context(), c.a, c.of)
		s.must(err)
		equal(t, c.a+" in "+c.of, is, c.want)
	}
	equal(t, "exists", s.repo.History.Exists(t.Context(), second), true)
	equal(t, "a made-up id exists", s.repo.History.Exists(t.Context(), strings.Repeat("1", 40)), false)
	sha, err := s.repo.History.Resolve(t.Context(), "main")
	s.must(err)
	equal(t, "resolved", sha, second)
}

func TestUnrelatedHistoriesHaveNoMergeBase(t *testing.T) {
	s := newSandbox(t)
	s.git("switch", "-q", "--orphan", "other")
	s.git("commit", "-q", "--allow-empty", "-m", "x")
	base, err := s.repo.History.MergeBase(t.Context(), "main", "other")
	s.must(err)
	equal(t, "base", base, "")
	_, err = s.repo.History.MergeBase(t.Context(), "main", "nowhere")
	equal(t, "an unknown commit fails", err != nil, true)
}

func TestOwnCommitIsFoundByItsKey(t *testing.T) {
	s := newSandbox(t)
	parent := s.head()
	s.write("a.txt", "x\n")
	made, err := s.repo.Commits.Make(t.Context(), Commit{Paths: []string{"a.txt"}, Subject: "x", Trailers: [][2]string{{KeyTrailer, "s1/12"}}})
	s.must(err)
	s.git("commit", "-q", "--allow-empty", "-m", "later")
	for key, want := range map[string]bool{"s1/12": true, "s1/1": false, "s1/123": false} {
		sha, found, err := s.repo.History.FindKey(t.Context(), parent, key)
		s.must(err)
		equal(t, key, found, want)
		if found {
			equal(t, "commit", sha, made.SHA)
		}
	}
	_, found, err := s.repo.History.FindKey(t.Context(), made.SHA, "s1/12")
	s.must(err)
	equal(t, "found in what came after", found, false)
}

func TestDefaultBranchIsTold(t *testing.T) {
	cases := []struct {
		name string
		do   func(*sandbox)
		want string
	}{
		{"main", func(s *sandbox) { s.git("branch", "other") }, "main"},
		{"master", func(s *sandbox) { s.git("branch", "-m", "master"); s.git("branch", "other") }, "master"},
		{"configured", func(s *sandbox) { s.git("branch", "trunk"); s.git("config", "init.defaultBranch", "trunk") }, "trunk"},
		{"trunk", func(s *sandbox) { s.git("branch", "-m", "trunk"); s.git("branch", "other") }, "trunk"},
		{"configured but absent", func(s *sandbox) { s.git("config", "init.defaultBranch", "trunk") }, "main"},
		{"the remote's", func(s *sandbox) {
			s.git("update-ref", "refs/remotes/origin/develop", "HEAD")
			s.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
		}, "develop"},
		{"the only one", func(s *sandbox) { s.git("branch", "-m", "lonely") }, "lonely"},
		{"no telling", func(s *sandbox) { s.git("branch", "-m", "x"); s.git("branch", "y") }, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			c.do(s)
			r, err := Open(t.Context(), s.dir)
			s.must(err)
			got, err := r.Refs.DefaultBranch(t.Context())
			s.must(err)
			equal(t, "branch", got, c.want)
		})
	}
}

func TestUsualNamesAndWhatOriginNamesAreDefaultBranches(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("update-ref", "refs/remotes/origin/develop", "HEAD")
	s.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
	for branch, want := range map[string]bool{"main": true, "master": true, "trunk": true, "develop": true, "feature": false, "": false} {
		got, err := s.repo.Refs.IsDefault(t.Context(), branch)
		s.must(err)
		equal(t, branch, got, want)
	}
}

func TestNewBranchKeepsFilesAndIndexAndAvoidsTakenNames(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "staged\n")
	s.git("add", "a.txt")
	s.write("a.txt", "edited\n")
	index := s.index()
	for _, want := range []string{"autopilot/x", "autopilot/x-2", "autopilot/x-3"} {
		got, err := s.repo.Refs.CreateBranch(t.Context(), "autopilot/x")
		s.must(err)
		equal(t, "name", got, want)
		equal(t, "current", s.git("branch", "--show-current"), want)
	}
	equal(t, "index", s.index(), index)
	equal(t, "file", s.read("a.txt"), "edited\n")
	_, err := s.repo.Refs.CreateBranch(t.Context(), "bad..name")
	equal(t, "an impossible name fails", err != nil, true)
}

func TestWorktreeIsMadeAndRemoved(t *testing.T) {
	s := newSandbox(t)
	dir := t.TempDir() + "/tree"
	s.must(s.repo.Worktrees.Add(t.Context(), dir, "HEAD"))
	r, err := Open(t.Context(), dir)
	s.must(err)
	p, err := r.Position(t.Context())
	s.must(err)
	equal(t, "detached", p.Branch, "")
	equal(t, "common folder", r.CommonDir(), s.path(".git"))
	s.must(s.repo.Worktrees.Remove(t.Context(), dir))
	equal(t, "list", strings.Count(s.git("worktree", "list"), "\n"), 0)
	s.must(s.repo.Worktrees.Remove(t.Context(), dir))
}

func TestFolderThatIsNoWorktreeIsNotRemoved(t *testing.T) {
	s, other := newSandbox(t), newSandbox(t)
	if err := s.repo.Worktrees.Remove(t.Context(), other.dir); err == nil {
		t.Fatal("it was removed")
	}
	equal(t, "file", other.read("a.txt"), "one\n")
	if err := s.repo.Worktrees.Add(t.Context(), other.dir, "HEAD"); err == nil {
		t.Fatal("a folder with files was taken")
	}
}

func TestPatternsAreExcludedOnce(t *testing.T) {
	s := newSandbox(t)
	s.write(".git/info/exclude", "*.log")
	for range 2 {
		s.must(s.repo.Exclude(t.Context(), "/.harness/", "*.log", "/harness-*.json"))
	}
	equal(t, "file", s.read(".git/info/exclude"), "*.log\n/.harness/\n/harness-*.json\n")
	s.remove(".git/info")
	s.must(s.repo.Exclude(t.Context(), "x"))
	equal(t, "new file", s.read(".git/info/exclude"), "x\n")
}

func TestContentsAreThoseOfTheCommit(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "not committed\n")
	contents, err := s.repo.History.Contents(t.Context(), "HEAD", []string{"a.txt", "dir/c.txt", "none"})
	s.must(err)
	equal(t, "files", len(contents), 2)
	equal(t, "a.txt", string(contents["a.txt"]), "one\n")
	equal(t, "dir/c.txt", string(contents["dir/c.txt"]), "three\n")
	_, err = s.repo.History.Contents(t.Context(), "nowhere", []string{"a.txt"})
	equal(t, "an unknown commit fails", err != nil, true)
}

func TestWhatIsThereExistsForWhoIsInterrupted(t *testing.T) {
	s := newSandbox(t)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	if !s.repo.History.Exists(ctx, "HEAD^{commit}") || s.repo.History.Exists(ctx, "refs/heads/none") {
		t.Error("an interrupted look tells what is not so")
	}
}
