package account

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Times of a holder. It stops its work before another dispatch can get the lease: a call may begin and end callFor late.
const (
	renewAfter = 30 * time.Second
	callFor    = 10 * time.Second
	lostAfter  = LeaseFor - 2*callFor
)

// Accounts hands out leases, as a Client does.
type Accounts interface {
	Take(ctx context.Context, account string, r Request) (Answer, error)
	Give(ctx context.Context, account string, r Release) error
}

// Lease is the lease that a dispatch needs while it works.
type Lease struct {
	Accounts Accounts
	Account  string
	Request
	OnWait func(Answer) // called at least every AskAfter while it waits; may be nil
}

// LostError is a lease that ended before its work.
type LostError struct {
	Account string
	Reason  error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("lost the lease of account %q: %v", e.Account, e.Reason)
}

// LimitedError says that the provider limited the account: nothing is granted before.
type LimitedError struct {
	Account string
	Until   time.Time
}

func (e *LimitedError) Error() string {
	return fmt.Sprintf("the account %s is limited until %s", e.Account, e.Until.Format(time.RFC3339))
}

// Work is what a dispatch does with its lease. It returns until when the provider limited the account, or zero.
type Work func(ctx context.Context) (limitedUntil time.Time, err error)

// Hold waits for the lease, does the work and gives the lease back. If the lease is lost, the work's context ends with a *LostError,
// which Hold returns unless the work succeeded. It does not wait for the end of a limit: that is a *LimitedError. An error while waiting,
// unless the server is away, gives the place in the queue back: the next attempt has another ID.
func (l Lease) Hold(ctx context.Context, work Work) error {
	if err := l.wait(ctx); err != nil {
		l.give(ctx, time.Time{})
		return err
	}
	return l.do(ctx, work)
}

// do does the work and renews the lease meanwhile.
func (l Lease) do(ctx context.Context, work Work) error {
	held, end := context.WithCancelCause(ctx)
	var limitedUntil time.Time
	var renewals sync.WaitGroup
	renewals.Go(func() { end(l.renew(held)) })
	defer func() { // after a panic too: the worker survives it, and must not go on renewing
		end(nil)
		renewals.Wait()
		l.give(ctx, limitedUntil)
	}()
	limitedUntil, err := work(held)
	if lost, is := errors.AsType[*LostError](context.Cause(held)); is && err != nil {
		return lost
	}
	return err
}

// wait asks until the lease is granted, also while the server is away: the place in the queue lasts for a while.
func (l Lease) wait(ctx context.Context) error {
	var place int
	for {
		a, err := l.take(ctx)
		switch {
		case Away(err) && ctx.Err() == nil:
			a = Answer{Place: place, AskAgain: AskAfter}
		case err != nil || a.Granted:
			return err
		case time.Until(a.LimitedUntil) > AskWithin:
			return &LimitedError{l.Account, a.LimitedUntil}
		}
		place = a.Place
		for waited := time.Duration(0); waited < a.AskAgain; waited += AskAfter {
			if l.OnWait != nil {
				l.OnWait(a)
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(min(AskAfter, a.AskAgain-waited)):
			}
		}
	}
}

// renew keeps the lease until the context ends, or returns why it is lost.
func (l Lease) renew(ctx context.Context) error {
	last := errors.New("it expired")
	tick, lost := time.NewTicker(renewAfter), time.NewTimer(lostAfter)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-lost.C:
			return &LostError{l.Account, fmt.Errorf("not renewed for %s: %w", lostAfter, last)}
		case <-tick.C:
		}
		a, err := l.take(ctx)
		switch {
		case err != nil:
			last = err
		case !a.Granted:
			return &LostError{l.Account, errors.New("it expired, and no other is free")}
		default:
			lost.Reset(lostAfter)
		}
	}
}

func (l Lease) take(ctx context.Context) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callFor)
	defer cancel()
	return l.Accounts.Take(ctx, l.Account, l.Request)
}

// give gives the lease back, even after ctx ended. Its error is no reason to fail the work: the lease expires, and the next
// dispatch meets the limit again.
func (l Lease) give(ctx context.Context, limitedUntil time.Time) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callFor)
	defer cancel()
	_ = l.Accounts.Give(ctx, l.Account, Release{ID: l.ID, LimitedUntil: limitedUntil})
}
