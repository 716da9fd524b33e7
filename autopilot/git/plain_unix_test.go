//go:build unix

package git

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"autopilot/autopilot/git/gitdir"
)

func TestWhatGitCouldNotReadToItsEndIsNamedBeforeGitIsCalled(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		".git/config", ".git/HEAD", ".git/index", ".git/info/exclude", ".git/info/attributes", ".git/packed-refs", ".git/commondir",
	} {
		for what, make := range map[string]func(*sandbox) error{
			"a pipe":             func(s *sandbox) error { return mkfifo(s.path(name)) },
			"a link to a device": func(s *sandbox) error { return os.Symlink("/dev/zero", s.path(name)) },
			"a link to a pipe": func(s *sandbox) error {
				return errors.Join(mkfifo(s.path("pipe")), os.Symlink(s.path("pipe"), s.path(name)))
			},
			"a folder":            func(s *sandbox) error { return os.Mkdir(s.path(name), 0o755) },
			"a pipe, from a part": func(s *sandbox) error { s.dir += "/dir"; return mkfifo(s.path("../" + name)) },
		} {
			s := newSandbox(t)
			s.remove(name)
			s.must(os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
			at := s.path(name)
			s.must(make(s))
			refusedAsNotPlain(t, s.dir, name+" is "+what, at)
		}
	}
}

func TestALinkedTreeThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"linked/.git", ".git/worktrees/linked/HEAD", ".git/worktrees/linked/index", ".git/worktrees/linked/commondir", ".git/config"} {
		s := newSandbox(t)
		s.git("worktree", "add", "-q", "--detach", "linked")
		s.remove(name)
		s.must(mkfifo(s.path(name)))
		refusedAsNotPlain(t, s.path("linked"), name, s.path(name))
	}
	s := newSandbox(t)
	s.must(mkfifo(s.path("dir/HEAD")))
	refusedAsNotPlain(t, s.path("dir"), "what git may take for a bare repository", s.path("dir/HEAD"))
}

func refusedAsNotPlain(t *testing.T, dir, what, path string) {
	t.Helper()
	found := make(chan error, 1)
	go func() {
		_, err := Find(t.Context(), dir)
		found <- err
	}()
	select {
	case err := <-found:
		var refused *gitdir.NotPlainError
		if !errors.As(err, &refused) || refused.Path != path {
			t.Errorf("%s: got %v, want %s named", what, err, path)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("%s: it hangs", what)
	}
}

func TestLinksToPlainFilesOfGitAreFollowed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".git/config", ".git/index", ".git/info/exclude", ".git/HEAD"} {
		s := newSandbox(t)
		s.write("../kept", s.read(name))
		if name == ".git/info/exclude" {
			s.write("../kept", "x\n")
		}
		s.remove(name)
		s.must(os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
		to := s.path("../kept")
		if name == ".git/HEAD" {
			to = "refs/heads/main"
		}
		s.link(to, name)
		_, err := Open(t.Context(), s.dir)
		s.must(err)
	}
	s := newSandbox(t)
	s.must(os.Mkdir(s.path("dir/HEAD"), 0o755))
	_, err := Find(t.Context(), s.path("dir"))
	s.must(err)
}
