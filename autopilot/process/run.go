package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// drainPause is how long output may stay silent, once the tree is gone, before
// Run stops waiting for an end of file that a stranger is holding back.
const drainPause = time.Second

// stuckPause is how long a supervisor may take to end a tree, beyond the grace.
// One that takes longer was perhaps stopped by what it watches: the tree is then
// ended without it.
const stuckPause = 5 * time.Second

// ending is what the platform's code knows about a tree that is gone.
type ending struct {
	code    int
	signal  string
	stopped bool  // the order to stop came while the command still ran
	left    []int // processes that could not be ended
	err     error
}

// Run runs c and returns once nothing of its tree is left and its output has
// been handed over. The error is a *StartError when the command never ran, in
// which case the result means nothing; any other error comes with a result: the
// output could not be written, or something of the tree could not be ended.
// A cancelled context is no error but Result.Interrupted.
func Run(ctx context.Context, c Command) (Result, error) {
	if ctx.Err() != nil {
		return Result{Interrupted: true}, nil
	}
	path, err := locate(c)
	if err != nil {
		return Result{}, c.startError(err)
	}
	s, err := openStreams(c)
	if err != nil {
		return Result{}, err
	}
	defer s.close()
	elapsed := Stopwatch()
	t, err := start(c, path, s.theirs)
	s.given()
	if err != nil {
		return Result{ExitCode: -1}, err
	}
	if c.Stdin != nil {
		go feed(s.in, c.Stdin)
	}
	p := newPump(s.out, c.Output)
	apart := p.beside(s.errors, c.Errors)
	res, err := watch(ctx, c, t, p)
	res.Duration = elapsed()
	return res, errors.Join(err, p.drain(drainPause), apart.drain(drainPause))
}

// watch waits for the tree's end and orders it when a limit or ctx asks so. The
// limits are kept here and not by the supervisor, which the command could stop.
func watch(ctx context.Context, c Command, t *tree, p *pump) (Result, error) {
	var res Result
	whole, stopWhole := timer(c.Timeout)
	defer stopWhole()
	idle := p.silence(c.Idle)
	cancelled := ctx.Done()
	var stuck <-chan time.Time
	stop := func() {
		t.stop()
		whole, idle, cancelled = nil, nil, nil
		stuck = time.After(c.answer())
	}
	for {
		select {
		case <-cancelled:
			res.Interrupted = true
			stop()
		case <-whole:
			res.TimedOut = WholeLimit
			stop()
		case <-idle:
			res.TimedOut = IdleLimit
			stop()
		case <-stuck:
			t.kill()
		case e := <-t.ended:
			if !e.stopped {
				res.Interrupted, res.TimedOut = false, NoLimit
			}
			res.ExitCode, res.Signal = e.code, e.signal
			return res, e.problem()
		}
	}
}

func (e ending) problem() error {
	if e.err == nil && len(e.left) > 0 {
		return fmt.Errorf("processes %v could not be ended; end them by hand before going on", e.left)
	}
	return e.err
}

// feed ends quietly when the command does not read on: that is its right.
func feed(w *os.File, r io.Reader) {
	_, _ = io.Copy(w, r)
	w.Close()
}

func timer(d time.Duration) (<-chan time.Time, func()) {
	if d <= 0 {
		return nil, func() {}
	}
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// Stopwatch measures with the monotonic reading that a timer delivers, since
// the wall clock belongs to the callers.
func Stopwatch() func() time.Duration {
	start := <-time.After(0)
	return func() time.Duration { return time.Since(start) }
}

// supervisable is set by Supervise: without that call in main the second start
// of the program would be a whole run of its own, which would start a third.
var supervisable atomic.Bool

var errNotSupervisable = errors.New("process.Run needs process.Supervise to be called first in main (in tests: in TestMain)")
