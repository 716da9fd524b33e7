package cmd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
)

const (
	// mostCuts is how often a simulated run is cut off at most: the third cut of one dispatch spends its attempt.
	mostCuts = 3
	// cutWithin is in how many events of a run it is cut off next.
	cutWithin = 25
	// heldCode is the exit code of a run that another one keeps from working.
	heldCode = 6
	// lockPause is how long such a run is waited for at a time, and mostWaits how often.
	lockPause = 20 * time.Millisecond
	mostWaits = 500
)

// cut is a moment at which a run is stopped, as by Ctrl-C, or killed: then no event of it is recorded any more.
type cut struct {
	event int // how many events were applied
	kill  bool
}

// cutsOf are those that a seed chooses.
func cutsOf(seed uint64) []cut {
	chance := rand.New(rand.NewPCG(seed, 2))
	cuts := make([]cut, chance.IntN(mostCuts+1))
	at := 0
	for i := range cuts {
		at += 1 + chance.IntN(cutWithin)
		cuts[i] = cut{event: at, kill: chance.IntN(2) == 0}
	}
	return cuts
}

// errKilled is what a run that was killed gets for whatever it would still write.
var errKilled = errors.New("the test killed the run here")

// cutter stands before the session's store and ends a run at the moments that its seed chose. The session is resumed each
// time, and every run of it has its own context.
type cutter struct {
	journal.Store
	cuts   []cut
	events int
	end    context.CancelCauseFunc // of the run at hand
	cutOff bool                    // the run at hand
	dead   bool                    // it was killed
	made   []string                // where the runs were cut off
	bad    []string                // runs that were stopped and did not say so
	waits  int                     // for a lock
}

// run is runSimulated, cut off and resumed.
func (c *cutter) run(ctx context.Context, h *console.Host, spec string, recast func(*autopilot.Engine)) error {
	for {
		one, end := context.WithCancelCause(ctx)
		c.end, c.cutOff, c.dead = end, false, false
		err := console.InterruptedBy(one, runSimulated(one, h, spec, func(e *autopilot.Engine) {
			recast(e)
			c.Store = e.Journal.Store
			e.Journal.Store = c
		}))
		code := console.ExitCode(one, err)
		end(nil)
		if c.cutOff && !c.dead && code != 130 && !slices.Contains([]int{0, 3, 4, 5}, code) { // it may come to its end all the same
			c.bad = append(c.bad, fmt.Sprintf("stopped by a signal it ended with exit code %d: %v", code, err))
		}
		if ctx.Err() != nil || !c.cutOff && !c.stillHeld(code) {
			return err
		}
	}
}

// Apply hands the event on, and ends the run where its moment has come.
func (c *cutter) Apply(ev machine.Event) (machine.State, error) {
	if c.dead {
		return c.State(), errKilled
	}
	now, err := c.Store.Apply(ev)
	if err != nil {
		return now, err
	}
	c.events++
	if len(c.cuts) == 0 || c.events < c.cuts[0].event {
		return now, nil
	}
	how := "stopped"
	if c.dead = c.cuts[0].kill; c.dead {
		how = "killed"
	}
	c.cuts, c.cutOff = c.cuts[1:], true
	c.made = append(c.made, fmt.Sprintf("%s in %s", how, now.CurrentState))
	c.end(console.BySignal(os.Interrupt))
	return now, nil
}

// stillHeld waits a moment where the run before was cut off and a process that it began still holds the lock. The next
// command would wait as long, for it sees that the one before is dead; this process is not.
func (c *cutter) stillHeld(code int) bool {
	if code != heldCode || len(c.made) == 0 || c.waits == mostWaits {
		return false
	}
	c.waits++
	time.Sleep(lockPause)
	return true
}
