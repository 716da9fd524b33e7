package agent

import (
	"context"
	"fmt"
	"sync"
	"time"

	"autopilot/personas"
)

// limitError is the cause of a context that a limit ended.
type limitError struct {
	what  string
	after time.Duration
}

func (e *limitError) Error() string {
	return fmt.Sprintf("the dispatch was ended by its time limit: %s for %s", e.what, e.after)
}

// limits end a dispatch that takes too long, in all or without a sign of life.
type limits struct {
	idle   time.Duration
	mu     sync.Mutex
	timers []*time.Timer
	quiet  *time.Timer
	cancel context.CancelCauseFunc
}

// watch returns a context that is cancelled at a limit. A beat (a turn's piece,
// a command's output) starts the idle time anew.
func watch(ctx context.Context, idle, whole time.Duration) (context.Context, *limits) {
	ctx, cancel := context.WithCancelCause(ctx)
	l := &limits{idle: idle, cancel: cancel}
	if whole > 0 {
		l.timers = append(l.timers, time.AfterFunc(whole, func() { cancel(&limitError{"it ran", whole}) }))
	}
	if idle > 0 {
		l.quiet = time.AfterFunc(idle, func() { cancel(&limitError{"nothing was heard of it", idle}) })
		l.timers = append(l.timers, l.quiet)
	}
	return personas.WithBeat(ctx, l.beat), l
}

func (l *limits) beat() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.quiet != nil && l.quiet.Stop() {
		l.quiet.Reset(l.idle)
	}
}

// pause keeps the idle time from running out until the function is called that
// it returns. The limit of the whole dispatch stays.
func (l *limits) pause() (resume func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	paused := l.quiet != nil && l.quiet.Stop()
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if paused {
			l.quiet.Reset(l.idle)
		}
	}
}

func (l *limits) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.timers {
		t.Stop()
	}
	l.cancel(nil)
}
