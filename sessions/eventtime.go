package sessions

import (
	"time"
)

// goesOn is the time of an event for what the clock says now, and for how long nobody ran since the one before.
func (s *Session) goesOn(now time.Time) (at time.Time, asleep float64) {
	var ran time.Duration
	if s.asked = now; !s.last.IsZero() {
		ran = now.Sub(s.last)
		asleep = slept(now.Round(0).Sub(s.last.Round(0)), ran)
	}
	if now = now.Round(0); now.Before(s.state.UpdatedAt) { // the clock was set back
		return s.state.UpdatedAt.Add(max(0, ran)), asleep
	}
	return now, asleep
}

// slept is by how many whole seconds the clock on the wall went further than the one that only runs while the machine does.
func slept(wall, ran time.Duration) float64 {
	return max(0, (wall - ran).Truncate(time.Second).Seconds())
}
