package journal

import (
	"fmt"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// tolerated is by how much the clock may be off without a word: clocks are put right by a little all the time.
const tolerated = time.Minute

// clockSeen is what a run saw of the clock.
type clockSeen struct {
	last   time.Time // with the reading of the clock that only runs while the machine does
	behind bool      // it was said that it was set back
}

// lookAtClock says, before an event is recorded, that the clock was set, or that the machine was suspended.
func (j *Journal) lookAtClock(s machine.State) {
	now := j.Now()
	if behind := s.UpdatedAt.Sub(now.Round(0)); behind > tolerated && !j.run.clock.behind {
		j.run.clock.behind = true
		j.Note("warning", fmt.Sprintf("The clock was set back: it is %s behind the session's last event. The journal goes on from that event's time, "+
			"and budgets count the time that really passes; progress.txt and the commits have the clock's.", words.Elapsed(behind)))
	}
	if last := j.run.clock.last; !last.IsZero() {
		if asleep := now.Round(0).Sub(last.Round(0)) - now.Sub(last); asleep > tolerated {
			j.Note("info", fmt.Sprintf("The machine was suspended, or its clock was set forward, by %s: no budget and no time-out counts that.", words.Elapsed(asleep)))
		}
	}
	j.run.clock.last = now
}
