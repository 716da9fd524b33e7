package limits

import (
	"sync"
	"time"
)

const (
	// soonestLook is the shortest pause before a server that is out of order is asked again, longestLook the longest: what
	// comes back in the night is to be found before the morning.
	soonestLook = time.Minute
	longestLook = 30 * time.Minute
)

// Lookout knows since when a server has been out of order, whoever asked it.
type Lookout struct {
	mu    sync.Mutex
	since time.Time
}

// Pause is how long to leave the server alone: as long again as it has been out of order.
func (l *Lookout) Pause(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.since.IsZero() {
		l.since = now
	}
	return min(max(now.Sub(l.since), soonestLook), longestLook)
}

// Answered says that the server is there.
func (l *Lookout) Answered() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.since = time.Time{}
}
