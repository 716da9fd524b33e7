package account

import (
	"errors"
	"time"

	"go.temporal.io/sdk/workflow"
)

// The ways into an account's workflow.
const (
	TakeUpdate = "take" // with a Request; returns an Answer at once
	GiveUpdate = "give" // with a Release
)

// longest is how many events a history may have before the workflow goes on as a new run. A request adds about five, and the
// server allows 2,000 updates in a run.
const longest = 5_000

// idle is how long the workflow stays open when nobody needs the account.
const idle = time.Hour

// keeper is one run of the workflow.
type keeper struct {
	book Book
	used time.Time // longer ago than idle: each claim has expired
}

// WorkflowID is the ID of an account's workflow.
func WorkflowID(account string) string { return "account/" + account }

// Account is the workflow of an account. It starts with an empty Book, and ends after an hour in which nobody used the account.
func Account(ctx workflow.Context, book Book) error {
	k := &keeper{book, workflow.Now(ctx)}
	if err := k.handle(ctx); err != nil {
		return err
	}
	for k.left(ctx) > 0 && !isFull(ctx) {
		if _, err := workflow.AwaitWithTimeout(ctx, k.left(ctx), func() bool { return isFull(ctx) }); err != nil {
			return err
		}
	}
	if err := workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
		return err
	}
	if k.left(ctx) > 0 { // full, or used while it was about to end
		return workflow.NewContinueAsNewError(ctx, Account, k.book)
	}
	return nil
}

// handle answers requests. No handler waits for anything.
func (k *keeper) handle(ctx workflow.Context) error {
	take := func(ctx workflow.Context, r Request) (Answer, error) {
		k.used = workflow.Now(ctx)
		return k.book.Take(k.used, r), nil
	}
	give := func(ctx workflow.Context, r Release) error {
		k.used = workflow.Now(ctx)
		k.book.Limit(r.LimitedUntil) // first: it counts for the lease that becomes free
		k.book.Give(k.used, r.ID)
		return nil
	}
	return errors.Join(workflow.SetUpdateHandler(ctx, TakeUpdate, take), workflow.SetUpdateHandler(ctx, GiveUpdate, give))
}

// left is how long the account stays open if nobody asks.
func (k *keeper) left(ctx workflow.Context) time.Duration {
	now := workflow.Now(ctx)
	return max(k.used.Sub(now), k.book.LimitedUntil.Sub(now)) + idle
}

func isFull(ctx workflow.Context) bool {
	info := workflow.GetInfo(ctx)
	return info.GetContinueAsNewSuggested() || info.GetCurrentHistoryLength() > longest
}
