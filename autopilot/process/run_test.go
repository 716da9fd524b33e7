//go:build unix

package process

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/process/supervise"
)

func run(t *testing.T, c Command) (Result, string) {
	t.Helper()
	var out bytes.Buffer
	if c.Output == nil {
		c.Output = &out
	}
	res, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return res, out.String()
}

func TestResultTellsHowTheCommandEnded(t *testing.T) {
	for _, tc := range []struct {
		name, command, out, signal string
		code                       int
	}{
		{"success", "echo hello", "hello\n", "", 0},
		{"failure", "exit 7", "", "", 7},
		{"both streams in order", "echo a; echo b >&2; echo c", "a\nb\nc\n", "", 0},
		{"own signal", "kill -9 $$", "", "SIGKILL", 137},
		{"missing program in a shell", "exec 2>/dev/null; no-such-program-at-all", "", "", 127},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, out := run(t, Shell(tc.command, ""))
			if res.ExitCode != tc.code || res.Signal != tc.signal || out != tc.out {
				t.Errorf("got %+v with output %q", res, out)
			}
			if res.Duration <= 0 || res.TimedOut != NoLimit || res.Interrupted {
				t.Errorf("got %+v, want a plain end with a duration", res)
			}
		})
	}
}

func TestCommandRunsInItsFolderAndEnvironment(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := Shell(`pwd; echo "$PWD $WORD"; env | grep -c AUTOPILOT_SUPERVISOR`, dir)
	c.Env = []string{"WORD=caf\xe9", "PATH=" + os.Getenv("PATH"), supervise.Marker + "=x"}
	_, out := run(t, c)
	if want := dir + "\n" + dir + " caf\xe9\n0\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

func TestProgramThatBelievesPWDRunsInItsFolderToo(t *testing.T) {
	dir := t.TempDir()
	_, out := run(t, Command{Argv: []string{"env"}, Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH"), "PWD=/elsewhere"}})
	if !strings.Contains(out, "PWD="+dir+"\n") || strings.Contains(out, "elsewhere") {
		t.Errorf("got %q, want PWD=%s", out, dir)
	}
}

func TestCommandThatCannotStartIsAStartError(t *testing.T) {
	dir := t.TempDir()
	notExecutable := filepath.Join(dir, "plain")
	broken := filepath.Join(dir, "broken")
	write(t, notExecutable, "x", 0o600)
	write(t, broken, "#!/no/such/interpreter\n", 0o700)
	for _, tc := range []struct {
		name string
		c    Command
		is   error
	}{
		{"missing program", Command{Argv: []string{"no-such-program-at-all"}}, nil},
		{"missing in the given PATH", Command{Argv: []string{"sh"}, Env: []string{"PATH=.:" + dir}}, fs.ErrNotExist},
		{"missing relative program", Command{Argv: []string{"./nothing"}, Dir: dir}, fs.ErrNotExist},
		{"missing folder", Command{Argv: []string{"sh"}, Dir: filepath.Join(dir, "none")}, fs.ErrNotExist},
		{"folder is a file", Command{Argv: []string{"sh"}, Dir: notExecutable}, nil},
		{"not executable", Command{Argv: []string{notExecutable}}, fs.ErrPermission},
		{"missing interpreter", Command{Argv: []string{broken}}, fs.ErrNotExist},
		{"nothing to run", Command{}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Run(t.Context(), tc.c)
			if _, ok := errors.AsType[*StartError](err); !ok {
				t.Fatalf("got %v, want a StartError", err)
			}
			if tc.is != nil && !errors.Is(err, tc.is) {
				t.Errorf("got %v, want it to be %v", err, tc.is)
			}
			if !strings.Contains(err.Error(), "install it or correct") {
				t.Errorf("%q does not say what to do", err)
			}
		})
	}
}

func TestProgramIsFoundRelativeToFolderAndInPath(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "tool"), "#!/bin/sh\necho tool\n", 0o700)
	for _, c := range []Command{
		{Argv: []string{"./tool"}, Dir: dir},
		{Argv: []string{"tool"}, Env: []string{"PATH=/nowhere:" + dir}},
		{Argv: []string{filepath.Join(dir, "tool")}},
	} {
		if _, out := run(t, c); out != "tool\n" {
			t.Errorf("%v gave %q", c.Argv, out)
		}
	}
}

func TestStandardInputIsHandedOver(t *testing.T) {
	big := strings.Repeat("0123456789abcdef", 1<<16)
	_, out := run(t, Command{Argv: []string{"cat"}, Stdin: strings.NewReader(big)})
	if out != big {
		t.Errorf("got %d bytes back, want %d", len(out), len(big))
	}
}

func TestCommandThatDoesNotReadItsInputEnds(t *testing.T) {
	never, w := io.Pipe()
	defer w.Close()
	if res, _ := run(t, Command{Argv: []string{"true"}, Stdin: never}); res.ExitCode != 0 {
		t.Errorf("got %+v", res)
	}
	if res, _ := run(t, Command{Argv: []string{"true"}, Stdin: endless{}}); res.ExitCode != 0 {
		t.Errorf("got %+v", res)
	}
}

func TestWithoutInputTheNullDeviceIsRead(t *testing.T) {
	if res, out := run(t, Command{Argv: []string{"cat"}}); res.ExitCode != 0 || out != "" {
		t.Errorf("got %+v and %q", res, out)
	}
}

