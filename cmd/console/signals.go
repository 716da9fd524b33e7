package console

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"autopilot/autopilot/halt"
)

type signalled struct{ signal os.Signal }

// BySignal is the cause of a context that a signal cancelled.
func BySignal(s os.Signal) error { return &signalled{s} }

func (s *signalled) Error() string { return "stopped by " + s.signal.String() }

// Listener waits for signals once it is told to. To have them costs the start of a thread and several changes to it and
// back, a twentieth of what a command takes that only prints something: such a command is ended by the system.
type Listener struct {
	heard  chan os.Signal
	cancel context.CancelCauseFunc
}

// UntilSignal gives a context that the first Ctrl-C, SIGTERM or closed terminal cancels, so that the child is stopped and
// everything saved, and the listener that has to be told when that begins.
func UntilSignal(parent context.Context) (context.Context, *Listener) {
	ctx, cancel := context.WithCancelCause(parent)
	return ctx, &Listener{cancel: cancel}
}

// Begin listens from now on. The second signal ends the program at once. A reader of the output that goes away ends
// nothing: the write fails, and the run goes on.
func (l *Listener) Begin() {
	l.heard = make(chan os.Signal, 2)
	signal.Notify(l.heard, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants it ignored
		signal.Notify(l.heard, syscall.SIGHUP)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		s, ok := <-l.heard
		if !ok {
			return
		}
		l.cancel(BySignal(s))
		if s, ok = <-l.heard; ok {
			os.Exit(SignalCode(s))
		}
	}()
}

// Stop listens no longer, and ends the context.
func (l *Listener) Stop() {
	if l.heard != nil {
		signal.Stop(l.heard)
		close(l.heard)
	}
	l.cancel(nil)
}

// SignalCode is the exit code of a program that a signal ended.
func SignalCode(s os.Signal) int {
	switch s {
	case syscall.SIGTERM:
		return 143
	case syscall.SIGHUP:
		return 129
	}
	return 130
}

// SignalOf says by which signal the context was cancelled.
func SignalOf(ctx context.Context) (os.Signal, bool) {
	if s, ok := errors.AsType[*signalled](context.Cause(ctx)); ok {
		return s.signal, true
	}
	return nil, false
}

// InterruptedBy is how a command ended: one that says no more than that its context did was interrupted by the signal.
func InterruptedBy(ctx context.Context, err error) error {
	if _, was := SignalOf(ctx); was && errors.Is(err, context.Canceled) {
		return &halt.InterruptedError{Cause: err}
	}
	return err
}
