package worker

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
)

// listener is a server that hears beats.
type listener struct {
	client.Client
	fails func() error // nil: it hears each
	heard []Beat
}

func (l *listener) RecordActivityHeartbeat(ctx context.Context, _ []byte, details ...any) error {
	if err := l.fails(); errors.Is(err, errSilent) {
		<-ctx.Done()
		return ctx.Err()
	} else if err != nil {
		return err
	}
	l.heard = append(l.heard, details[0].(Beat))
	return nil
}

// errSilent has a server say nothing.
var errSilent = errors.New("silent")

// TestAnActOutlastsAServerThatIsAwayForAWhile, and ends before somebody else can have it.
func TestAnActOutlastsAServerThatIsAwayForAWhile(t *testing.T) {
	for name, away := range map[string][]error{
		"refuses connections": {serviceerror.NewUnavailable("refused")},
		"says nothing":        {errSilent},
		"and then nothing":    {serviceerror.NewUnavailable("refused"), errSilent},
		"takes no heartbeat":  {serviceerror.NewPermissionDenied("expired", ""), errSilent},
	} {
		for down, ends := range map[time.Duration]bool{75 * time.Second: false, 10 * time.Minute: true} {
			synctest.Test(t, func(t *testing.T) {
				began, last := time.Now(), time.Now()
				calls := 0
				l := &listener{fails: func() error {
					if at := time.Since(began); at > time.Minute && at < time.Minute+down {
						calls++
						return away[calls%len(away)]
					}
					last = time.Now()
					return nil
				}}
				ctx, off := context.WithCancelCause(t.Context())
				h := &heart{client: l, now: time.Now, lost: 2 * time.Minute, off: off, ask: func(Beat) {}}
				h.say(Beat{})
				go h.beat(t.Context())
				select {
				case <-ctx.Done():
				case <-time.After(5 * time.Minute):
				}
				synctest.Wait()
				if silent := time.Since(last); ends != (ctx.Err() != nil) || ends && (silent < 100*time.Second || silent > 110*time.Second) {
					t.Errorf("a server that %s for %s: after %s, the act ended because %v", name, down, silent, context.Cause(ctx))
				}
			})
		}
	}
}

// TestTheSDKDecidesWhatAnAnswerMeans: the server calls an act off, or gave it to somebody else.
func TestTheSDKDecidesWhatAnAnswerMeans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone, asked := false, 0
		l := &listener{fails: func() error {
			if gone {
				return serviceerror.NewNotFound("it timed out")
			}
			return nil
		}}
		h := &heart{client: l, now: time.Now, lost: time.Hour, ask: func(b Beat) {
			if asked++; b.Line != "b" {
				t.Errorf("it asks with %+v", b)
			}
		}}
		h.say(Beat{Line: "a"})
		go h.beat(t.Context())
		synctest.Wait()
		gone = true
		h.say(Beat{Line: "b"})
		time.Sleep(mostSilent)
		synctest.Wait()
		if len(l.heard) != 1 || l.heard[0].Line != "a" || asked != 1 {
			t.Errorf("the server heard %+v, and the SDK was asked %d times", l.heard, asked)
		}
	})
}
