package cmd

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/form"
	"autopilot/cmd/live"
	"autopilot/cmd/look"
	"autopilot/sessions"
	"autopilot/sessions/storage"
)

type answerOptions struct {
	host *console.Host

	reason, gate, summary string
	phase                 int
	goOn                  bool
}

func newAnswer(h *console.Host) *cobra.Command {
	o := &answerOptions{host: h}
	c := &cobra.Command{
		Use: "answer [SPEC.md] [OPTION]", Short: "Answer the open question of a session",
		Long: "Answers the session's open question. Without OPTION it shows the question: at a terminal as a form, else as text. Give an\n" +
			"option by its name, the beginning of its name, or its number. If exactly one session is open, you can leave out SPEC.md. A\n" +
			"running session takes the answer and continues. If no run is active, --go resumes the session.",
		Example: "  autopilot answer\n  autopilot answer approve\n  autopilot answer docs/spec.md approve --go\n  autopilot answer revise --reason \"split the last task\"",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			spec, option := o.meant(c.Context(), args)
			switch {
			case option != "":
				return runAnswer(c.Context(), o, spec, option)
			case form.Fits(h) && h.OutTerminal:
				return o.asForm(c.Context(), spec)
			}
			return look.Question(c.Context(), h, spec)
		},
	}
	c.Flags().BoolVar(&o.goOn, "go", false, "resume the session afterwards, with the flags of its last run except --pr, --trust, --worktree and --restart")
	c.Flags().StringVar(&o.reason, "reason", "", "give this `TEXT`: why, or what should change (some options need it)")
	c.Flags().StringVar(&o.summary, "summary", "", "with the option done, when you do an agent's work (backend manual): hand in this `TEXT`, what you did")
	c.Flags().StringVar(&o.gate, "gate", "", "answer only if the open question has this `ID`, such as g12")
	c.Flags().IntVar(&o.phase, "phase", 0, "with the option redo: the phase by its position `N`; 1 is the first phase in the spec, whatever its number")
	return c
}

// meant are the session and the option among the arguments: a single one that names no session answers the only open one.
func (o *answerOptions) meant(ctx context.Context, args []string) (spec, option string) {
	switch len(args) {
	case 0:
		return "", ""
	case 2:
		return args[0], args[1]
	}
	if looksLikeSpec(o.host, args[0]) {
		return args[0], ""
	}
	if spec, err := app.Named(ctx, o.host, args[0]); err == nil && spec != args[0] {
		return spec, ""
	}
	return "", args[0]
}

// runAnswer takes the lock and answers; where a live run holds it, the answer goes to its inbox.
func runAnswer(ctx context.Context, o *answerOptions, spec, option string) error {
	answer := machine.Answer{Gate: o.gate, Option: option, Reason: o.reason, Phase: o.phase, Summary: o.summary, By: cmp.Or(o.host.By, "human")}
	w, session, err := app.OpenSession(ctx, o.host, spec)
	if _, ok := errors.AsType[*storage.LockedError](err); ok {
		return o.leave(ctx, w, answer)
	}
	if err != nil {
		return err
	}
	return o.applyAndGo(ctx, w, session, answer)
}

// asForm asks the open question at the terminal, and answers with what the person chose.
func (o *answerOptions) asForm(ctx context.Context, spec string) error {
	w, state, v, err := look.OpenQuestion(ctx, o.host, spec)
	if err != nil {
		return err
	}
	cfg, _, err := app.LoadConfig(o.host, w.Repo.Root(), "", nil)
	if err != nil {
		return err
	}
	answer, err := form.Ask(ctx, form.Options{
		Host: o.host, Look: live.NewLook(o.host, "auto", app.MaskOf(o.host, cfg).Replace),
		Texts: texts(w, func() machine.State { return state }),
	}, v)
	if wish, is := errors.AsType[*form.PlanError](err); is {
		if err := makePlan(ctx, &app.RunFlags{Host: o.host}, w, wish.How); err != nil || !o.goOn {
			return err
		}
		return goOn(ctx, o.host, w)
	}
	if errors.Is(err, halt.ErrStop) {
		return o.host.Say("The question stays open. Answer it later: autopilot answer %s", shell.QuotePath(w.Rel))
	}
	if err != nil {
		return err
	}
	o.gate, o.reason, o.summary, o.phase = answer.Gate, answer.Reason, answer.Summary, answer.Phase
	return runAnswer(ctx, o, w.Spec, answer.Option)
}

func noQuestion(w *app.Workspace) error {
	return console.UsageError("no question is open for %s\nResume it: autopilot %s", w.Rel, shell.QuotePath(w.Rel))
}

// applyAndGo answers, and resumes the session with --go once nothing of it is held any more.
func (o *answerOptions) applyAndGo(ctx context.Context, w *app.Workspace, session *sessions.Session, answer machine.Answer) error {
	err := o.apply(ctx, w, session, answer)
	if err = errors.Join(err, session.Close()); err != nil || !o.goOn {
		return err
	}
	return goOn(ctx, o.host, w)
}