func TestHugeLineIsStreamed(t *testing.T) {
	var seen meter
	res, _ := run(t, Command{Argv: []string{"sh", "-c", "head -c 104857600 /dev/zero"}, Output: &seen})
	if seen.bytes != 100<<20 || res.ExitCode != 0 {
		t.Errorf("got %d bytes, %+v", seen.bytes, res)
	}
	if seen.largest > 32<<10 {
		t.Errorf("a write of %d bytes: output was gathered in memory", seen.largest)
	}
}

func TestFailingWriterIsToldAndHangsNothing(t *testing.T) {
	full := errors.New("disk full")
	res, err := Run(t.Context(), Command{
		Argv:   []string{"sh", "-c", "head -c 1000000 /dev/zero; exit 3"},
		Output: writerFunc(func([]byte) (int, error) { return 0, full }),
	})
	if !errors.Is(err, full) || res.ExitCode != 3 {
		t.Errorf("got %v and %+v", err, res)
	}
	_, err = Run(t.Context(), Command{
		Argv:   []string{"echo", "word"},
		Output: writerFunc(func([]byte) (int, error) { return 1, nil }),
	})
	if !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v, want a short write", err)
	}
}

func TestCancelledContextInterrupts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := Shell("echo ready; sleep 60", "")
	c.Output = writerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil })
	res, err := Run(ctx, c)
	if err != nil || !res.Interrupted || res.Signal != "SIGTERM" || res.ExitCode != 143 {
		t.Errorf("got %+v, %v", res, err)
	}
	if res, err := Run(ctx, c); err != nil || !res.Interrupted || res.Duration != 0 {
		t.Errorf("with a context cancelled before: got %+v, %v", res, err)
	}
}

func TestPoliteCommandMayCleanUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	c := Shell(`trap 'echo cleaned; exit 4' TERM; echo ready; while :; do sleep 0.01; done`, "")
	c.Output = writerFunc(func(b []byte) (int, error) { cancel(); return out.Write(b) })
	res, err := Run(ctx, c)
	if err != nil || res.ExitCode != 4 || !strings.Contains(out.String(), "cleaned") {
		t.Errorf("got %+v, %v, output %q", res, err, out.String())
	}
}

func TestLimitsEndTheCommand(t *testing.T) {
	for _, tc := range []struct {
		name, command string
		idle, whole   time.Duration
		want          Limit
		signal        string
	}{
		{"whole", "sleep 60", 0, 100 * time.Millisecond, WholeLimit, "SIGTERM"},
		{"idle", "echo a; sleep 60", 100 * time.Millisecond, 0, IdleLimit, "SIGTERM"},
		{"whole in spite of output", "while :; do echo a; sleep 0.01; done", 500 * time.Millisecond, 150 * time.Millisecond, WholeLimit, "SIGTERM"},
		{"deaf to SIGTERM", `trap "" TERM; while :; do sleep 1; done`, 0, 100 * time.Millisecond, WholeLimit, "SIGKILL"},
		{"stopped", `kill -STOP $$`, 0, 100 * time.Millisecond, WholeLimit, "SIGTERM"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := Shell(tc.command, "")
			c.Idle, c.Timeout, c.Grace = tc.idle, tc.whole, 100*time.Millisecond
			res, _ := run(t, c)
			if res.TimedOut != tc.want || res.Signal != tc.signal || res.Duration > 5*time.Second {
				t.Errorf("got %+v", res)
			}
		})
	}
}

func TestSteadyOutputIsNotIdle(t *testing.T) {
	c := Shell("for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done", "")
	c.Idle = 400 * time.Millisecond
	if res, _ := run(t, c); res.TimedOut != NoLimit || res.ExitCode != 0 {
		t.Errorf("got %+v", res)
	}
}

func TestSlowWriterIsNotAnIdleCommand(t *testing.T) {
	c := Shell("echo a; echo b; exit 5", "")
	c.Idle = 50 * time.Millisecond
	c.Output = writerFunc(func(b []byte) (int, error) {
		<-time.After(300 * time.Millisecond)
		return len(b), nil
	})
	if res, _ := run(t, c); res.TimedOut != NoLimit || res.ExitCode != 5 {
		t.Errorf("got %+v", res)
	}
}

func TestRunWithoutSuperviseIsRefused(t *testing.T) {
	supervisable.Store(false)
	defer supervisable.Store(true)
	if _, err := Run(t.Context(), Shell("true", "")); !errors.Is(err, errNotSupervisable) {
		t.Errorf("got %v", err)
	}
}

func TestMarkerAloneMakesNoSupervisor(t *testing.T) {
	t.Setenv(supervise.Marker, "guess")
	if code, was := Supervise(); was || code != 0 {
		t.Errorf("got %d, %v", code, was)
	}
}

func TestManyAtOnce(t *testing.T) {
	for range 20 {
		t.Run("one", func(t *testing.T) {
			t.Parallel()
			if res, out := run(t, Shell("echo $((40+2))", "")); out != "42\n" || res.ExitCode != 0 {
				t.Errorf("got %+v and %q", res, out)
			}
		})
	}
}

func BenchmarkOverhead(b *testing.B) {
	for b.Loop() {
		if _, err := Run(b.Context(), Command{Argv: []string{"true"}}); err != nil {
			b.Fatal(err)
		}
	}
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

type meter struct{ bytes, largest int }

func (m *meter) Write(b []byte) (int, error) {
	m.bytes += len(b)
	m.largest = max(m.largest, len(b))
	return len(b), nil
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }
