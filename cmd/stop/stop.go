package stop

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/personas"
	"autopilot/sessions"
)

type options struct {
	host *console.Host
	now  bool
}

// New is the command.
func New(h *console.Host) *cobra.Command {
	o := &options{host: h}
	c := &cobra.Command{
		Use: "stop [SPEC.md]", Short: "Stop a running session; everything is saved",
		Long: "Stops the session's run after its current step, such as an agent run or a check. With --now the step is interrupted, as with\n" +
			"Ctrl-C, and its work is kept. Resume with autopilot SPEC.md.",
		Example: "  autopilot stop docs/spec.md\n  autopilot stop docs/spec.md --now", Args: console.MaySpec,
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), console.First(args)) },
	}
	c.Flags().BoolVar(&o.now, "now", false, "interrupt the current step instead of waiting for its end")
	return c
}

func (o *options) run(ctx context.Context, spec string) error {
	w, err := app.FindSession(ctx, o.host, spec)
	if err != nil {
		return err
	}
	state, _, err := sessions.Read(w.Session, app.SessionOptions(o.host))
	if err == nil {
		err = w.NotAnothers(state)
	}
	if err != nil {
		return w.Missing(err)
	}
	holder, live := sessions.Holder(w.Session)
	if !live {
		return console.UsageError("no run is live on %s\nResume it: autopilot %s", w.Rel, shell.QuotePath(w.Rel))
	}
	if err := sessions.PostWish(w.Session, machine.WishStop, o.host.By); err != nil {
		return err
	}
	if o.now {
		if err := holder.Interrupt(); err != nil {
			return console.UsageError("the run can't be interrupted: %v\nIt stops after its current step. To interrupt it, press Ctrl-C in its terminal", err)
		}
	}
	return o.await(ctx, w, state)
}

// patience is how long stop waits for the run to end.
const patience = 5 * time.Second

// await says whether the run ended, or what it ends after.
func (o *options) await(ctx context.Context, w *app.Workspace, state machine.State) error {
	for begun := o.host.Now(); o.host.Now().Sub(begun) < patience; {
		if _, live := sessions.Holder(w.Session); !live {
			sessions.DropWish(w.Session, machine.WishStop)
			return o.host.Say("Stopped. Everything is saved.\n  Resume: autopilot %s", shell.QuotePath(w.Rel))
		}
		if err := personas.Sleep(ctx, patience/50); err != nil {
			return err
		}
	}
	if o.now {
		return o.host.Say("The run is ending; its work is kept.")
	}
	return o.host.Say("The run stops after its current step (%s).\n  To interrupt it: autopilot stop %s --now", atWork(w, state), shell.QuotePath(w.Rel))
}

// atWork names the step that the run ends after.
func atWork(w *app.Workspace, state machine.State) string {
	if now, err := sessions.ReadNow(w.Session); err == nil && now != nil && len(now.Works) > 0 {
		if first := now.Works[0]; first.Command != "" {
			return console.Clean(first.Command)
		} else if first.Persona != "" {
			return "the " + first.Persona + " is at work"
		}
	}
	return string(state.Step)
}
