package process

import (
	"context"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"autopilot/autopilot/process/supervise"
)

// TestALimitIsKeptWithASupervisorThatTheCommandStopped: it is continued, and ends the tree as it always does.
func TestALimitIsKeptWithASupervisorThatTheCommandStopped(t *testing.T) {
	for name, c := range map[string]struct {
		idle, whole time.Duration
		want        Result
	}{
		"idle":        {idle: 500 * time.Millisecond, want: Result{ExitCode: 143, Signal: "SIGTERM", TimedOut: IdleLimit}},
		"whole":       {whole: 500 * time.Millisecond, want: Result{ExitCode: 143, Signal: "SIGTERM", TimedOut: WholeLimit}},
		"interrupted": {want: Result{ExitCode: 143, Signal: "SIGTERM", Interrupted: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, living := family(t)
			ctx, cancel := context.WithCancel(t.Context())
			command := Shell("kill -STOP $PPID; echo stopped; exec sleep 300", "")
			command.Env, command.Idle, command.Timeout = env, c.idle, c.whole
			command.Output = writerFunc(func(b []byte) (int, error) {
				if c.want.Interrupted {
					cancel()
				}
				return len(b), nil
			})
			res, err := Run(ctx, command)
			cancel()
			if res.Duration = 0; res != c.want || err != nil {
				t.Errorf("got %+v and %v, want %+v", res, err, c.want)
			}
			if left := living(); len(left) > 0 {
				t.Errorf("left over: %q", left)
			}
		})
	}
}

// TestATreeIsEndedWithoutASupervisorThatDoesNotAnswer: somebody holds it with ptrace, so that it cannot be continued.
func TestATreeIsEndedWithoutASupervisorThatDoesNotAnswer(t *testing.T) {
	for name, interrupts := range map[string]bool{"a time-out": false, "an interruption": true} {
		t.Run(name, func(t *testing.T) {
			env, living := family(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			command := Shell(stubborn+"env -i sleep 300 & sleep 300", "")
			command.Env, command.Grace, command.patience = env, 100*time.Millisecond, 300*time.Millisecond
			if !interrupts {
				command.Idle = 2 * time.Second // beyond what it takes to be ready
			}
			held := make(chan error, 1)
			command.Output = writerFunc(func(b []byte) (int, error) {
				if strings.Contains(string(b), "ready") {
					held <- hold(supervisorBelow(t))
					if interrupts {
						cancel()
					}
				}
				return len(b), nil
			})
			res, err := Run(ctx, command)
			if err := <-held; err != nil {
				t.Skipf("a process cannot be held here: %v", err)
			}
			want := Result{ExitCode: 137, Signal: "SIGKILL", TimedOut: IdleLimit}
			if interrupts {
				want.TimedOut, want.Interrupted = NoLimit, true
			}
			if res.Duration = 0; res != want || err != nil {
				t.Errorf("got %+v and %v, want %+v", res, err, want)
			}
			if left := living(); len(left) > 0 {
				t.Errorf("left over: %q", left)
			}
			if left := supervise.FamilyTree()[unix.Getpid()]; len(left) > 0 {
				t.Errorf("children are left over: %v", left)
			}
		})
	}
}

func supervisorBelow(t *testing.T) int {
	children := supervise.FamilyTree()[unix.Getpid()]
	if len(children) != 1 {
		t.Errorf("%d children, want the supervisor alone", len(children))
		return 0
	}
	return children[0]
}

// hold stops the thread of a supervisor that answers, until the process is killed.
func hold(pid int) error {
	held := make(chan error)
	go func() {
		runtime.LockOSThread() // it is let go of when the thread ends
		err := syscall.PtraceAttach(pid)
		if err == nil {
			_, err = syscall.Wait4(pid, nil, syscall.WALL|syscall.WUNTRACED, nil)
		}
		held <- err
		select {}
	}()
	return <-held
}
