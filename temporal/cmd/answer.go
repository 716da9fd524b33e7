package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/temporal/flow"
)

func newAnswer(f *fleet) *cobra.Command {
	var a machine.Answer
	c := &cobra.Command{
		Use: "answer SPEC.md OPTION", Short: "Answer the open question of a session",
		Long:    "Answers the session's open question, which status shows. A wrong answer is refused at once, and changes nothing.",
		Example: "  autopilot-temporal answer docs/spec.md approve\n  autopilot-temporal answer docs/spec.md revise --reason \"split the last task\"",
		Args:    console.Takes(2, "a spec and an option, which status shows"),
		RunE: func(c *cobra.Command, args []string) error {
			a.Option, a.By = args[1], "human"
			return withSession(c.Context(), f, args[0], func(r *remote) error { return r.answer(c.Context(), f, a) })
		},
	}
	c.Flags().StringVar(&a.Reason, "reason", "", "give this `TEXT`: why, or what should change (some options need it)")
	c.Flags().StringVar(&a.Summary, "summary", "", "with the option done, when you do an agent's work (backend manual): hand in this `TEXT`, what you did")
	c.Flags().StringVar(&a.Gate, "gate", "", "answer only if the open question has this `ID`, such as g12")
	c.Flags().IntVar(&a.Phase, "phase", 0, "with the option redo: the phase by its position `N`")
	return c
}

// answer answers the question that is open now.
func (r *remote) answer(ctx context.Context, f *fleet, a machine.Answer) error {
	s, err := r.state(ctx)
	if err != nil {
		return err
	}
	if s.Gate == nil {
		return console.UsageError("the session of %s has no open question\n  see where it is: autopilot-temporal status %s", r.spec, r.spec)
	}
	if o, is := s.Gate.Meant(a.Option); is && o.Effect == machine.EffectStop {
		return console.UsageError("stop is no answer: the question stays open\n  stop the session: autopilot-temporal stop %s", r.spec)
	}
	if a.Gate == "" {
		a.Gate = s.Gate.ID
	}
	if err := r.update(ctx, f, flow.AnswerUpdate, a); err != nil {
		return err
	}
	return f.Say("Answered: %s", a.Option)
}

func newNote(f *fleet) *cobra.Command {
	return &cobra.Command{
		Use: "note SPEC.md TEXT", Short: "Send a note to the next agent run", Example: "  autopilot-temporal note docs/spec.md \"keep the old flag\"", Args: console.Takes(2, "a spec and a text"),
		RunE: func(c *cobra.Command, args []string) error {
			return withSession(c.Context(), f, args[0], func(r *remote) error {
				if err := r.update(c.Context(), f, flow.NoteUpdate, machine.Event{Type: machine.Noted, Detail: args[1]}); err != nil {
					return err
				}
				return f.Say("Saved. The next agent run gets this note.")
			})
		},
	}
}

func newStop(f *fleet) *cobra.Command {
	now := false
	c := &cobra.Command{
		Use: "stop SPEC.md", Short: "Stop a session when its running steps end", Example: "  autopilot-temporal stop docs/spec.md\n  autopilot-temporal stop docs/spec.md --now", Args: console.OneSpec,
		Long: "Stops a session on the Temporal server: the steps at work end, and everything is saved. To continue it, check out its branch and fetch it.\nThen run autopilot here, or submit it with --from-session.",
		RunE: func(c *cobra.Command, args []string) error {
			return withSession(c.Context(), f, args[0], func(r *remote) error {
				if err := r.SignalWorkflow(c.Context(), r.id, "", flow.StopSignal, now); err != nil {
					return r.explain(err)
				}
				return f.Say("Stopping. Wait until this shows Completed: autopilot-temporal status %s\n  then get it here: autopilot-temporal fetch %s", r.spec, r.spec)
			})
		},
	}
	c.Flags().BoolVar(&now, "now", false, "also stop the steps at work; what agents did so far is saved")
	return c
}

// withSession connects to a session that a person names.
func withSession(ctx context.Context, f *fleet, spec string, do func(*remote) error) error {
	r, err := f.open(ctx, spec)
	if err != nil {
		return err
	}
	defer r.Close()
	return do(r)
}
