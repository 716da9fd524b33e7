package git

import (
	"fmt"
	"os"
	"testing"
)

func TestRefsFromFilesAreWhatGitSays(t *testing.T) {
	for _, c := range []struct {
		name  string
		plain bool // the files are enough
		make  func(s *sandbox)
	}{
		{"one branch", true, func(*sandbox) {}},
		{"branches in folders, tags, refs of our own", true, func(s *sandbox) {
			s.git("branch", "a/b/c")
			s.git("tag", "-a", "-m", "x", "v1")
			s.git("update-ref", "refs/autopilot/x/1", "HEAD")
		}},
		{"packed ones, of which one moved on and one is new", true, func(s *sandbox) {
			s.git("branch", "other")
			s.git("tag", "-a", "-m", "x", "v1")
			s.git("pack-refs", "--all", "--prune")
			s.git("commit", "-q", "--allow-empty", "-m", "x")
			s.git("branch", "third")
		}},
		{"the HEAD of a remote", true, func(s *sandbox) {
			s.git("update-ref", "refs/remotes/origin/main", "HEAD")
			s.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
		}},
		{"a branch that another working tree has checked out", true, func(s *sandbox) {
			s.git("worktree", "add", "-q", "-b", "other", s.dir+"-other")
		}},
		{"another working tree, gone without a word", true, func(s *sandbox) {
			s.git("worktree", "add", "-q", "-b", "other", s.dir+"-other")
			s.must(os.RemoveAll(s.dir + "-other"))
		}},
		{"a bisection", true, func(s *sandbox) { s.git("update-ref", "refs/bisect/bad", "HEAD") }},
		{"a lock and an empty folder", true, func(s *sandbox) {
			s.write(".git/refs/heads/x.lock", "")
			s.must(os.MkdirAll(s.path(".git/refs/heads/empty"), 0o755))
		}},
		{"a symbolic ref that leads nowhere", false, func(s *sandbox) { s.git("symbolic-ref", "refs/heads/x", "refs/heads/none") }},
		{"a chain of symbolic refs", false, func(s *sandbox) {
			s.git("symbolic-ref", "refs/heads/x", "refs/heads/main")
			s.git("symbolic-ref", "refs/heads/y", "refs/heads/x")
		}},
		{"a branch that is nonsense", false, func(s *sandbox) { s.write(".git/refs/heads/x", "nonsense\n") }},
		{"a name that git passes over", false, func(s *sandbox) { s.write(".git/refs/heads/a..b", s.git("rev-parse", "HEAD")+"\n") }},
		{"a ref that is a link", false, func(s *sandbox) { s.must(os.Symlink("main", s.path(".git/refs/heads/x"))) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSandbox(t)
			c.make(s)
			sameRefs(t, s.repo, c.plain)
		})
	}
}

func TestRefsOfAnotherWorkingTreeAreItsOwn(t *testing.T) {
	s := newSandbox(t)
	s.git("worktree", "add", "-q", "-b", "other", s.dir+"-other")
	other, err := Open(t.Context(), s.dir+"-other")
	s.must(err)
	s.git("update-ref", "refs/bisect/bad", "HEAD")
	s.git("-C", s.dir+"-other", "update-ref", "refs/worktree/mine", "HEAD")
	sameRefs(t, s.repo, true)
	sameRefs(t, other, true)
}

// sameRefs holds the refs from the files against those that git lists, guarded and all.
func sameRefs(t *testing.T, repo *Repo, plain bool) {
	t.Helper()
	got, found := repo.guardedRefs()
	equal(t, "plain", found, plain)
	if !plain {
		return
	}
	want, err := repo.askRefs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "guarded refs", string(got.bytes()), string(want.bytes()))
	for _, prefix := range []string{"refs", "refs/heads", "refs/heads/main", "refs/autopilot/x"} {
		all, _ := repo.refFiles()
		asked, err := repo.askBelow(t.Context(), prefix)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "refs below "+prefix, fmt.Sprint(all.below(prefix)), fmt.Sprint(asked))
	}
}
