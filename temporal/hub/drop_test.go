package hub

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestALaneThatGoesTakesNoOtherTreeAlong: a person's working tree may be on a disk that is not there now.
func TestALaneThatGoesTakesNoOtherTreeAlong(t *testing.T) {
	s, work := laneWork(t)
	s = openSession(t, s.clone)
	away := filepath.Join(t.TempDir(), "away")
	must(t, s.clone.Dir, "worktree", "add", "--quiet", "--detach", away)
	if err := os.Rename(away, away+".unmounted"); err != nil {
		t.Fatal(err)
	}
	lane := laneOf(s, work)
	restore(t, s, lane)
	removeAll(t, lane.Dir)
	drop(t, s, lane)
	if err := os.Rename(away+".unmounted", away); err != nil {
		t.Fatal(err)
	}
	must(t, away, "status")
	if left := must(t, s.clone.Dir, "worktree", "list", "--porcelain"); strings.Contains(left, lane.Dir) {
		t.Errorf("git still has the lane:\n%s", left)
	}
}

// TestABranchThatLostTheSessionsCommitsIsSeen: whatever goes on without them would end without them.
func TestABranchThatLostTheSessionsCommitsIsSeen(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	s := begun(t, bare)
	first := s.Branch("main")
	commit := committed(t, s, "a", "2")
	save(t, s, "main")
	for tip, want := range map[string]bool{commit: true, first: false, "": false} {
		if tip == "" {
			must(t, bare, "update-ref", "-d", "refs/heads/main")
		} else {
			must(t, bare, "update-ref", "refs/heads/main", tip)
		}
		s = openSession(t, s.clone)
		if err := s.RequireCommit(t.Context(), "main", commit); (err == nil) != want {
			t.Errorf("at %q: %v", tip, err)
		}
		if err := s.RequireCommit(t.Context(), "main", ""); err != nil {
			t.Errorf("at %q, of a session without commits: %v", tip, err)
		}
		must(t, bare, "update-ref", "refs/heads/main", commit)
	}
}

// TestSshNoticesAHubThatSaysNothingAnyMore, and leaves a way of the user's own alone.
func TestSshNoticesAHubThatSaysNothingAnyMore(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"ssh", "theirs"} {
		write(t, "#!/bin/sh\necho "+name+" \"$@\" > "+bin+"/called\nexit 1\n", bin, name)
		if err := os.Chmod(filepath.Join(bin, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	theirs := filepath.Join(bin, "theirs")
	mine, own := t.TempDir(), t.TempDir()
	for _, dir := range []string{mine, own} {
		must(t, dir, "init", "--quiet")
		must(t, dir, "remote", "add", "origin", "git@hub.example.com:shop.git")
	}
	must(t, own, "config", "core.sshCommand", theirs)
	open := func(env []string) error {
		_, err := Open(t.Context(), filepath.Join(t.TempDir(), "clone"), "git@hub.example.com:shop.git", env)
		return err
	}
	here := func(dir string) error {
		_, err := Here(t.Context(), dir, slug, env)
		return err
	}
	const lively = "ssh -o ServerAliveInterval=15"
	for name, c := range map[string]struct {
		look func() error
		want string
	}{
		"a worker":                         {func() error { return open(env) }, lively},
		"a worker with a way of its own":   {func() error { return open(append(env, "GIT_SSH_COMMAND="+theirs)) }, "theirs git@"},
		"a person":                         {func() error { return here(mine) }, lively},
		"a person with one in their clone": {func() error { return here(own) }, "theirs git@"},
		"an address":                       {func() error { return Reach(t.Context(), "git@hub.example.com:shop.git", env) }, lively},
	} {
		err := c.look() // nobody is there
		if got := read(t, bin, "called"); err == nil || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: called was %q, want %q: %v", name, got, c.want, err)
		}
	}
}
