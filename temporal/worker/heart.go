package worker

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"

	"autopilot/temporal/account"
)

// heart tells the server of an act while a worker is busy with it: a clone of a large repository, an agent and a slow hub take longer than
// a silent worker is waited for. It calls the act off where the server does, and where the server was not heard of for so long that somebody
// else may have the act by now: with the SDK's own heartbeat, an agent goes on for as long as the server is away.
type heart struct {
	client client.Client
	now    func() time.Time
	token  []byte
	lost   time.Duration // after so long without the server, the act is somebody else's
	off    context.CancelCauseFunc
	ask    func(Beat) // asks the server once more, by the SDK, which calls the act off as the answer says

	mu   sync.Mutex
	says func() Beat
}

// alive has a heart beat until stop is called, also while what was cut off is saved. It says what the last heartbeat said, so that a tree
// that only that one names is not lost.
func (w *Worker) alive(ctx context.Context, off context.CancelCauseFunc) (h *heart, stop func()) {
	info := activity.GetInfo(ctx)
	h = &heart{
		client: w.Client, now: w.Host.Now, token: info.TaskToken, lost: cmp.Or(info.HeartbeatTimeout, time.Hour), off: off,
		ask: func(b Beat) {
			if ctx.Err() == nil { // it was not called off yet
				activity.RecordHeartbeat(ctx, b)
			}
		},
	}
	h.say(lastBeat(ctx))
	beating, end := context.WithCancel(context.WithoutCancel(ctx))
	var beats sync.WaitGroup
	beats.Go(func() { h.beat(beating) })
	return h, func() { end(); beats.Wait() }
}

// mostSilent is how long the server hears nothing from a worker at most.
const mostSilent = 15 * time.Second

// beat beats until the context ends.
func (h *heart) beat(ctx context.Context) {
	every := min(mostSilent, h.lost/3)
	tick := time.NewTicker(every)
	defer tick.Stop()
	longest := h.lost - every // before somebody else can have it
	silent := time.AfterFunc(longest, func() { h.off(fmt.Errorf("the Temporal server took no heartbeat for %s", longest)) })
	defer silent.Stop()
	for {
		b, sent := h.beats(), h.now()
		err := h.tell(ctx, b, every)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			silent.Reset(longest - h.now().Sub(sent))
		case !account.Away(err):
			h.ask(b)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// tell sends the server a beat.
func (h *heart) tell(ctx context.Context, b Beat, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return h.client.RecordActivityHeartbeat(ctx, h.token, b)
}

func (h *heart) beats() Beat {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.says()
}

// say has each beat say the same, until the next call of say or sayAs.
func (h *heart) say(b Beat) { h.sayAs(func() Beat { return b }) }

// sayAs has each beat say what a function says. Once it returns, the one before is not called any more.
func (h *heart) sayAs(says func() Beat) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.says = says
}
