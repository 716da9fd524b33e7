package cmd

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/halt"
	"autopilot/cmd/console"
)

// readOnlyCommands change nothing and start no program of their own: whatever they are at, there is nothing
// to save.
var readOnlyCommands = []string{
	"autopilot config", "autopilot graph", "autopilot lint", "autopilot list", "autopilot state show", "autopilot status", "autopilot version",
	"autopilot why",
}

// outputCommands are further commands whose output is all that they are for.
var outputCommands = []string{"autopilot audit", "autopilot diff", "autopilot learnings list", "autopilot log", "autopilot report", "autopilot tasks list", "autopilot tasks status", "autopilot watch"}

// tells says whether a command has failed where its output is lost. A run has not: it goes on without a reader.
func tells(command string) bool {
	return slices.Contains(readOnlyCommands, command) || slices.Contains(outputCommands, command)
}

// named is the command that the arguments name, in full; "" where they name none.
func named(root *cobra.Command, args []string) string {
	c, _, err := root.Find(args)
	if err != nil {
		return ""
	}
	return c.CommandPath()
}

// atOnce is how long a command that only looks is left to the system, which ends it at a signal without a word.
const atOnce = 20 * time.Millisecond

// execute runs the command that root's arguments name, and listens to signals before one begins that does something. One
// that only looks ends at the first signal, also in the middle of a long document or of a write that nobody takes.
func execute(ctx context.Context, signals *console.Listener, root *cobra.Command, command string) error {
	if !slices.Contains(readOnlyCommands, command) {
		root.PersistentPreRun = func(*cobra.Command, []string) { signals.Begin() } // not where it only prints help
		return root.ExecuteContext(ctx)
	}
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(atOnce):
		signals.Begin()
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return &console.CodedError{Code: console.ExitCode(ctx, &halt.InterruptedError{}), Err: errors.New("stopped; nothing was changed")}
	}
}
