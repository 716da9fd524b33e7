package command

import (
	"sync"
	"time"

	"autopilot/autopilot/process"
)

// linger is how long a program may stay after the event that ends its turn. The known ones leave within a second or two;
// one that does not would hold the reply back until a time limit ends it.
const linger = 5 * time.Second

// lingering ends a program that stays after the event that ended its turn.
type lingering struct {
	grace time.Duration
	end   func() // ends the program and all that it started

	mu    sync.Mutex
	timer *time.Timer // nil: the turn goes on
}

// turn says whether the turn is over. A turn that begins in the grace gets a whole one at its own end.
func (l *lingering) turn(over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	if over {
		l.timer = time.AfterFunc(l.grace, l.end)
	}
}

// over says whether the program told that its turn is over.
func (r *ran) over() bool { return r.said != nil && r.said.dialect.final && r.said.ended }

// settle takes a program that had to be ended after its turn for one that ended by itself. stopped says that the whole
// dispatch was stopped from outside, which stays so.
func (r *ran) settle(stopped bool) {
	made := r.result.Interrupted || r.result.TimedOut != process.NoLimit
	if stopped || !made || !r.over() {
		return
	}
	r.result = process.Result{Duration: r.result.Duration}
	if r.said.broken() {
		r.result.ExitCode = 1
	}
}
