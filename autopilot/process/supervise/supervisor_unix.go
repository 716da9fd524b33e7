//go:build unix

package supervise

import (
	"io"
	"os"
	"syscall"
	"time"
)

// How often a supervisor that is killing looks for what is still there.
const (
	killPause   = 5 * time.Millisecond
	giveUpPause = time.Second
)

// stage is how far the end of a tree has come.
type stage int

const (
	running stage = iota
	asked         // SIGTERM was sent, the grace runs
	killing       // SIGKILL is sent until nothing is left
	givenUp       // reported with survivors; still killing, and holding the lock
)

// supervisor runs one command and sees to it that nothing of its tree is left.
// All of its state belongs to the goroutine of run.
type supervisor struct {
	in       io.Reader
	out      io.Writer
	living   func(pid int) []int
	signals  chan os.Signal
	orders   chan struct{}
	orphaned chan struct{}
	patience time.Duration // how long to go on killing before the caller is told

	group   group
	pid     int
	grace   time.Duration
	stage   stage
	exited  bool
	stopped bool
	alone   bool   // the caller died
	ended   string // the file that says when the tree ended then
	status  syscall.WaitStatus
	next    <-chan time.Time // when the stage goes on
	giveUp  <-chan time.Time
}

// run returns when nothing of the tree is left.
func (s *supervisor) run() {
	for {
		childless := s.reap()
		if s.exited && childless && len(s.rest()) == 0 {
			s.group.remove()
			s.finish(nil)
			if s.alone && s.ended != "" {
				MarkEnded(s.ended)
			}
			return
		}
		if s.exited && s.stage == running {
			s.ask()
		}
		s.await()
	}
}

func (s *supervisor) await() {
	select {
	case sig := <-s.signals:
		if sig != syscall.SIGCHLD {
			s.stop()
		}
	case <-s.orders:
		s.stop()
	case <-s.orphaned:
		// Nobody is there to be kind to, and the next run waits for the lock.
		s.orphaned, s.alone = nil, true
		s.stopped = !s.exited
		s.kill()
	case <-s.next:
		s.kill()
	case <-s.giveUp:
		s.giveUp = nil
		s.finish(s.living(s.pid))
		s.stage = givenUp
	}
}

func (s *supervisor) stop() {
	if s.stage == running && !s.exited {
		s.stopped = true
		s.ask()
	}
}

// ask continues what is stopped as well: a stopped process keeps SIGTERM for later.
func (s *supervisor) ask() {
	s.stage = asked
	s.signal(syscall.SIGTERM)
	s.signal(syscall.SIGCONT)
	s.next = time.After(s.grace)
}

func (s *supervisor) kill() {
	if s.stage < killing {
		s.stage = killing
		s.giveUp = time.After(s.patience)
	}
	s.group.kill()
	s.signal(syscall.SIGKILL)
	pause := killPause
	if s.stage == givenUp {
		pause = giveUpPause
	}
	s.next = time.After(pause)
}

func (s *supervisor) signal(sig syscall.Signal) {
	for _, pid := range s.living(s.pid) {
		_ = syscall.Kill(pid, sig)
	}
}

// reap takes leave of every child that ended, the command's orphans too, and
// tells whether none is left.
func (s *supervisor) reap() (childless bool) {
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return true
		case pid == 0:
			return false
		case pid == s.pid:
			s.exited, s.status = true, ws
		}
	}
}

// rest is what may live on although no child is left: nothing where orphans
// come to the supervisor.
func (s *supervisor) rest() []int {
	if adoptsOrphans {
		return nil
	}
	return s.living(s.pid)
}

func (s *supervisor) finish(left []int) {
	if s.stage == givenUp {
		return
	}
	r := Report{Done: true, Code: -1, Stopped: s.stopped, Left: left}
	if s.exited {
		r.Code = s.status.ExitStatus()
	}
	if s.exited && s.status.Signaled() {
		r.Code, r.Signal = 128+int(s.status.Signal()), s.status.Signal()
	}
	// Nobody takes the report: the caller died, which a supervisor that was stopped meanwhile may not have seen yet.
	s.alone = r.Write(s.out) != nil || s.alone
}
