package account

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
)

// desk is an account in memory. Its network can fail.
type desk struct {
	mu    sync.Mutex
	book  Book
	broke error
	hangs bool
	given []Release
}

func (d *desk) Take(ctx context.Context, _ string, r Request) (Answer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hangs {
		d.mu.Unlock()
		<-ctx.Done()
		d.mu.Lock()
		return Answer{}, ctx.Err()
	}
	if d.broke != nil {
		return Answer{}, d.broke
	}
	return d.book.Take(time.Now(), r), nil
}

// after changes the desk later.
func (d *desk) after(wait time.Duration, change func(*desk)) {
	time.AfterFunc(wait, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		change(d)
	})
}

func (d *desk) Give(ctx context.Context, _ string, r Release) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.given = append(d.given, r)
	d.book.Limit(r.LimitedUntil)
	d.book.Give(time.Now(), r.ID)
	return nil
}

func lease(d *desk, id string) Lease {
	return Lease{Accounts: d, Account: "work", Request: Request{Session: id, ID: id, Slots: 1}}
}

// lasts is work of a duration.
func lasts(d time.Duration) Work {
	return func(ctx context.Context) (time.Time, error) {
		select {
		case <-ctx.Done():
			return time.Time{}, ctx.Err()
		case <-time.After(d):
			return time.Time{}, nil
		}
	}
}

// TestTwoDispatchesShareOneLease: each works for longer than a lease lasts, and the second tells that it waits.
func TestTwoDispatchesShareOneLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, began := &desk{}, time.Now()
		first := make(chan error)
		go func() { first <- lease(d, "one").Hold(t.Context(), lasts(10*time.Minute)) }()
		synctest.Wait()
		second, waited := lease(d, "two"), []Answer{}
		second.OnWait = func(a Answer) { waited = append(waited, a) }
		var started time.Duration
		err := second.Hold(t.Context(), func(ctx context.Context) (time.Time, error) {
			started = time.Since(began)
			return lasts(5 * time.Minute)(ctx)
		})
		if err != nil || <-first != nil {
			t.Errorf("they end with %v", err)
		}
		if started < 10*time.Minute || started > 10*time.Minute+AskAfter {
			t.Errorf("the second starts after %v", started)
		}
		if len(waited) < 120 || waited[0].Place != 1 || waited[0].Granted {
			t.Errorf("it tells %d times that it waits, first %+v", len(waited), waited[:1])
		}
		if len(d.given) != 2 || len(d.book.Held) > 0 {
			t.Errorf("given %v, held %v", d.given, d.book.Held)
		}
	})
}

// TestALostLeaseEndsTheWork before another dispatch can get it.
func TestALostLeaseEndsTheWork(t *testing.T) {
	for name, c := range map[string]struct {
		cut  func(*desk)
		want string
	}{
		"the network fails": {func(d *desk) { d.broke = errors.New("no route") }, "no route"},
		"calls hang":        {func(d *desk) { d.hangs = true }, "deadline"},
		"the account forgot it": {func(d *desk) {
			d.book = Book{}
			d.book.Take(time.Now(), Request{"other", "other", 1})
		}, "no other is free"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &desk{}
				d.after(61*time.Second, c.cut) // the last renewal is at 60 s
				began := time.Now()
				err := lease(d, "one").Hold(t.Context(), lasts(time.Hour))
				lost, is := errors.AsType[*LostError](err)
				if !is || lost.Account != "work" || !strings.Contains(err.Error(), c.want) {
					t.Errorf("it ends with %v", err)
				}
				if took := time.Since(began); took > time.Minute+LeaseFor {
					t.Errorf("it ends after %v", took)
				}
				if len(d.given) != 1 || len(d.book.Waiting()) > 0 {
					t.Errorf("given %v, waiting %v", d.given, d.book.Waiting())
				}
			})
		})
	}
}

func TestAShortCutOfTheNetworkIsNoLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{}
		d.after(61*time.Second, func(d *desk) { d.hangs = true })
		d.after(125*time.Second, func(d *desk) { d.hangs = false })
		if err := lease(d, "one").Hold(t.Context(), lasts(time.Hour)); err != nil {
			t.Error(err)
		}
	})
}

