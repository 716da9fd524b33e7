package git

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
	"time"
)

func TestTakeUpAndLeaveRemoveWhatIsLeft(t *testing.T) {
	s := newSandbox(t)
	for name, clear := range map[string]func() error{
		"TakeUp": func() error { return s.repo.TakeUp(t.Context()) },
		"Leave":  func() error { s.repo.Leave(); return nil },
	} {
		t.Run(name, func(t *testing.T) { removesWhatIsLeft(t, s, clear) })
	}
}

func removesWhatIsLeft(t *testing.T, s *sandbox, clear func() error) {
	for _, name := range []string{"message-1", "trace-1", "index-1", "index-1.lock", "kept/.autopilot-1", "kept/abc", "watch.json"} {
		s.write(".git/autopilot/"+name, "x")
	}
	s.must(clear())
	var left []string
	s.must(filepath.WalkDir(s.path(".git/autopilot"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			left = append(left, d.Name())
		}
		return err
	}))
	equalList(t, "what is left", left, "abc", "watch.json")
}

func TestTakeUpWaitsForAGitThatOutlivedItsRun(t *testing.T) {
	s := newSandbox(t)
	s.write(".git/index.lock", "")
	var lock *LockError
	if err := s.repo.TakeUp(t.Context()); !errors.As(err, &lock) {
		t.Errorf("beside a git at work: %v, want a LockError", err)
	}
	s.repo.lockWait = time.Minute
	go s.remove(".git/index.lock")
	s.must(s.repo.TakeUp(t.Context()))
}

func TestIndexAsHeadBringsTheIndexUpToACommit(t *testing.T) {
	s := newSandbox(t)
	s.write("new", "new\n")
	s.remove("b.txt")
	s.write("a.txt", "the user's\n")
	s.git("add", "a.txt")
	before := s.read(".git/index")
	_, err := s.commit(t, "new", "b.txt")
	s.must(err)
	want := s.index()

	s.write(".git/index", before)
	s.must(s.repo.Index.AsHead(t.Context(), []string{"new", "b.txt"}))
	equal(t, "index", s.index(), want)
	s.must(s.repo.Index.AsHead(t.Context(), nil))
}

func TestOpenThatIsCalledOffDoesNotBlameTheRepository(t *testing.T) {
	s := newSandbox(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Open(ctx, s.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v, want context.Canceled", err)
	}
}
