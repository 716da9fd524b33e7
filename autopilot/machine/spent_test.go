package machine

import "testing"

func TestPauseIsDueAfterSoManyDispatchesSinceTheLast(t *testing.T) {
	for _, c := range []struct {
		made, at, every int
		want            bool
	}{
		{5, 0, 0, false},
		{0, 0, 1, false},
		{1, 0, 1, true},
		{1, 0, 2, false},
		{2, 0, 2, true},
		{7, 0, 2, true},
		{7, 6, 2, false},
		{8, 6, 2, true},
		{8, 8, 1, false},
	} {
		s := State{Usage: Usage{Dispatches: c.made}, PausedAt: c.at}
		if got := s.PauseDue(c.every); got != c.want {
			t.Errorf("%d made, the last pause at %d, every %d: %t", c.made, c.at, c.every, got)
		}
	}
}
