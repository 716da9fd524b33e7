// Package cmd is the command line: one file a command; wire.go puts the pieces together.
package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"autopilot/autopilot/process"
	"autopilot/cmd/console"
)

// Main runs the program with its arguments and returns its exit code. The stories of the tests call it as well.
func Main(args []string, h console.Host) int {
	if code, was := process.Supervise(); was {
		return code
	}
	ctx, signals := console.UntilSignal(context.Background())
	defer signals.Stop()
	guard := console.Guard
	if h.Getenv("GITHUB_ACTIONS") == "true" {
		guard = console.GuardActions
	}
	h.Out, h.Err = guard(h.Out), guard(h.Err)
	h.Args = args
	h.TakeTrust()
	out := h.Out
	root := newLine(&h, args)
	h.EndsInJSON(root, args)
	command := named(root, args)
	err := console.InterruptedBy(ctx, execute(ctx, signals, root, command))
	if tells(command) {
		err = console.Lost(out, err)
	}
	if h.Final != nil {
		h.Final(console.ExitCode(ctx, err), err)
	} else {
		h.Explain(err)
	}
	return console.ExitCode(ctx, err)
}

// newLine is a command line that is ready to run.
func newLine(h *console.Host, args []string) *cobra.Command {
	root := newRoot(h)
	root.SetArgs(append([]string{}, args...)) // without a slice cobra would take those of the process
	root.SetIn(h.In)
	root.SetOut(h.Out)
	root.SetErr(h.Err)
	return root
}

// runLine runs a command line on behalf of another command.
func runLine(ctx context.Context, h *console.Host, args []string) error {
	return newLine(h, args).ExecuteContext(ctx)
}
