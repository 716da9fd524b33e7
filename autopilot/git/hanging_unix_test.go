//go:build unix

package git

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestHangingHookEndsWithAllItsChildren(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	pid := filepath.Join(t.TempDir(), "pid")
	s.hook("pre-commit", "sleep 60 & echo $! > "+pid+"; wait")
	s.write("a.txt", "x\n")
	s.write("new", "x\n")
	head, index := s.head(), s.index()
	within(t, 10*time.Second, func() {
		_, err := s.repo.Commits.Make(t.Context(), Commit{Paths: []string{"a.txt", "new"}, Subject: "x", HookTimeout: 500 * time.Millisecond})
		var hung *HookError
		if !errors.As(err, &hung) || !hung.TimedOut || hung.Hook != "pre-commit" {
			t.Fatalf("got %v", err)
		}
	})
	equal(t, "HEAD", s.head(), head)
	equal(t, "index", s.index(), index)
	s.assertNoLocks(t)
	assertGone(t, pid)
	s.hook("pre-commit", "true")
	_, err := s.commit(t, "a.txt")
	s.must(err)
}

func TestPipeThatGitWaitsForIsNamed(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("sub/a.txt", "x\n")
	s.must(syscall.Mkfifo(s.path("sub/.gitignore"), 0o644))
	s.repo.patience = 200 * time.Millisecond
	within(t, 10*time.Second, func() {
		_, err := s.repo.Tree.Status(t.Context())
		var silent *SilentError
		if !errors.As(err, &silent) || silent.For != "sub/.gitignore" {
			t.Errorf("got %v", err)
		}
	})
}

func TestHookThatIgnoresTheSignalEndsToo(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	pid := filepath.Join(t.TempDir(), "pid")
	s.hook("pre-commit", "trap '' TERM; echo $$ > "+pid+"; while :; do sleep 0.05; done")
	s.write("a.txt", "x\n")
	within(t, 10*time.Second, func() {
		_, err := s.repo.Commits.Make(t.Context(), Commit{Paths: []string{"a.txt"}, Subject: "x", HookTimeout: 300 * time.Millisecond})
		var hung *HookError
		if !errors.As(err, &hung) || !hung.TimedOut {
			t.Fatalf("got %v", err)
		}
	})
	s.assertNoLocks(t)
	assertGone(t, pid)
}

func TestCommitMadeBeforeAHookHungCounts(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.hook("post-commit", "sleep 60")
	s.write("a.txt", "x\n")
	made, err := s.repo.Commits.Make(t.Context(), Commit{Paths: []string{"a.txt"}, Subject: "x", HookTimeout: 500 * time.Millisecond})
	s.must(err)
	equal(t, "commit", made.SHA, s.head())
	equal(t, "cut off", made.CutOff, "post-commit")
	equal(t, "status", s.git("status", "--porcelain"), "")
}

func TestHooksFindNoTerminalAndNoEditor(t *testing.T) {
	s := newSandbox(t)
	seen := filepath.Join(t.TempDir(), "seen")
	t.Setenv("GIT_EDITOR", "false")
	s.hook("pre-commit", `cat > /dev/null; (: < /dev/tty) 2>/dev/null && echo tty >> `+seen+`; echo "editor $(git var GIT_EDITOR)" >> `+seen)
	s.write("a.txt", "x\n")
	_, err := s.commit(t, "a.txt")
	s.must(err)
	data, err := os.ReadFile(seen)
	s.must(err)
	equal(t, "seen", string(data), "editor :\n")
}

func TestSignatureThatHangsIsStopped(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("../sign", "#!/bin/sh\nsleep 60\n")
	s.chmod("../sign", 0o755)
	s.git("config", "commit.gpgsign", "true")
	s.git("config", "gpg.program", s.path("../sign"))
	s.write("a.txt", "x\n")
	within(t, 10*time.Second, func() {
		_, err := s.repo.Commits.Make(t.Context(), Commit{Paths: []string{"a.txt"}, Subject: "x", HookTimeout: 300 * time.Millisecond})
		var hung *HookError
		if !errors.As(err, &hung) || !hung.TimedOut {
			t.Fatalf("got %v", err)
		}
	})
	s.write("../sign", "#!/bin/sh\nexit 2\n")
	_, err := s.commit(t, "a.txt")
	var failed *CommandError
	if !errors.As(err, &failed) || !strings.Contains(failed.Stderr, "gpg failed") {
		t.Fatalf("got %v", err)
	}
}

func TestCancelledCommitLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	started := filepath.Join(t.TempDir(), "started")
	s.must(mkfifo(started))
	s.hook("pre-commit", "echo x > "+started+"; sleep 60")
	s.write("new", "x\n")
	index := s.index()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(started)
		cancel()
	}()
	_, err := s.repo.Commits.Make(ctx, Commit{Paths: []string{"new"}, Subject: "x"})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	equal(t, "index", s.index(), index)
	s.assertNoLocks(t)
}

// A git that is told to end while it writes refs leaves their locks behind one time in twenty.
func TestWriteCalledOffAtAnyMomentLeavesNoLock(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	chance, rounds := rand.New(rand.NewPCG(1, 0)), 15
	if full() {
		rounds = 50
	}
	for name, write := range map[string]func(context.Context) error{
		"commit": func(ctx context.Context) error {
			_, err := s.repo.Commits.Make(ctx, Commit{Paths: []string{"a.txt"}, Subject: "x"})
			return err
		},
		"save": func(ctx context.Context) error {
			_, err := s.repo.Files.Save(ctx, "refs/autopilot/x/y", "x", []string{"a.txt"})
			return err
		},
	} {
		for i := range rounds {
			s.write("a.txt", name+strconv.Itoa(i))
			ctx, cancel := context.WithCancel(t.Context())
			after := time.AfterFunc(time.Duration(chance.Int64N(int64(25*time.Millisecond))), cancel)
			err := write(ctx)
			after.Stop()
			cancel()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v", name, err)
			}
			s.assertNoLocks(t)
		}
	}
}

func (s *sandbox) assertNoLocks(t *testing.T) {
	t.Helper()
	var locks []string
	s.must(filepath.WalkDir(s.path(".git"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".lock") {
			locks = append(locks, path)
		}
		return err
	}))
	equalList(t, "locks", locks)
	left, err := filepath.Glob(s.path(".git/autopilot/*-*"))
	s.must(err)
	equalList(t, "temporary files", left)
}

func mkfifo(name string) error { return syscall.Mkfifo(name, 0o600) }

// assertGone waits until the process whose number the file holds has ended.
func assertGone(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("process %d lives on", pid)
}

// zombie tells whether a process has ended and nobody has asked for its exit code, which no orphan's parent may do in a
// container.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}
