package hub

import (
	"os"
	"path/filepath"
	"testing"
)

// laneOf is the lane of a task in a clone, with what a step left.
func laneOf(s *Session, work string) Tree {
	return Tree{Task: "task-001", Dir: filepath.Join(s.clone.Dir, ".harness", "worktrees", "shop.lanes", "task-001"), Branch: "autopilot/shop.task-001", At: s.Branch("main"), Work: work}
}

// laneWork is a session of a new clone, and the commit of a lane in which another one did something.
func laneWork(t *testing.T) (s *Session, work string) {
	t.Helper()
	bare := newHub(t, map[string]string{"a": "1"})
	from := begun(t, bare)
	lane := laneOf(from, from.Branch("main")) // as if something was done
	restore(t, from, lane)
	write(t, "2", lane.Dir, "a")
	write(t, "new", lane.Dir, "b")
	return begun(t, bare), kept(t, from, lane)
}

func TestALaneIsRestoredWhateverIsInItsPlace(t *testing.T) {
	s, w := laneWork(t)
	s = openSession(t, s.clone)
	lane, main := laneOf(s, w), s.clone.Dir
	for what, do := range map[string]func(){
		"nothing":                 func() {},
		"the lane of an earlier":  func() { write(t, "old", lane.Dir, "a"); write(t, "old", lane.Dir, "old") },
		"a stale folder":          func() { write(t, "old", lane.Dir, "a") },
		"a file":                  func() { write(t, "old", lane.Dir) },
		"a repository":            func() { must(t, main, "init", "--quiet", lane.Dir) },
		"a lane without metadata": func() { removeAll(t, main, ".git", "worktrees") },
		"metadata without a lane": func() { removeAll(t, lane.Dir) },
		"metadata without lanes":  func() { removeAll(t, filepath.Dir(lane.Dir)) },
		"a lane without its .git": func() { removeAll(t, lane.Dir, ".git") },
		"a lane that was being made": func() {
			write(t, "initializing", main, ".git", "worktrees", "task-001", "locked")
			removeAll(t, lane.Dir)
		},
	} {
		if what == "a stale folder" || what == "a file" || what == "a repository" {
			drop(t, s, lane)
		} else {
			restore(t, s, lane)
		}
		do()
		restore(t, s, lane)
		if read(t, lane.Dir, "a") != "2" || read(t, lane.Dir, "b") != "new" || read(t, lane.Dir, "old") != "(none)" {
			t.Errorf("%s: the lane isn't restored", what)
		}
		if got := status(t, lane.Dir); got != " M a\x00?? b\x00" || must(t, lane.Dir, "symbolic-ref", "HEAD") != "refs/heads/"+lane.Branch {
			t.Errorf("%s: the status is %q", what, got)
		}
		if got := status(t, main); got != "" || must(t, main, "symbolic-ref", "HEAD") != "refs/heads/main" {
			t.Errorf("%s: the run's own tree changed: %q", what, got)
		}
	}
}

func TestALanesBranchMayBeInUseElsewhere(t *testing.T) {
	s, w := laneWork(t)
	s = openSession(t, s.clone)
	lane := laneOf(s, w)
	other := filepath.Join(t.TempDir(), "other")
	must(t, s.clone.Dir, "worktree", "add", "--quiet", "-b", lane.Branch, other)
	restore(t, s, lane)
	if read(t, lane.Dir, "a") != "2" {
		t.Error("the lane isn't restored")
	}
	restore(t, s, laneOf(s, "")) // nothing was done: the step makes it
	if must(t, s.clone.Dir, "branch", "--list", lane.Branch) != "" {
		t.Error("the branch is still there")
	}
}

func TestDropLeavesNothingOfALane(t *testing.T) {
	s, w := laneWork(t)
	s = openSession(t, s.clone)
	lane := laneOf(s, w)
	drop(t, s, lane) // there is none
	restore(t, s, lane)
	drop(t, s, lane)
	if _, err := os.Stat(lane.Dir); err == nil || must(t, s.clone.Dir, "branch", "--list", lane.Branch) != "" {
		t.Error("the lane is still there")
	}
	must(t, s.clone.Dir, "worktree", "add", "--quiet", "-b", lane.Branch, lane.Dir) // as the engine makes it
}

func drop(t *testing.T, s *Session, lane Tree) {
	t.Helper()
	if err := s.Drop(t.Context(), lane); err != nil {
		t.Fatal(err)
	}
}

func removeAll(t *testing.T, path ...string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(path...)); err != nil {
		t.Fatal(err)
	}
}
