//go:build unix

package process

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"autopilot/autopilot/process/supervise"
)

// Supervise must be the first call in main and in TestMain. In an ordinary start
// it returns false at once. In a start by Run it is the supervisor: it runs the
// command, ends its tree, and returns true with the code to exit with; the
// caller does nothing else then.
func Supervise() (code int, was bool) {
	supervisable.Store(true)
	return supervise.Supervise()
}

// killPause is how long killed processes are given before one looks again.
const killPause = 5 * time.Millisecond

// wakePause is how often a supervisor is continued that has not reported yet.
const wakePause = 100 * time.Millisecond

// tree is a running command as its caller sees it: a supervisor and two pipes.
type tree struct {
	supervisor *exec.Cmd
	control    *os.File // orders to the supervisor; its end is our death
	reports    *os.File
	sending    sync.Mutex
	pid        int
	mark       string // of all that belongs to the tree
	killed     atomic.Bool
	ended      chan ending
}

// start brings up a supervisor with the command's three streams as its own and
// returns when the command runs.
func start(c Command, path string, streams [3]*os.File) (*tree, error) {
	if !supervisable.Load() {
		return nil, errNotSupervisable
	}
	control, ours, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("opening a pipe to a supervisor: %w", err)
	}
	defer control.Close()
	reports, theirs, err := os.Pipe()
	if err != nil {
		ours.Close()
		return nil, fmt.Errorf("opening a pipe from a supervisor: %w", err)
	}
	defer theirs.Close()
	t := &tree{control: ours, reports: reports, ended: make(chan ending, 1)}
	secret := rand.Text()
	t.mark = markOf(c.LockFile, rand.Text())
	t.supervisor = supervisorCommand(secret, c.LockFile, streams, control, theirs)
	if err := t.supervisor.Start(); err != nil {
		t.close()
		return nil, fmt.Errorf("starting the supervisor of %s: %w", c.Argv[0], err)
	}
	theirs.Close()
	req := supervise.Request{Secret: secret, Path: path, Argv: c.Argv, Dir: c.Dir, Env: marked(environment(c), t.mark), Grace: c.grace(), Ended: endedFile(c.LockFile), Group: supervise.GroupName(t.mark)}
	if err := t.open(c, req); err != nil {
		t.close()
		return nil, errors.Join(err, ignoreExit(t.supervisor.Wait()))
	}
	go t.wait()
	return t, nil
}

// supervisorCommand is in a session of its own, so that no signal of the
// terminal reaches the supervisor or what it runs.
func supervisorCommand(secret string, lock *os.File, streams [3]*os.File, control, reports *os.File) *exec.Cmd {
	cmd := &exec.Cmd{
		Path: selfProgram(),
		Args: []string{os.Args[0], "supervise"},
		// It mostly waits: one processor is enough, and readier. A program built with -race would sleep for a second at its end.
		Env:         supervisorMarked([]string{supervise.Marker + "=" + secret, "GOMAXPROCS=1", "GORACE=atexit_sleep_ms=0"}, lock),
		Stdin:       streams[0],
		Stdout:      streams[1],
		Stderr:      streams[2],
		ExtraFiles:  []*os.File{control, reports},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if lock != nil {
		cmd.ExtraFiles = append(cmd.ExtraFiles, lock)
	}
	return cmd
}

func (t *tree) open(c Command, req supervise.Request) error {
	if err := req.Write(t.control); err != nil {
		return fmt.Errorf("asking the supervisor to run %s: %w", c.Argv[0], err)
	}
	stop := t.keepAwake(c.answer())
	first, err := supervise.ReadReport(t.reports)
	stop()
	if err != nil {
		return fmt.Errorf("the supervisor of %s ended before it could start it: %w", c.Argv[0], err)
	}
	if first.Failure != "" {
		var cause error = errors.New(first.Failure)
		if first.Errno != 0 {
			cause = syscall.Errno(first.Errno)
		}
		return c.startError(cause)
	}
	t.pid = first.Pid
	return nil
}

// keepAwake continues the supervisor until it has reported that the command runs:
// the command may stop it before. One that does not report in time is killed.
func (t *tree) keepAwake(enough time.Duration) (stop func()) {
	reported, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for waited := time.Duration(0); waited < enough; waited += wakePause {
			select {
			case <-reported:
				return
			case <-time.After(wakePause):
				_ = t.supervisor.Process.Signal(syscall.SIGCONT)
			}
		}
		t.kill()
	}()
	return func() {
		close(reported)
		<-done
	}
}

// stop orders the end of the tree; that it has come is seen on t.ended. A
// supervisor that somebody stopped is continued, so that it hears the order.
func (t *tree) stop() {
	t.sending.Lock()
	defer t.sending.Unlock()
	_ = supervise.WriteStop(t.control)
	_ = t.supervisor.Process.Signal(syscall.SIGCONT)
}

// kill ends the tree in place of a supervisor that does not answer, and then the
// supervisor. Where something cannot be ended the supervisor stays, and with it
// the lock.
func (t *tree) kill() {
	t.killed.Store(true)
	left := supervise.Living(t.supervisor.Process.Pid, t.pid)
	for elapsed := Stopwatch(); len(left) > 0 && elapsed() < stuckPause; {
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		<-time.After(killPause)
		left = supervise.Living(t.supervisor.Process.Pid, t.pid)
	}
	if len(left) > 0 {
		t.ended <- killedEnding(left)
		return
	}
	_ = t.supervisor.Process.Kill()
}

// killedEnding is the end of a tree that kill ended.
func killedEnding(left []int) ending {
	return ending{code: 128 + int(syscall.SIGKILL), signal: signalName(syscall.SIGKILL), stopped: true, left: left}
}

// wait reports the end. Where processes are left over the supervisor stays, and
// with it the lock, until they are gone.
func (t *tree) wait() {
	last, err := supervise.ReadReport(t.reports)
	if err != nil {
		_ = syscall.Kill(-t.pid, syscall.SIGKILL)
		found, rest := endMarked(t.mark, syscall.Kill, markPatience)
		t.close()
		_ = t.supervisor.Wait() // how it ended is in ProcessState
		if t.killed.Load() {
			t.ended <- killedEnding(nil)
			return
		}
		t.ended <- ending{code: -1, stopped: true, err: t.died(found, rest)}
		return
	}
	if len(last.Left) == 0 {
		_ = t.supervisor.Wait()
		t.close()
	} else {
		go func() { _ = t.supervisor.Wait(); t.close() }()
	}
	// One that was held saw its command end before it heard the order.
	t.ended <- ending{code: last.Code, signal: signalName(last.Signal), stopped: last.Stopped || t.killed.Load(), left: last.Left}
}

// died says what became of a tree whose supervisor was killed.
func (t *tree) died(found, rest []string) error {
	err := fmt.Errorf("the supervisor of process %d died (%s)", t.pid, t.supervisor.ProcessState)
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%w; %w", err, &LeftError{rest})
	case len(found) > 0:
		return fmt.Errorf("%w; ended what it left: process %s", err, strings.Join(found, ", "))
	case t.mark != "":
		return fmt.Errorf("%w; it left no process that could be found", err)
	}
	return err
}

// signalName is "" for 0: the command exited.
func signalName(signal syscall.Signal) string {
	if signal == 0 {
		return ""
	}
	return unix.SignalName(signal)
}

func (t *tree) close() {
	t.sending.Lock()
	defer t.sending.Unlock()
	t.control.Close()
	t.reports.Close()
}

// ignoreExit leaves out how the supervisor exited, which says nothing beyond
// the error that it accompanies.
func ignoreExit(err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		return nil
	}
	return err
}
