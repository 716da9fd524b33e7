// Package cmd is the command line: one file a command, wire.go puts the pieces together, exit.go makes exit codes of
// errors, terminal.go talks to a person.
package cmd

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"autopilot/autopilot"
	"autopilot/autopilot/process"
)

// Main runs the program with its arguments and returns its exit code. The stories of the tests call it as well.
func Main(args []string, h Host) int {
	if code, was := process.Supervise(); was {
		return code
	}
	spareCollections()
	ctx, stop := untilSignal(context.Background())
	defer stop()
	h.Out, h.Err = guard(h.Out), guard(h.Err)
	root := newRoot(&h)
	root.SetArgs(args)
	root.SetIn(h.In)
	root.SetOut(h.Out)
	root.SetErr(h.Err)
	h.endsInJSON(root, args)
	err := interruptedBy(ctx, execute(ctx, root, args))
	if h.final != nil {
		h.final(exitCode(ctx, err), err)
	} else {
		h.explain(err)
	}
	return exitCode(ctx, err)
}

// interruptedBy is how a command ended: one that says no more than that its context did was interrupted by the signal.
func interruptedBy(ctx context.Context, err error) error {
	if _, was := signalOf(ctx); was && errors.Is(err, context.Canceled) {
		return &autopilot.InterruptedError{Cause: err}
	}
	return err
}

// spareCollections has the memory in use grow to four times what is needed, and not to twice, before garbage is collected.
// That is little memory, and short commands end before the first time. Who sets GOGC knows better.
func spareCollections() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
}

// signalled is the cause of a context that a signal cancelled.
type signalled struct{ signal os.Signal }

func (s *signalled) Error() string { return "stopped by " + s.signal.String() }

// untilSignal cancels the context at the first Ctrl-C, SIGTERM or closed terminal, so that the child is stopped and
// everything saved; the second ends the program at once. A reader of the output that goes away ends nothing: the write
// fails, and the run goes on.
func untilSignal(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants it ignored
		signal.Notify(heard, syscall.SIGHUP)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		s, ok := <-heard
		if !ok {
			return
		}
		cancel(&signalled{s})
		if s, ok = <-heard; ok {
			os.Exit(signalCode(s))
		}
	}()
	return ctx, func() { signal.Stop(heard); close(heard); cancel(nil) }
}

func signalCode(s os.Signal) int {
	switch s {
	case syscall.SIGTERM:
		return 143
	case syscall.SIGHUP:
		return 129
	}
	return 130
}

// signalOf says by which signal the context was cancelled.
func signalOf(ctx context.Context) (os.Signal, bool) {
	var s *signalled
	if errors.As(context.Cause(ctx), &s) {
		return s.signal, true
	}
	return nil, false
}
