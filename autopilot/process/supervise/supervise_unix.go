//go:build unix

package supervise

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// The descriptors of a supervisor beside its three streams, which are those of
// the command.
const (
	controlFD = 3
	reportFD  = 4
	lockFD    = 5
)

// Supervise returns false at once in an ordinary start. In a start by process.Run it
// is the supervisor: it runs the command, ends its tree, and returns true with the
// code to exit with; the caller does nothing else then.
func Supervise() (code int, was bool) {
	secret, marked := os.LookupEnv(Marker)
	if !marked || !isPipe(controlFD) || !isPipe(reportFD) {
		return 0, false
	}
	for fd := controlFD; fd <= lockFD; fd++ {
		syscall.CloseOnExec(fd)
	}
	in := os.NewFile(controlFD, "control")
	req, err := ReadRequest(in)
	if err != nil {
		return 1, true // the caller died before it could say what to run
	}
	if req.Secret != secret {
		return 0, false
	}
	s := newSupervisor(in, os.NewFile(reportFD, "report"))
	if !s.launch(req, [3]uintptr{0, 1, 2}) {
		return 1, true
	}
	// Held open here, they would keep the caller from seeing an end of file.
	for _, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		f.Close()
	}
	s.run()
	return 0, true
}

func isPipe(fd int) bool {
	var st syscall.Stat_t
	return syscall.Fstat(fd, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFIFO
}

// launch starts the command and reports it, or why it could not be started. The
// thread is kept: on Linux the command's death signal hangs on the thread that
// started it.
func (s *supervisor) launch(req Request, files [3]uintptr) bool {
	runtime.LockOSThread()
	signal.Notify(s.signals, syscall.SIGCHLD, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	err := adoptOrphans()
	if err == nil {
		s.group = newGroup(req.Group)
		s.pid, err = s.group.start(req.Path, req.Argv, &syscall.ProcAttr{
			Dir: req.Dir, Env: req.Env, Files: files[:], Sys: commandAttributes(),
		})
	}
	if err != nil {
		s.group.remove()
		var errno syscall.Errno
		errors.As(err, &errno)
		_ = (Report{Failure: err.Error(), Errno: int(errno)}).Write(s.out)
		return false
	}
	s.grace, s.ended = req.Grace, req.Ended
	_ = (Report{Pid: s.pid}).Write(s.out)
	go s.listen()
	return true
}

// listen turns what comes from the caller into orders.
func (s *supervisor) listen() {
	for {
		if ReadStop(s.in) != nil {
			close(s.orphaned)
			return
		}
		s.orders <- struct{}{}
	}
}

func newSupervisor(in io.Reader, out io.Writer) *supervisor {
	return &supervisor{
		in: in, out: out, living: func(command int) []int { return Living(os.Getpid(), command) },
		signals: make(chan os.Signal, 8), orders: make(chan struct{}), orphaned: make(chan struct{}),
		patience: 10 * time.Second,
	}
}
