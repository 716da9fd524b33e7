package refs

import (
	"os"
	"testing"
	"time"
)

func TestWhatAPersonDidAfterTheDispatchIsAccepted(t *testing.T) {
	s := newSandbox(t)
	guard, err := Of(s.repo).Watch(t.Context(), "refs/autopilot/s/", nil)
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
	if err := Of(s.repo).Accept(t.Context(), &guard, ended); err != nil {
		t.Fatal(err)
	}
	d, err := Of(s.repo).Compare(t.Context(), guard)
	if err != nil {
		t.Fatal(err)
	}
	if d.HeadAhead || d.IndexChanged || len(d.Other) != 1 || d.Other[0] != "created refs/heads/agents" {
		t.Errorf("got %+v", d)
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