// apply answers without a live run, in the session's own working tree.
func (o *answerOptions) apply(ctx context.Context, w *app.Workspace, session *sessions.Session, answer machine.Answer) error {
	if err := w.OpenTree(ctx, session.State()); err != nil {
		return err
	}
	gate := session.State().Gate
	if gate == nil {
		return noQuestion(w)
	}
	if answer = gate.AsMeant(answer); answer.Option == machine.Stop {
		o.goOn = false
		return o.host.Say("No run is live, and the question stays open. Answer it later: autopilot answer %s", shell.QuotePath(w.Rel))
	}
	run := newRunOptions(o.host)
	run.NonInteractive, run.Quiet = true, true
	cfg, _, err := app.LoadConfig(o.host, w.Repo.Root(), "", nil)
	if err != nil {
		return err
	}
	engine, err := newEngine(ctx, run, w, cfg, session)
	if err != nil {
		return err
	}
	answer.Gate = cmp.Or(answer.Gate, gate.ID)
	if err := engine.Answer(ctx, answer); err != nil {
		return o.refused(ctx, err, session.State(), w)
	}
	if o.goOn {
		return o.host.Say("Answered: %s.", console.Clean(gate.WordOf(answer)))
	}
	return o.host.Say("Answered: %s. Continue with: autopilot %s", console.Clean(gate.WordOf(answer)), shell.QuotePath(w.Rel))
}

// refused shows the question again beside the reason.
func (o *answerOptions) refused(ctx context.Context, err error, s machine.State, w *app.Workspace) error {
	if bad, ok := errors.AsType[*machine.AnswerError](err); ok && s.Gate != nil {
		return console.UsageError("%s\n%sautopilot why %s shows more", bad.Reason, look.Prompt(o.host, w.View(ctx, s), o.host.Columns()), shell.QuotePath(w.Rel))
	}
	return err
}

// patience is how long answer waits for a live run to take it.
const patience = 5 * time.Second

// leave puts the answer into the inbox of a live run and waits for its decision.
func (o *answerOptions) leave(ctx context.Context, w *app.Workspace, answer machine.Answer) error {
	before, _, err := sessions.Read(w.Session, app.SessionOptions(o.host))
	if err != nil {
		return err
	}
	if err := w.NotAnothers(before); err != nil {
		return err
	}
	if before.Gate == nil {
		return console.UsageError("a run is at work, and no question is open. See: autopilot why %s", shell.QuotePath(w.Rel))
	}
	answer = before.Gate.AsMeant(answer)
	// A live run can be stopped, and it is the run that records a wish for which the budget is spent.
	itsGate := o.gate == "" || o.gate == before.Gate.ID
	forTheRun := itsGate && (answer.Option == machine.Stop || before.Gate.IsRefused(answer.Option))
	if _, err := before.Gate.Check(answer); err != nil && !forTheRun {
		return o.refused(ctx, err, before, w)
	}
	answer.Gate = before.Gate.ID
	if err := sessions.PostAnswer(w.Session, answer); err != nil {
		return console.UsageError("%v", err)
	}
	return o.await(ctx, w, *before.Gate, answer)
}

// await looks what becomes of an answer in the inbox. It is taken only once its file is gone: the decision alone may be
// somebody else's. Where the other process ended without a look at it, the answer is taken back and applied here.
func (o *answerOptions) await(ctx context.Context, w *app.Workspace, gate machine.Gate, answer machine.Answer) error {
	deadline := time.After(patience)
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for looks := 0; ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline:
			return errors.Join(o.host.Say("Answer saved. The run hasn't read it yet; it will at its next step."), &console.CodedError{Code: 3})
		case <-ticker.C:
		}
		if why, ok := sessions.Refused(w.Session, gate.ID); ok {
			return console.UsageError("the run refused the answer: %s", why)
		}
		if answer.Option == machine.Stop && !sessions.AnswerWaits(w.Session, gate.ID) {
			return o.host.Say("The run stopped; the question stays open. Continue with: autopilot %s", shell.QuotePath(w.Rel))
		}
		now, _, err := sessions.Read(w.Session, app.SessionOptions(o.host))
		if err == nil && decided(now, answer) {
			if !sessions.AnswerWaits(w.Session, gate.ID) {
				return o.host.Say("Answered: %s. The run continues.", console.Clean(gate.WordOf(answer)))
			}
			if looks++; looks > settling && sessions.WithdrawAnswer(w.Session, gate.ID) {
				return console.UsageError("%s was answered by somebody else meanwhile. See: autopilot why %s", gate.Called(), shell.QuotePath(w.Rel))
			}
			continue
		}
		if session, err := sessions.Open(w.Session, w.SessionOptions(ctx)); err == nil {
			return o.instead(ctx, w, session, gate, answer)
		}
	}
}

// settling is how often a decision is looked at before an answer that still waits is held for another one: a run takes
// the answer out of the inbox just after it has recorded it.
const settling = 10

// instead applies an answer that was left for a process which is gone.
func (o *answerOptions) instead(ctx context.Context, w *app.Workspace, session *sessions.Session, gate machine.Gate, answer machine.Answer) error {
	if !sessions.WithdrawAnswer(w.Session, answer.Gate) && decided(session.State(), answer) {
		defer session.Close()
		return o.host.Say("Answered: %s. The run took it and ended. Continue with: autopilot %s", console.Clean(gate.WordOf(answer)), shell.QuotePath(w.Rel))
	}
	return o.applyAndGo(ctx, w, session, answer)
}

// decided says whether the answer stands among the decisions.
func decided(s machine.State, a machine.Answer) bool {
	return slices.ContainsFunc(s.Decisions, func(d machine.Decision) bool { return d.Gate == a.Gate })
}
