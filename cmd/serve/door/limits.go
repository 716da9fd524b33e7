package door

import (
	"math"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// What all who come get together: a server is for a few people with their tabs and scripts.
const (
	MostConnections = 512 // open at once; the others wait
	mostStreams     = 300 // of events
)

// Limits keep one who asks too much from taking the server from the others.
type Limits struct {
	now                             func() time.Time
	changes, invitations, strangers *rate.Limiter
	streams                         chan struct{} // as many as are open
}

// NewLimits are the limits of a server.
func NewLimits(now func() time.Time) *Limits {
	return &Limits{
		now:         now,
		changes:     rate.NewLimiter(2, 30),
		invitations: rate.NewLimiter(rate.Every(3*time.Second), 20), // right ones count too: who guesses learns nothing from being let in late
		strangers:   rate.NewLimiter(5, 60),
		streams:     make(chan struct{}, mostStreams),
	}
}

// Guard answers what is too much before anything is read of it; a door decides about the rest.
func (l *Limits) Guard(d *Door, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		known := d.isKnown(r)
		switch {
		case !known && r.URL.Path == "/enter":
			if l.tooMany(w, r, d, l.invitations, "Too many addresses were tried.") {
				return
			}
		case !known:
			w.Header().Set("Connection", "close") // it would be one of those that others wait for
			if l.tooMany(w, r, d, l.strangers, "Too many requests came from somebody who was not let in. Open the address that autopilot serve printed.") {
				return
			}
		case r.Method != http.MethodGet && r.Method != http.MethodHead && l.tooMany(w, r, d, l.changes, "Too much was sent at once. Nothing was changed by this request."):
			return
		}
		if r.ContentLength > MostSent {
			d.pages.Refused(w, r, http.StatusRequestEntityTooLarge, "This is more than the 64 KiB that can be sent.")
			return
		}
		if known && r.URL.Path == "/api/v1/events" {
			select {
			case l.streams <- struct{}{}:
				defer func() { <-l.streams }()
			default:
				w.Header().Set("Retry-After", "15")
				d.pages.Refused(w, r, http.StatusServiceUnavailable, "Too many pages follow a session already: "+strconv.Itoa(cap(l.streams))+". Close some of them.")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// tooMany counts a request, and answers one that is beyond what may come.
func (l *Limits) tooMany(w http.ResponseWriter, r *http.Request, d *Door, of *rate.Limiter, why string) bool {
	now := l.now()
	turn := of.ReserveN(now, 1)
	wait := turn.DelayFrom(now)
	if wait <= 0 {
		return false
	}
	turn.CancelAt(now)
	seconds := strconv.Itoa(int(math.Ceil(wait.Seconds())))
	w.Header().Set("Retry-After", seconds)
	d.pages.Refused(w, r, http.StatusTooManyRequests, why+" Try again in "+seconds+" s.")
	return true
}

// Bounded is a listener of which no more than so many connections are open at once. netutil of x/net has one whose connections can't
// be closed for writing alone, which a client needs that is still sending while it is refused.
type Bounded struct {
	net.Listener

	open  chan struct{} // as many as there are
	over  chan struct{}
	close func() error
}

// Bound has a listener take no more than so many connections at once.
func Bound(l net.Listener, most int) *Bounded {
	over := make(chan struct{})
	return &Bounded{l, make(chan struct{}, most), over, sync.OnceValue(func() error {
		close(over)
		return l.Close()
	})}
}

// Accept waits for room, and then for a connection.
func (b *Bounded) Accept() (net.Conn, error) {
	select {
	case b.open <- struct{}{}:
	case <-b.over:
		return nil, net.ErrClosed
	}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.open
		return nil, err
	}
	return &counted{c, sync.OnceFunc(func() { <-b.open })}, nil
}

// Close ends the listener, and whoever waits for room.
func (b *Bounded) Close() error { return b.close() }

// counted is a connection that makes room for another when it ends.
type counted struct {
	net.Conn

	ends func()
}

func (c *counted) Close() error {
	defer c.ends()
	return c.Conn.Close()
}

func (c *counted) CloseWrite() error {
	if half, can := c.Conn.(interface{ CloseWrite() error }); can {
		return half.CloseWrite()
	}
	return nil
}
