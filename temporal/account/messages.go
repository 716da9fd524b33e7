package account

import "time"

// Request asks for a lease. To ask again with the same ID renews the lease, or the place in the queue.
type Request struct {
	Session string `json:"session"`
	ID      string `json:"id"`    // of an attempt of a dispatch
	Slots   int    `json:"slots"` // how many leases the account has: the newest value counts, and the least is one
}

// Answer says whether a request has its lease.
type Answer struct {
	Granted      bool          `json:"granted"`
	Expires      time.Time     `json:"expires"`               // of the lease or the place, unless it is renewed
	Place        int           `json:"place,omitempty"`       // in the queue: 1 is next
	LimitedUntil time.Time     `json:"limitedUntil,omitzero"` // in the future: nothing is granted before
	AskAgain     time.Duration `json:"askAgain,omitempty"`    // when a waiter should renew its place
}

// Release ends a lease or a place in the queue.
type Release struct {
	ID           string    `json:"id"`
	LimitedUntil time.Time `json:"limitedUntil,omitzero"` // what the provider said, if it refused the work
}

// Claim is what a dispatch has of an account: a lease, or a place in the queue.
type Claim struct {
	ID      string    `json:"id"`
	Session string    `json:"session"`
	Expires time.Time `json:"expires"`
}
