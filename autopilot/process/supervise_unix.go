//go:build unix

package process

import (
	"encoding/gob"
	"errors"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The descriptors of a supervisor beside its three streams, which are those of
// the command.
const (
	controlFD = 3
	reportFD  = 4
	lockFD    = 5
)

// Supervise must be the first call in main and in TestMain. In an ordinary start
// it returns false at once. In a start by Run it is the supervisor: it runs the
// command, ends its tree, and returns true with the code to exit with; the
// caller does nothing else then.
func Supervise() (code int, was bool) {
	supervisable.Store(true)
	secret, marked := os.LookupEnv(marker)
	if !marked || !isPipe(controlFD) || !isPipe(reportFD) {
		return 0, false
	}
	for fd := controlFD; fd <= lockFD; fd++ {
		unix.CloseOnExec(fd)
	}
	in := gob.NewDecoder(os.NewFile(controlFD, "control"))
	var req request
	if in.Decode(&req) != nil {
		return 1, true // the caller died before it could say what to run
	}
	if req.Secret != secret {
		return 0, false
	}
	s := newSupervisor(in, gob.NewEncoder(os.NewFile(reportFD, "report")))
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
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFIFO
}

// launch starts the command and reports it, or why it could not be started. The
// thread is kept: on Linux the command's death signal hangs on the thread that
// started it.
func (s *supervisor) launch(req request, files [3]uintptr) bool {
	runtime.LockOSThread()
	signal.Notify(s.signals, syscall.SIGCHLD, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	err := adoptOrphans()
	if err == nil {
		s.pid, err = syscall.ForkExec(req.Path, req.Argv, &syscall.ProcAttr{
			Dir: req.Dir, Env: req.Env, Files: files[:], Sys: commandAttributes(),
		})
	}
	if err != nil {
		var errno syscall.Errno
		errors.As(err, &errno)
		_ = s.out.Encode(report{Failure: err.Error(), Errno: int(errno)})
		return false
	}
	s.grace, s.ended = req.Grace, req.Ended
	_ = s.out.Encode(report{Pid: s.pid})
	go s.listen()
	return true
}

// listen turns what comes from the caller into orders.
func (s *supervisor) listen() {
	for {
		var o order
		if s.in.Decode(&o) != nil {
			close(s.orphaned)
			return
		}
		s.orders <- o
	}
}

func newSupervisor(in *gob.Decoder, out *gob.Encoder) *supervisor {
	return &supervisor{
		in: in, out: out, living: living,
		signals: make(chan os.Signal, 8), orders: make(chan order), orphaned: make(chan struct{}),
		patience: 10 * time.Second,
	}
}
