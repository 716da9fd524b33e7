package git

import (
	"bytes"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRestorePathsShowsNoOtherName: a kill between the writing of a file and its renaming would leave a name that then
// looks like somebody's work.
func TestRestorePathsShowsNoOtherName(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "the user's\n")
	saved, err := s.repo.Files.Save(t.Context(), saveRef, "x", nil)
	s.must(err)
	s.write("a.txt", "the agent's\n")

	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	s.must(err)
	defer func() { s.must(unix.Close(watch)) }()
	_, err = unix.InotifyAddWatch(watch, s.path("."), unix.IN_CREATE|unix.IN_MOVED_TO)
	s.must(err)
	s.must(s.repo.Files.Restore(t.Context(), saved.Ref, []string{"a.txt"}))
	equal(t, "a.txt", s.read("a.txt"), "the user's\n")

	events := make([]byte, 1<<12)
	n, err := unix.Read(watch, events)
	s.must(err)
	if !bytes.Contains(events[:n], []byte("a.txt")) || bytes.Contains(events[:n], []byte(".autopilot")) {
		t.Errorf("names that appeared in the working tree: %q", events[:n])
	}
}
