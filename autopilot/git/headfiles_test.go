package git

import (
	"os"
	"testing"
)

func TestPositionFromFilesIsWhatGitSays(t *testing.T) {
	for _, c := range []struct {
		name  string
		plain bool // the files are enough
		make  func(s *sandbox)
	}{
		{"a branch", true, func(*sandbox) {}},
		{"a branch in folders", true, func(s *sandbox) { s.git("switch", "-q", "-c", "a/b/c") }},
		{"a detached HEAD", true, func(s *sandbox) { s.git("switch", "-q", "--detach") }},
		{"a packed branch", true, func(s *sandbox) { s.git("pack-refs", "--all", "--prune") }},
		{"a packed branch that moved on", true, func(s *sandbox) {
			s.git("pack-refs", "--all")
			s.git("commit", "-q", "--allow-empty", "-m", "x")
		}},
		{"no commit yet", false, func(s *sandbox) { s.git("switch", "-q", "--orphan", "fresh") }},
		{"a branch that is another one", false, func(s *sandbox) {
			s.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
			s.git("symbolic-ref", "HEAD", "refs/heads/alias")
		}},
		{"HEAD outside the branches", false, func(s *sandbox) {
			s.git("update-ref", "refs/other/x", "HEAD")
			s.git("symbolic-ref", "HEAD", "refs/other/x")
		}},
		{"a HEAD that is nonsense", false, func(s *sandbox) { s.write(".git/HEAD", "nonsense\n") }},
		{"a branch that is nonsense", false, func(s *sandbox) { s.write(".git/refs/heads/main", "nonsense\n") }},
		{"a git folder that is gone", false, func(s *sandbox) { s.must(os.RemoveAll(s.path(".git"))) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSandbox(t)
			c.make(s)
			_, _, plain := s.repo.headFiles()
			equal(t, "plain", plain, c.plain)
			got, err := s.repo.Position(t.Context())
			want, wantErr := s.repo.askPosition(t.Context(), Position{})
			equal(t, "position is git's", got == want, true)
			equal(t, "fails", err != nil, wantErr != nil)
		})
	}
}

func TestPositionOfAnotherWorkingTreeIsItsOwn(t *testing.T) {
	s := newSandbox(t)
	s.git("worktree", "add", "-q", "-b", "other", s.dir+"-other")
	other, err := Open(t.Context(), s.dir+"-other")
	s.must(err)
	s.git("-C", s.dir+"-other", "commit", "-q", "--allow-empty", "-m", "x")
	got, err := other.Position(t.Context())
	s.must(err)
	equal(t, "branch", got.Branch, "other")
	equal(t, "head", got.Head, s.git("rev-parse", "other"))

	s.must(os.Remove(s.dir + "-other/.git"))
	_, _, plain := other.headFiles()
	equal(t, "plain without its link", plain, false)
}
