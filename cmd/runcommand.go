package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/form"
	"autopilot/sessions"
)

func newRun(h *console.Host) *cobra.Command {
	c, _ := runCommand(h)
	return c
}

// runCommand is the command with what its flags set.
func runCommand(h *console.Host) (*cobra.Command, *runOptions) {
	o := newRunOptions(h)
	c := &cobra.Command{
		Use: "run SPEC.md", Short: "Run a spec, or resume its session (the same as autopilot SPEC.md)",
		Example: "  autopilot run docs/spec.md\n  autopilot run docs/spec.md --fast --review-plans\n  autopilot run docs/spec.md --non-interactive --json",
		Args:    console.OneSpec, SuggestFor: []string{"start", "resume", "continue", "retry", "restart"},
		RunE: func(c *cobra.Command, args []string) error { return runHere(c.Context(), o, args) },
	}
	o.flags(c)
	return c, o
}

// runSimulated is a run in which a simulation plays everybody.
func runSimulated(ctx context.Context, h *console.Host, spec string, recast func(*autopilot.Engine)) error {
	o := newRunOptions(h)
	o.recast = recast
	o.flags(&cobra.Command{})
	o.yes = true
	return runRun(ctx, o, []string{spec})
}

// runDrafted is a run with the flags of a draft.
func runDrafted(ctx context.Context, flags *app.RunFlags, spec string) error {
	return runHere(ctx, &runOptions{RunFlags: flags}, []string{spec})
}

// runHere is a run at a person's terminal. Where they leave its question to make the plan, that is done, and the run resumed.
func runHere(ctx context.Context, o *runOptions, args []string) error {
	err := runRun(ctx, o, args)
	if o.wish == "" || ctx.Err() != nil {
		return err
	}
	w, err := app.FindSession(ctx, o.Host, args[0])
	if err != nil {
		return err
	}
	if err := makePlan(ctx, o.RunFlags, w, o.wish); ctx.Err() != nil {
		return err
	} else if err != nil {
		o.Host.Explain(err) // and the question is asked again
	}
	return goOn(ctx, o.Host, w)
}

// makePlan makes a plan by form.EditPlan or form.DraftPlan; a draft is edited, too.
func makePlan(ctx context.Context, flags *app.RunFlags, w *app.Workspace, how string) error {
	run := newRunOptions(flags.Host)
	run.BackendFlags((&cobra.Command{}).Flags(), "")
	run.NonInteractive, run.Backend, run.Model, run.Replay, run.ConfigFile = true, flags.Backend, flags.Model, flags.Replay, flags.ConfigFile
	if how == form.DraftPlan {
		if err := runPlan(ctx, &planOptions{host: flags.Host, draft: true, run: run}, w.Spec); err != nil {
			return err
		}
	}
	return runPlan(ctx, &planOptions{host: flags.Host, edit: true, run: run}, w.Spec)
}

// goOn is autopilot SPEC with the flags of the session's last run.
func goOn(ctx context.Context, h *console.Host, w *app.Workspace) error {
	last, err := sessions.LastRun(w.Session)
	if err != nil {
		return err
	}
	fmt.Fprintf(h.Err, "Resuming: autopilot %s\n", strings.Join(append([]string{shell.QuotePath(w.Rel)}, last.Flags...), " "))
	run, opts := runCommand(h)
	if err := run.ParseFlags(last.Flags); err != nil {
		return console.UsageError("the flags of the last run can't be used again: %v\nResume it: autopilot %s", err, shell.QuotePath(w.Rel))
	}
	return runHere(ctx, opts, []string{w.Spec})
}
