package taskfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"autopilot/sessions/storage"
)

// patient is an environment in which a busy machine is waited for.
func patient(name string) string {
	if name == "HARNESS_LOCK_TIMEOUT_SECONDS" {
		return "60"
	}
	return ""
}

// impatient waits for a lock hardly at all.
func impatient(name string) string {
	if name == "HARNESS_LOCK_TIMEOUT_SECONDS" {
		return "0.05"
	}
	return ""
}

// lockOf is where the lock of a store lies; the test takes away what is left of it.
func lockOf(t *testing.T, s *Store) string {
	t.Helper()
	path, err := lockFolder(s.Root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		left, _ := filepath.Glob(path + "*")
		for _, p := range left {
			_ = os.RemoveAll(p)
		}
	})
	return path
}

// locked makes the lock as another program would.
func locked(t *testing.T, s *Store, pid string) string {
	t.Helper()
	path := lockOf(t, s)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if pid != "" {
		if err := os.WriteFile(filepath.Join(path, "pid"), []byte(pid), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func count(l *TaskList) error { l.SessionCount++; return nil }

func TestLockIsHeldOnlyAroundTheChange(t *testing.T) {
	s := storeWith(t, "{}")
	path := lockOf(t, s)
	refused := errors.New("no")
	for name, want := range map[string]error{"done": nil, "refused": refused} {
		err := s.Update(t.Context(), func(l *TaskList) error {
			info, err := os.Stat(path)
			if err != nil || !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
				t.Errorf("%s: the lock is %v, %v", name, info, err)
			}
			pid, _ := os.ReadFile(filepath.Join(path, "pid"))
			if string(pid) != fmt.Sprint(os.Getpid()) {
				t.Errorf("%s: held by %q", name, pid)
			}
			return want
		})
		if !errors.Is(err, want) || exists(path) {
			t.Errorf("%s: error %v, lock there: %t", name, err, exists(path))
		}
	}
	func() {
		defer func() { _ = recover() }()
		_ = s.Update(t.Context(), func(*TaskList) error { panic("in the change") })
	}()
	if exists(path) {
		t.Error("a panic leaves the lock behind")
	}
	if list(t, s); exists(path) {
		t.Error("a reader takes the lock")
	}
}

func TestABusyLockIsWaitedForAndThenTold(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "{}")
	s.Env = impatient
	path := locked(t, s, fmt.Sprint(os.Getppid()))
	err := s.Update(t.Context(), count)
	var busy *BusyLockError
	if !errors.As(err, &busy) || busy.PID != os.Getppid() || busy.Path != path || busy.Waited != 50*time.Millisecond {
		t.Fatalf("error %#v", err)
	}
	if !strings.Contains(err.Error(), "try again") || !strings.Contains(err.Error(), path) {
		t.Errorf("no way out in %q", err)
	}
	if err := s.Create(TaskList{}); !errors.As(err, &busy) {
		t.Errorf("Create: %v", err)
	}
	if l := list(t, s); l.SessionCount != 0 {
		t.Error("a reader is kept out")
	}
	s.Env = patient
	go func() {
		time.Sleep(20 * time.Millisecond)
		_ = os.RemoveAll(path)
	}()
	if err := s.Update(t.Context(), count); err != nil {
		t.Errorf("once it is free: %v", err)
	}
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	s := storeWith(t, "{}")
	s.Env = patient
	locked(t, s, fmt.Sprint(os.Getppid()))
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if err := s.Update(ctx, count); !errors.Is(err, enough) {
		t.Errorf("error %v", err)
	}
}

func TestTheLockOfADeadHolderIsTaken(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	for name, pid := range map[string]string{
		"dead": fmt.Sprint(cmd.Process.Pid), "with a line break": fmt.Sprintf(" %d\n", cmd.Process.Pid),
		"nobody": "", "no number": "me", "a number below 0": "-1", "a number too high": "4294967297",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storeWith(t, "{}")
			s.Env = patient
			path := locked(t, s, pid)
			if err := s.Update(t.Context(), count); err != nil || list(t, s).SessionCount != 1 {
				t.Errorf("error %v", err)
			}
			if left, _ := filepath.Glob(path + ".stale*"); exists(path) || len(left) > 0 {
				t.Errorf("left behind: %t %q", exists(path), left)
			}
		})
	}
}

