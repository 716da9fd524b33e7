package account

import "time"

// How long claims last, and how often waiters ask. A lease survives a short loss of the network.
const (
	LeaseFor  = 2 * time.Minute
	PlaceFor  = 30 * time.Second // from when its waiter should have asked again
	AskAfter  = 5 * time.Second  // the least
	AskWithin = time.Minute      // the most
)

// Book is who holds and who waits for the leases of an account. It has no clock: callers pass the time. Claims expire when the
// book is next used, so nothing has to wake it.
type Book struct {
	Slots        int       `json:"slots"`
	Held         []Claim   `json:"held,omitempty"`
	Queues       []Queue   `json:"queues,omitempty"` // in the order of their turns
	LimitedUntil time.Time `json:"limitedUntil,omitzero"`
}

// Take grants a lease if one is free and it is the request's turn, or gives it a place in the queue.
func (b *Book) Take(now time.Time, r Request) Answer {
	b.Slots = max(1, r.Slots)
	b.expire(now)
	if c, _ := b.find(r.ID); c == nil {
		b.enqueue(Claim{ID: r.ID, Session: r.Session})
	}
	b.grant(now)
	return b.renew(now, r.ID)
}

// Give ends the claim of an ID and grants what became free. An unknown ID is no error: its claim may have expired.
func (b *Book) Give(now time.Time, id string) {
	b.expire(now)
	b.drop(func(c Claim) bool { return c.ID == id })
	b.grant(now)
}

// Limit grants nothing before a time. The latest limit counts, since dispatches report theirs in any order.
func (b *Book) Limit(until time.Time) {
	if until.After(b.LimitedUntil) {
		b.LimitedUntil = until
	}
}

// grant gives each session that waits one turn, then moves it to the end. Until its holder asks again, a lease expires as its
// place in the queue would have: the holder may be dead.
func (b *Book) grant(now time.Time) {
	for len(b.Held) < b.Slots && len(b.Queues) > 0 && !now.Before(b.LimitedUntil) {
		q := b.Queues[0]
		b.Held, b.Queues = append(b.Held, q.Claims[0]), b.Queues[1:]
		if q.Claims = q.Claims[1:]; len(q.Claims) > 0 {
			b.Queues = append(b.Queues, q)
		}
	}
}

// renew renews a claim that is in the book.
func (b *Book) renew(now time.Time, id string) Answer {
	c, place := b.find(id)
	a := Answer{Granted: place == 0, Place: place, LimitedUntil: b.LimitedUntil, Expires: now.Add(LeaseFor)}
	if !a.Granted {
		a.AskAgain = b.askAgain(now, place)
		a.Expires = now.Add(a.AskAgain + PlaceFor)
	}
	c.Expires = a.Expires
	return a
}

// askAgain grows with the time until the turn: each request adds events to the workflow's history.
func (b *Book) askAgain(now time.Time, place int) time.Duration {
	rounds := time.Duration(place / b.Slots)
	return min(max(AskAfter, rounds*AskAfter, b.LimitedUntil.Sub(now)), AskWithin)
}
