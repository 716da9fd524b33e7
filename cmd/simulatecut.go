package cmd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/personas/chaos"
)

const (
	// mostCuts is how often the run of a mix is cut off at most: the third cut of one dispatch spends its attempt.
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

// cutsOf are those of the runs of a mix. A run about one behaviour is left alone, so that its line tells of that.
func cutsOf(profile chaos.Profile, seed uint64) []cut {
	if profile.Alone {
		return nil
	}
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
var errKilled = errors.New("the simulation killed the run here")

// cutter ends a run at the moments that its seed chose. Every run of a session has its own context.
type cutter struct {
	cuts   []cut
	events int
	end    context.CancelCauseFunc // of the run at hand
	cutOff bool                    // the run at hand
	dead   bool                    // it was killed
	made   []string                // where the runs were cut off
	waits  int                     // for a lock
}

// next is the context of the next run of the session.
func (c *cutter) next(parent context.Context) (context.Context, func()) {
	ctx, end := context.WithCancelCause(parent)
	c.end, c.cutOff, c.dead = end, false, false
	return ctx, func() { end(nil) }
}

// applied ends the run where its moment has come.
func (c *cutter) applied(now machine.State) {
	c.events++
	if len(c.cuts) == 0 || c.events < c.cuts[0].event {
		return
	}
	how := "stopped"
	if c.dead = c.cuts[0].kill; c.dead {
		how = "killed"
	}
	c.cuts, c.cutOff = c.cuts[1:], true
	c.made = append(c.made, fmt.Sprintf("%s in %s", how, now.CurrentState))
	c.end(console.BySignal(os.Interrupt))
}

// stillHeld waits a moment where the run before was cut off and a process that it began still holds the lock. The next
// command would wait as long, for it sees that the one before is dead; this process is not.
func (c *cutter) stillHeld(ctx context.Context, code int) bool {
	if code != heldCode || len(c.made) == 0 || c.waits == mostWaits {
		return false
	}
	c.waits++
	select {
	case <-ctx.Done():
	case <-time.After(lockPause):
	}
	return ctx.Err() == nil
}

// badlyCut says what a run did wrong that was cut off: one that is stopped says so, if it did not come to its end all the
// same. Of one that is killed nothing is asked but what the next one finds.
func (c *cutter) badlyCut(code int, text string) string {
	if !c.cutOff || c.dead || code == 130 || slices.Contains(goodEnds, code) {
		return ""
	}
	return fmt.Sprintf("stopped by a signal it ended with exit code %d: %s", code, text)
}