func TestALockWithoutANameIsLeftAloneForAMoment(t *testing.T) {
	s := storeWith(t, "{}")
	s.Env = impatient
	path := locked(t, s, "")
	var busy *BusyLockError
	if err := s.Update(t.Context(), count); !errors.As(err, &busy) || busy.PID != 0 || !exists(path) {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(busy.Error(), "another process") {
		t.Errorf("%q", busy)
	}
}

func TestSomethingElseAtTheLocksPlaceIsReclaimed(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "{}")
	s.Env = patient
	path := lockOf(t, s)
	if err := os.WriteFile(path, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), count); err != nil {
		t.Errorf("error %v", err)
	}
}

func TestALockThatWasTakenOverIsNotReleased(t *testing.T) {
	s := storeWith(t, "{}")
	path := lockOf(t, s)
	err := s.Update(t.Context(), func(l *TaskList) error {
		return os.WriteFile(filepath.Join(path, "pid"), []byte(fmt.Sprint(os.Getppid())), 0o600)
	})
	if err != nil || !exists(path) {
		t.Errorf("error %v, lock there: %t", err, exists(path))
	}
}

func TestReclaimingStopsWhereSomebodyElseDoesIt(t *testing.T) {
	s := storeWith(t, "{}")
	s.Env = impatient
	path := locked(t, s, "999999999")
	guard, err := takeGuard(path + ".guard")
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyLockError
	if err := s.Update(t.Context(), count); !errors.As(err, &busy) {
		t.Errorf("beside the guard: %v", err)
	}
	if err := guard.Close(); err != nil {
		t.Fatal(err)
	}
	l := folderLock{path, storage.OSDisk{}}
	l.reclaim(1) // the holder is another by now
	if !exists(path) {
		t.Error("the lock of another was taken away")
	}
	if err := s.Update(t.Context(), count); err != nil {
		t.Errorf("without it: %v", err)
	}
}

func TestHowLongToWaitComesFromTheEnvironment(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"": defaultTimeout, "2": 2 * time.Second, " 0.5 ": time.Second / 2, "0": 0, "-1": defaultTimeout, "NaN": defaultTimeout,
		"soon": defaultTimeout, "Inf": maxTimeout, "1e300": maxTimeout, "5s": defaultTimeout,
	} {
		s := &Store{Env: func(string) string { return value }}
		if got := s.timeout(); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
	if got := (&Store{}).timeout(); got != defaultTimeout {
		t.Errorf("without an environment: %s", got)
	}
}

// TestTheLockOfAPythonProgramIsRespected takes the lock as the programs in use do, and looks whether both sides name the
// same folder.
func TestTheLockOfAPythonProgramIsRespected(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("python3")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no python3, or no /tmp")
	}
	s := storeWith(t, "{}")
	s.Env = impatient
	path := lockOf(t, s)
	const script = `
import hashlib, os, pathlib, sys
name = hashlib.sha256(str(pathlib.Path(sys.argv[1]).resolve()).encode()).hexdigest()[:16]
folder = "/tmp/harness-" + name + ".lock"
os.mkdir(folder, 0o700)
with open(folder + "/pid", "w") as f:
    f.write(str(os.getpid()))
print(folder, flush=True)
sys.stdin.read()
`
	cmd := exec.CommandContext(t.Context(), program, "-c", script, s.Root)
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if folder, _ := bufio.NewReader(out).ReadString('\n'); strings.TrimSpace(folder) != path {
		t.Fatalf("its lock is %q, ours %q", folder, path)
	}
	var busy *BusyLockError
	if err := s.Update(t.Context(), count); !errors.As(err, &busy) || busy.PID <= 0 {
		t.Errorf("beside it: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	s.Env = patient
	if err := s.Update(t.Context(), count); err != nil {
		t.Errorf("once it is dead: %v", err)
	}
}