// TestWorkThatSucceedsCounts although its lease was lost.
func TestWorkThatSucceedsCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{}
		d.after(time.Second, func(d *desk) { d.broke = errors.New("no route") })
		err := lease(d, "one").Hold(t.Context(), func(ctx context.Context) (time.Time, error) {
			<-ctx.Done()
			return time.Time{}, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestALimitReachesTheAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, until, refused := &desk{}, time.Now().Add(3*time.Hour), errors.New("limit reached")
		err := lease(d, "one").Hold(t.Context(), func(context.Context) (time.Time, error) { return until, refused })
		if !errors.Is(err, refused) || !d.book.LimitedUntil.Equal(until) {
			t.Errorf("%v, limited until %v", err, d.book.LimitedUntil)
		}
		err = lease(d, "two").Hold(t.Context(), lasts(0))
		if limit, is := errors.AsType[*LimitedError](err); !is || !limit.Until.Equal(until) || len(d.book.Waiting()) > 0 {
			t.Errorf("it does not leave the wait to others: %v, waiting %v", err, d.book.Waiting())
		}
		time.Sleep(time.Until(until) - AskWithin/2) // the end is near
		if err = lease(d, "two").Hold(t.Context(), lasts(0)); err != nil || time.Now().Before(until) {
			t.Errorf("it ends at %v with %v", time.Now(), err)
		}
	})
}

func TestACancelledWaiterGivesItsPlaceBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{}
		d.book.Take(time.Now(), Request{"other", "other", 1})
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
		defer cancel()
		if err := lease(d, "one").Hold(ctx, lasts(0)); !errors.Is(err, context.DeadlineExceeded) || len(d.book.Waiting()) > 0 {
			t.Errorf("%v, waiting %v", err, d.book.Waiting())
		}
	})
}

// TestAWaiterOutlastsAServerThatIsAway: its place in the queue lasts for a while, and to begin anew takes an attempt.
func TestAWaiterOutlastsAServerThatIsAway(t *testing.T) {
	refuses := func(err error) func(*desk) { return func(d *desk) { d.broke = err } }
	for name, c := range map[string]struct {
		cut   func(*desk)
		fails bool
	}{
		"calls hang":            {cut: func(d *desk) { d.hangs = true }},
		"nobody is there":       {cut: refuses(serviceerror.NewUnavailable("away"))},
		"a call takes too long": {cut: refuses(client.NewWorkflowUpdateServiceTimeoutOrCanceledError(context.DeadlineExceeded))},
		"it has too much to do": {cut: refuses(serviceerror.NewResourceExhausted(enums.RESOURCE_EXHAUSTED_CAUSE_BUSY_WORKFLOW, "later"))},
		"it refuses":            {cut: refuses(serviceerror.NewPermissionDenied("no", "")), fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, began, told := &desk{}, time.Now(), time.Now()
				d.book.Take(time.Now(), Request{"other", "other", 1})
				d.after(12*time.Second, c.cut)
				d.after(20*time.Second, func(d *desk) { d.book.Take(time.Now(), Request{"late", "late", 1}) })
				d.after(29*time.Second, func(d *desk) { d.hangs, d.broke = false, nil })
				d.after(42*time.Second, func(d *desk) { d.book.Give(time.Now(), "other") })
				l := lease(d, "one")
				l.OnWait = func(Answer) {
					if silent := time.Since(told); silent > callFor+AskAfter {
						t.Errorf("nobody hears of it for %v", silent)
					}
					told = time.Now()
				}
				if err := l.Hold(t.Context(), lasts(0)); (err != nil) != c.fails || time.Since(began) > 42*time.Second+AskAfter || len(d.given) != 1 {
					t.Errorf("it ends after %v with %v, and gave back %v", time.Since(began), err, d.given)
				}
			})
		})
	}
}

func TestAPanicGivesTheLeaseBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{}
		defer func() {
			if recover() == nil || len(d.given) != 1 {
				t.Errorf("given %v", d.given)
			}
		}()
		_ = lease(d, "one").Hold(t.Context(), func(context.Context) (time.Time, error) { panic("no") })
	})
}
