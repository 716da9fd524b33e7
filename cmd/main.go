// Package cmd is the command line: one file a command, wire.go puts the pieces together, exit.go makes exit codes of
// errors, terminal.go talks to a person.
package cmd

import (
	"context"

	"autopilot/autopilot/process"
)

// Main runs the program with its arguments and returns its exit code. The stories of the tests call it as well.
func Main(args []string, h Host) int {
	if code, was := process.Supervise(); was {
		return code
	}
	ctx, signals := untilSignal(context.Background())
	defer signals.stop()
	h.Out, h.Err = guard(h.Out), guard(h.Err)
	h.args = args
	h.takeTrust()
	out := h.Out
	root := newRoot(&h)
	root.SetArgs(append([]string{}, args...)) // without a slice cobra would take those of the process
	root.SetIn(h.In)
	root.SetOut(h.Out)
	root.SetErr(h.Err)
	h.endsInJSON(root, args)
	command := named(root, args)
	err := interruptedBy(ctx, execute(ctx, signals, root, command))
	if err == nil && tells(command) {
		err = lost(out)
	}
	if h.final != nil {
		h.final(exitCode(ctx, err), err)
	} else {
		h.explain(err)
	}
	return exitCode(ctx, err)
}
