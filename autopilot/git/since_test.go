package git

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWhatAPersonDidAfterTheDispatchIsAccepted(t *testing.T) {
	s := newSandbox(t)
	guard, err := s.repo.Guards.Watch(t.Context(), "refs/autopilot/s/", nil)
	if err != nil {
		t.Fatal(err)
	}
	s.git("branch", "agents")
	s.write("agents.txt", "x\n")
	s.git("add", "agents.txt")
	ended := tick(s)
	s.git("branch", "mine")
	s.git("tag", "v1")
	s.write("two.txt", "two\n")
	s.git("add", "two.txt")
	s.git("commit", "-qm", "mine")
	if err := s.repo.Guards.Accept(t.Context(), &guard, ended); err != nil {
		t.Fatal(err)
	}
	d, err := s.repo.Guards.Compare(t.Context(), guard)
	if err != nil {
		t.Fatal(err)
	}
	if d.HeadAhead || d.IndexChanged || len(d.Other) != 1 || d.Other[0] != "created refs/heads/agents" {
		t.Errorf("got %+v", d)
	}
}

func TestFilesTellWhenTheyChanged(t *testing.T) {
	dir := t.TempDir()
	old, moved := filepath.Join(dir, "old"), filepath.Join(dir, "moved")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(old, moved); err != nil {
		t.Fatal(err)
	}
	if !ChangedAfter(moved, long.Add(time.Minute)) {
		t.Error("a file that was moved did not change")
	}
	if ChangedAfter(moved, time.Now().Add(time.Hour)) || ChangedAfter(old, long) {
		t.Error("a file changed that did not")
	}
}

// tick is a time that the clock of the disk has passed since.
func tick(s *sandbox) time.Time {
	s.Helper()
	now := func() time.Time {
		s.write(".git/tick", "")
		info, err := os.Stat(s.path(".git/tick"))
		s.must(err)
		return info.ModTime()
	}
	before := now()
	for !now().After(before) { // a few milliseconds at most
	}
	return before
}
