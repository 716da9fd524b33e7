package budget

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestOutageIsWaitedOutAsLongAsALimitMayBe: all looks at a server that is out of order are one wait.
func TestOutageIsWaitedOutAsLongAsALimitMayBe(t *testing.T) {
	const pause = 20 * time.Minute
	for name, c := range map[string]struct {
		limit   LimitError
		longest time.Duration
		waits   int
	}{
		"an outage":                            {LimitError{Down: true}, 6 * time.Hour, 18},
		"a shorter wish":                       {LimitError{Down: true}, time.Hour, 3},
		"no wish":                              {LimitError{Down: true}, 0, 0},
		"in the middle of a dispatch":          {LimitError{Down: true, Begun: true}, 6 * time.Hour, 3},
		"a limit that never ends as it says":   {LimitError{}, 6 * time.Hour, 3},
		"a limit that is longer than wished":   {LimitError{}, 10 * time.Minute, 0},
		"an outage longer than wished at once": {LimitError{Down: true}, 10 * time.Minute, 0},
	} {
		now, said := time.Unix(0, 0), []string{}
		p := Patience{Now: func() time.Time { return now }, Longest: c.longest, Say: func(text string, _ *LimitError) { said = append(said, text) }, Sleep: func(_ context.Context, d time.Duration) error {
			now = now.Add(d)
			return nil
		}}
		for range 2 { // progress begins it anew
			waits := 0
			for again := true; again; waits++ {
				limit := c.limit
				limit.What, limit.Until = "backend b is out of order: come back soon.\nmore", now.Add(pause)
				var err error
				if again, err = p.Wait(t.Context(), &limit); !again && !errors.Is(err, &limit) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if waits-1 != c.waits {
				t.Errorf("%s: it waited %d times, want %d", name, waits-1, c.waits)
			}
			p.Progress()
		}
		for _, n := range said {
			if !strings.HasPrefix(n, "backend b is out of order: come back soon. Waiting until ") || strings.Contains(n, "..") {
				t.Errorf("%s: it says %s", name, n)
			}
		}
	}
}

func TestALimitIsNotWaitedForLongerWhereTheClockIsSetBack(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var slept time.Duration
	p := Patience{Now: func() time.Time { return now }, Say: func(string, *LimitError) {}, Longest: time.Hour, Sleep: func(_ context.Context, d time.Duration) error {
		if slept == 0 {
			now = now.Add(-24 * time.Hour)
		}
		slept += d
		now = now.Add(d)
		return nil
	}}
	again, err := p.Wait(t.Context(), &LimitError{Until: now.Add(30 * time.Minute), What: "a limit"})
	if !again || err != nil || slept != 30*time.Minute {
		t.Errorf("slept %s, again %t, error %v", slept, again, err)
	}
}
