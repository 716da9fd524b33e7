package process

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"autopilot/autopilot/process/supervise"
)

// stubborn starts what process groups and signals to the first child miss: a
// deaf grandchild in a session of its own, a daemon that forked twice, and a
// deaf background loop. Each says that it runs before "ready" is printed.
const stubborn = `
dir=$(mktemp -d "$FAMILY_DIR/XXXXXX")
setsid sh -c 'trap "" TERM HUP INT; : > '"$dir"'/a; while :; do sleep 1; done' &
(setsid sh -c '(trap "" TERM HUP; : > '"$dir"'/b; exec sleep 300) & exit' &)
(trap "" TERM; : > "$dir/c"; while :; do sleep 1; done) &
until [ -e "$dir/a" ] && [ -e "$dir/b" ] && [ -e "$dir/c" ]; do sleep 0.01; done
echo ready
`

// family marks processes by a variable that all descendants inherit.
func family(t *testing.T) (env []string, living func() []string) {
	t.Helper()
	token := "FAMILY=" + rand.Text()
	env = append(os.Environ(), token, "FAMILY_DIR="+t.TempDir())
	return env, func() []string {
		var found []string
		paths, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range paths {
			if content, err := os.ReadFile(path); err == nil && bytes.Contains(content, []byte(token)) {
				cmdline, _ := os.ReadFile(filepath.Dir(path) + "/cmdline")
				found = append(found, filepath.Base(filepath.Dir(path))+" "+string(cmdline))
			}
		}
		return found
	}
}

func TestNothingIsLeftOfATree(t *testing.T) {
	for _, tc := range []struct {
		name, end string
		whole     time.Duration
		want      Result
	}{
		{"after the command's own end", "exit 6", 0, Result{ExitCode: 6}},
		{"after a time-out", "sleep 300", time.Second, Result{ExitCode: 143, Signal: "SIGTERM", TimedOut: WholeLimit}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			env, living := family(t)
			c := Shell(stubborn+tc.end, "")
			c.Env, c.Timeout, c.Grace = env, tc.whole, 200*time.Millisecond
			res, out := run(t, c)
			if out != "ready\n" {
				t.Errorf("the tree said %q", out)
			}
			if left := living(); len(left) > 0 {
				t.Errorf("left over: %q", left)
			}
			res.Duration = 0
			if res != tc.want {
				t.Errorf("got %+v, want %+v", res, tc.want)
			}
		})
	}
}

func TestNothingSurvivesKillOfTheCaller(t *testing.T) {
	env, living := family(t)
	lockPath := filepath.Join(t.TempDir(), "lock")
	write(t, lockPath, "", 0o600)
	parent := exec.CommandContext(t.Context(), "/proc/self/exe")
	parent.Env = append(env, parentRole+"="+stubborn+"sleep 300", parentLock+"="+lockPath)
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the tree said %q", line)
	}
	if left := living(); len(left) < 5 {
		t.Fatalf("only %q live: the test proves nothing", left)
	}
	lock, err := os.Open(lockPath)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := os.Stat(endedFile(lock)); err == nil {
		t.Error("it ended before the caller was killed")
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	// The lock is free exactly when the supervisor is gone, so nothing may live then.
	if err := lockFile(lock); err != nil {
		t.Fatal(err)
	}
	if left := living(); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
	later := filepath.Join(t.TempDir(), "later")
	write(t, later, "", 0o600)
	info, err := os.Stat(later)
	if err != nil {
		t.Fatal(err)
	}
	if ended := EndedAt(lock); ended.IsZero() || ended.After(info.ModTime()) {
		t.Errorf("it ended at %s; a later file is of %s", ended, info.ModTime())
	}
	if ForgetEnded(lock); !EndedAt(lock).IsZero() {
		t.Error("it was not forgotten")
	}
}

