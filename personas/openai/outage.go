package openai

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

const (
	// soonestLook is the shortest pause before a server that is out of order is asked again, longestLook the longest: what
	// comes back in the night is to be found before the morning.
	soonestLook = time.Minute
	longestLook = 30 * time.Minute
)

// outage is since when a server has been out of order, whoever asked it.
type outage struct {
	mu    sync.Mutex
	since time.Time
}

// look is how long to leave the server alone: as long again as it has been out of order.
func (o *outage) look(now time.Time) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = now
	}
	return min(max(now.Sub(o.since), soonestLook), longestLook)
}

// over says that the server answered.
func (o *outage) over() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.since = time.Time{}
}

// lost says whether a request came to no answer because of the network, or of a server that is gone. A certificate that is
// not trusted or an address that is wrong does not pass by waiting.
func lost(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || Unreached(err) != ""
}
