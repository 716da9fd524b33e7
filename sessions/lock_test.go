package sessions

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"autopilot/autopilot/inmemory"
	"autopilot/sessions/storage"
)

// The test binary run again with these variables is the other process.
const (
	holdVar    = "SESSIONS_TEST_HOLD"
	inheritVar = "SESSIONS_TEST_INHERIT"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdVar); dir != "" {
		s, err := Open(dir, options())
		if err != nil {
			os.Exit(1)
		}
		waitForEnd()
		_ = s.Close()
		os.Exit(0)
	}
	if os.Getenv(inheritVar) != "" {
		waitForEnd()
		os.Exit(0)
	}
	inmemory.Use()
	os.Exit(m.Run())
}

func waitForEnd() {
	_, _ = os.Stdout.WriteString("ready\n")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// other starts the test binary as another process, which ends when the test or its standard input does.
func other(t *testing.T, variable, value string, inherit ...*os.File) (cmd *exec.Cmd, end func()) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), variable+"="+value)
	cmd.ExtraFiles = inherit
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	if text, err := bufio.NewReader(out).ReadString('\n'); text != "ready\n" {
		t.Fatalf("the other process says %q (%v)", text, err)
	}
	return cmd, func() { _ = in.Close(); _ = cmd.Wait() }
}

func TestASecondProcessIsToldWhoHoldsTheSession(t *testing.T) {
	dir := sessionDir(t)
	closed(t, create(t, dir))
	cmd, _ := other(t, holdVar, dir)
	_, err := Open(dir, options())
	var held *storage.LockedError
	if !errors.As(err, &held) || held.PID != cmd.Process.Pid || held.Host == "" || held.Since.IsZero() {
		t.Fatalf("error %v", err)
	}
	if !strings.Contains(held.Error(), "Wait until it ends") {
		t.Errorf("no way out in %q", held)
	}
	if !Held(dir) {
		t.Error("nobody is said to hold it")
	}
	if _, err := Archive(dir, dir+"-archive", clock()); !errors.As(err, &held) {
		t.Errorf("Archive: %v", err)
	}
	if _, _, err := Read(dir, options()); err != nil {
		t.Errorf("a reader is kept out: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if Held(dir) {
		t.Error("the dead are said to hold it")
	}
	if got := open(t, dir).State().Revision; got != 1 {
		t.Errorf("after the kill: revision %d", got)
	}
}

func TestWhatInheritsTheLockKeepsIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no inherited descriptors")
	}
	dir := sessionDir(t)
	s := create(t, dir)
	_, end := other(t, inheritVar, "1", s.LockFile())
	closed(t, s)
	var held *storage.LockedError
	if _, err := Open(dir, options()); !errors.As(err, &held) {
		t.Errorf("while the heir lives: %v", err)
	}
	end()
	open(t, dir)
}

func TestOneWorkingTreeHasOneSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "autopilot.lock")
	tree, err := storage.LockTree(path, clock())
	if err != nil {
		t.Fatal(err)
	}
	var held *storage.LockedError
	if _, err := storage.LockTree(path, clock()); !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Errorf("the second: %v", err)
	}
	if tree.File() == nil || tree.Close() != nil || tree.Close() != nil {
		t.Error("it cannot be freed, or only once")
	}
	again, err := storage.LockTree(path, clock())
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestAHolderThatSaysNothingIsStillAHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	lock, err := storage.LockTree(path, clock())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	write(t, "half", path)
	var held *storage.LockedError
	if _, err := storage.LockTree(path, clock()); !errors.As(err, &held) || held.PID != 0 || !strings.Contains(held.Error(), "another run") {
		t.Errorf("error %v", err)
	}
}