func TestLockIsHeldBesideALivingCommandAndHiddenFromIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.lock")
	write(t, path, "", 0o600)
	lock, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := lockFile(lock); err != nil {
		t.Fatal(err)
	}
	other, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var out bytes.Buffer
	var whileRunning error
	c := Shell("ls -l /proc/self/fd /proc/$$/fd; echo listed", "")
	c.LockFile = lock
	c.Output = writerFunc(func(b []byte) (int, error) {
		lock.Close() // as if the caller had died: only the supervisor holds it now
		whileRunning = unix.Flock(int(other.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		return out.Write(b)
	})
	c.Argv = []string{"sh", "-c", c.Argv[2] + "; read line"}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c.Stdin = r
	inner := c.Output
	c.Output = writerFunc(func(b []byte) (int, error) {
		n, err := inner.Write(b)
		if strings.Contains(out.String(), "listed") {
			w.Close()
		}
		return n, err
	})
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if whileRunning != unix.EWOULDBLOCK {
		t.Errorf("the lock could be taken beside the command: %v", whileRunning)
	}
	if err := unix.Flock(int(other.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		t.Errorf("the lock is still held after the end: %v", err)
	}
	if strings.Contains(out.String(), "session.lock") {
		t.Errorf("the command holds the lock:\n%s", out.String())
	}
}

func TestCommandHoldsNothingButItsStreams(t *testing.T) {
	argv := []string{"sh", "-c", "for f in /proc/$$/fd/*; do echo ${f##*/}; done"}
	plain, err := exec.CommandContext(t.Context(), argv[0], argv[1:]...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if _, out := run(t, Command{Argv: argv}); out != string(plain) {
		t.Errorf("open descriptors %q, want those of a plain start %q", strings.Fields(out), strings.Fields(string(plain)))
	}
}

func TestSignalsToTheCallersGroupPassTheCommandBy(t *testing.T) {
	_, out := run(t, Command{Argv: []string{"sh", "-c", `cut -d" " -f5,6,7 /proc/$$/stat; cut -d" " -f7 /proc/$PPID/stat`}})
	fields := strings.Fields(out)
	if len(fields) != 4 || fields[2] != "0" || fields[3] != "0" {
		t.Fatalf("got %q, want no terminal for the command and its supervisor", out)
	}
	if session, err := unix.Getsid(0); err != nil || fields[1] == strconv.Itoa(session) {
		t.Errorf("the command is in the caller's session %d (%v)", session, err)
	}
}

func TestKilledSupervisorTakesTheTreeAlong(t *testing.T) {
	env, living := family(t)
	c := Shell(stubborn+"read line; kill -9 $PPID; sleep 300", "")
	r, w := io.Pipe()
	c.Env, c.Stdin = env, r
	c.Output = writerFunc(func(b []byte) (int, error) { w.Close(); return len(b), nil })
	res, err := Run(t.Context(), c)
	if err == nil || !strings.Contains(err.Error(), "supervisor of process") || res.ExitCode != -1 {
		t.Errorf("got %+v, %v", res, err)
	}
	if left := living(); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
}

// TestNextRunEndsWhatOutlivedCallerAndSupervisor: somebody killed everything that is called autopilot.
func TestNextRunEndsWhatOutlivedCallerAndSupervisor(t *testing.T) {
	env, living := family(t)
	lockPath := filepath.Join(t.TempDir(), "lock")
	write(t, lockPath, "", 0o600)
	parent := exec.CommandContext(t.Context(), "/proc/self/exe")
	parent.Env = append(env, parentRole+"="+stubborn+"sleep 300", parentLock+"="+lockPath)
	stdout, err := parent.StdoutPipe()
	if err == nil {
		err = parent.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the tree said %q", line)
	}
	supervisors := supervise.FamilyTree()[parent.Process.Pid]
	if err := parent.Process.Signal(unix.SIGSTOP); err != nil || len(supervisors) != 1 {
		t.Fatalf("%v, %d supervisors", err, len(supervisors))
	}
	_ = unix.Kill(supervisors[0], unix.SIGKILL)
	_ = parent.Process.Kill()
	_ = parent.Wait()
	lock, err := os.Open(lockPath)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := lockFile(lock); err != nil {
		t.Fatal(err)
	}
	if left := living(); len(left) < 3 {
		t.Fatalf("only %q live: the test proves nothing", left)
	}
	ended, err := EndLeft(lock)
	if err != nil || len(ended) < 3 || !strings.Contains(ended[0], "(sh)") {
		t.Errorf("ended %q, %v", ended, err)
	}
	if EndedAt(lock).IsZero() {
		t.Error("nobody tells when it ended")
	}
	if again, err := EndLeft(lock); err != nil || len(again) > 0 {
		t.Errorf("where nothing is left: %q, %v", again, err)
	}
	if left := living(); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
}

// hiding starts a daemon that nothing shows to belong to the tree but its cgroup, once its supervisor is gone.
const hiding = `
grep -q /autopilot- /proc/self/cgroup || { echo none; exit; }
setsid env -i sh -c 'echo $$ > "$1"; exec sleep 300' sh "$FAMILY_DIR/daemon" &
until [ -s "$FAMILY_DIR/daemon" ]; do sleep 0.01; done
echo ready
`

func TestKilledSupervisorTakesAlongWhatHidFromItsMark(t *testing.T) {
	env, _ := family(t)
	c := Shell(hiding+"kill -9 $PPID; sleep 300", "")
	c.Env = env
	var out bytes.Buffer
	c.Output = &out
	_, err := Run(t.Context(), c)
	if strings.Contains(out.String(), "none") {
		t.Skip("no cgroup can be made here")
	}
	pid, readErr := os.ReadFile(filepath.Join(strings.TrimPrefix(env[len(env)-1], "FAMILY_DIR="), "daemon"))
	if readErr != nil {
		t.Fatal(readErr)
	}
	daemon := strings.TrimSpace(string(pid))
	if err == nil || !strings.Contains(err.Error(), daemon+" (") {
		t.Errorf("it is not named: %v", err)
	}
	if _, err := os.Readlink("/proc/" + daemon + "/exe"); err == nil {
		t.Error("the daemon lives on")
	}
}

func TestWhatCannotBeEndedIsNamed(t *testing.T) {
	mark := "test:" + rand.Text()
	c := exec.CommandContext(t.Context(), "sleep", "300")
	c.Env = marked(nil, mark)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	immortal := func(int, unix.Signal) error { return unix.EPERM }
	want := fmt.Sprintf("%d (sleep)", c.Process.Pid)
	until := func() []string { _, rest := endMarked(mark, immortal, 50*time.Millisecond); return rest }
	rest := until()
	for len(rest) == 0 || rest[0] != want { // between fork and exec it has another name
		rest = until()
	}
	if err := (&LeftError{rest}); !strings.Contains(err.Error(), want) {
		t.Errorf("the process is not named: %v", err)
	}
	found, rest := endMarked(mark, unix.Kill, markPatience)
	if len(found) != 1 || found[0] != want || len(rest) > 0 {
		t.Errorf("found %q, left %q", found, rest)
	}
	_ = c.Wait()
}

func TestSupervisorAskedToEndEndsTheTree(t *testing.T) {
	res, _ := run(t, Shell("kill -INT $PPID; sleep 300", ""))
	if res.Signal != "SIGTERM" || res.Interrupted {
		t.Errorf("got %+v", res)
	}
}

func TestStrangerHoldingTheOutputDoesNotHangRun(t *testing.T) {
	var out bytes.Buffer
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p := newPump(r, &out)
	if _, err := w.WriteString("last words"); err != nil {
		t.Fatal(err)
	}
	if err := p.drain(20 * time.Millisecond); err != nil || out.String() != "last words" {
		t.Errorf("got %v and %q", err, out.String())
	}
}
