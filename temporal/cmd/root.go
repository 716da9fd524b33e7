// Package cmd is the command line of autopilot-temporal: one file a command.
package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"autopilot/autopilot/process"
	"autopilot/cmd/console"
)

// Main runs the program with its arguments and returns its exit code, as autopilot has them.
func Main(args []string, h console.Host) int {
	if code, was := process.Supervise(); was {
		return code
	}
	h.TakeTrust()
	ctx, signals := console.UntilSignal(context.Background())
	defer signals.Stop()
	h.Program, h.Out, h.Err, h.Args = "autopilot-temporal", console.Guard(h.Out), console.Guard(h.Err), args
	root := newRoot(&h)
	root.PersistentPreRun = func(*cobra.Command, []string) { signals.Begin() }
	root.SetArgs(append([]string{}, args...))
	root.SetIn(h.In)
	root.SetOut(h.Out)
	root.SetErr(h.Err)
	err := console.InterruptedBy(ctx, root.ExecuteContext(ctx))
	h.Explain(err)
	return console.ExitCode(ctx, err)
}

func newRoot(h *console.Host) *cobra.Command {
	f := &fleet{Host: h}
	root := &cobra.Command{
		Use: "autopilot-temporal", Short: "Run autopilot's sessions on several machines, with Temporal",
		Long: `Runs sessions of autopilot as Temporal workflows: submit one from your clone, and workers on any number of machines run its
steps. A git remote that all of them reach stores the files. The same session can go back to one machine at any time.

The address of the Temporal server, TLS and API keys are read as Temporal's own CLI reads them: from its configuration file,
with --profile, or from TEMPORAL_ADDRESS and the like.`,
		Example: `  autopilot-temporal worker --repository git@example.com:acme/shop.git
  autopilot-temporal submit docs/spec.md
  autopilot-temporal status docs/spec.md
  autopilot-temporal answer docs/spec.md approve`,
		SilenceErrors: true, SilenceUsage: true,
	}
	root.PersistentFlags().StringVar(&f.profile, "profile", "", "use the profile `NAME` of Temporal's configuration file")
	root.PersistentFlags().StringVar(&f.keyFile, "keys", "", "encrypt what Temporal keeps with the keys in `FILE` (default: $TEMPORAL_AUTOPILOT_KEYS)")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return console.UsageError("%v\nSee: %s --help", err, c.CommandPath())
	})
	root.AddCommand(newWorker(f), newSubmit(f), newStatus(f), newList(f), newAnswer(f), newNote(f), newStop(f), newFetch(f), newDoctor(f), newCodec(f))
	return root
}
