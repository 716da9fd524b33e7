package account

import (
	"slices"
	"time"
)

// Queue is the waiters of one session, first come first served.
type Queue struct {
	Session string  `json:"session"`
	Claims  []Claim `json:"claims"`
}

// Waiting is the waiters in the order in which they get leases. The claims are those of the book, not copies.
func (b *Book) Waiting() []*Claim {
	var all []*Claim
	for round, before := 0, -1; before < len(all); round++ {
		before = len(all)
		for _, q := range b.Queues {
			if round < len(q.Claims) {
				all = append(all, &q.Claims[round])
			}
		}
	}
	return all
}

// enqueue puts a claim behind those of its session, and a session that didn't wait behind the others.
func (b *Book) enqueue(c Claim) {
	at := slices.IndexFunc(b.Queues, func(q Queue) bool { return q.Session == c.Session })
	if at < 0 {
		b.Queues = append(b.Queues, Queue{c.Session, []Claim{c}})
		return
	}
	b.Queues[at].Claims = append(b.Queues[at].Claims, c)
}

// find returns the claim of an ID, or nil, and its place in the queue: 0 is a lease.
func (b *Book) find(id string) (c *Claim, place int) {
	if at := slices.IndexFunc(b.Held, func(c Claim) bool { return c.ID == id }); at >= 0 {
		return &b.Held[at], 0
	}
	for i, c := range b.Waiting() {
		if c.ID == id {
			return c, i + 1
		}
	}
	return nil, 0
}

// expire drops the claims that were not renewed in time.
func (b *Book) expire(now time.Time) {
	b.drop(func(c Claim) bool { return !now.Before(c.Expires) })
}

// drop removes claims. A session without waiters loses its turn.
func (b *Book) drop(gone func(Claim) bool) {
	b.Held = slices.DeleteFunc(b.Held, gone)
	for i := range b.Queues {
		b.Queues[i].Claims = slices.DeleteFunc(b.Queues[i].Claims, gone)
	}
	b.Queues = slices.DeleteFunc(b.Queues, func(q Queue) bool { return len(q.Claims) == 0 })
}
