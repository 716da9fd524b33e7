package cmd

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"autopilot/autopilot/gates"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/diff"
	"autopilot/cmd/live"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// shower shows a run until it ends.
type shower interface {
	journal.Reporter
	Begin(ctx context.Context)
	End()
}

// reporter shows a run: for programs with --json, else for people.
func (o *runOptions) reporter(w *app.Workspace, cfg *config.Config, session *sessions.Session) (journal.Reporter, error) {
	if o.JSON {
		report := console.NewJSONReport(o.Host, func() string { return session.State().SessionSlug })
		o.Host.Final = func(code int, err error) {
			state := session.State()
			report.Write(console.FinalObject(&state, code, err))
		}
		return report, nil
	}
	if shown, accessible := o.shown.Live(o.Host); shown && !o.Quiet {
		l, err := o.liveView(w, cfg, session, accessible)
		if err == nil {
			o.view, o.shower = l, l
		}
		return l, err
	}
	lines := console.NewPlainReport(o.Host, o.Quiet, o.Verbose, &o.Prompt)
	o.shower = live.NewPlain(o.Host, lines, func() view.Session { return view.Of(w.Facts(session.State(), nil)) })
	return o.shower, nil
}

// liveView is the view of this run at the person's terminal.
func (o *runOptions) liveView(w *app.Workspace, cfg *config.Config, session *sessions.Session, accessible bool) (*live.Live, error) {
	f, _, err := live.Follow(w.Session, app.SessionOptions(o.Host), func(s machine.State) view.Facts {
		facts := w.Facts(s, nil)
		if most := cfg.Limits.MaxCostUSD; most > 0 {
			facts.Budgets = []view.Budget{{Name: "cost", Used: s.Usage.CostUSD, Of: most}}
		}
		return facts
	})
	if err != nil {
		return nil, err
	}
	l := live.New(live.Options{
		Host: o.Host, Look: live.NewLook(o.Host, o.shown.Color, app.MaskOf(o.Host, cfg).Replace), Prompt: &o.Prompt,
		Region: true, Accessible: accessible, Verbose: o.Verbose, Actions: o.keys(w, session),
		Session: func(time.Time) (view.Session, []view.Line, bool) {
			s, lines, err := f.Look()
			return s, lines, err == nil
		},
	})
	l.Header()
	return l, nil
}

// keys are what a person can do in the view of a run; without a keyboard nothing.
func (o *runOptions) keys(w *app.Workspace, session *sessions.Session) live.Actions {
	if !o.Host.Terminal {
		return live.Actions{}
	}
	return live.Actions{
		Pause: func() error { return sessions.PostWish(w.Session, machine.WishPause, "human") },
		Note:  func(text string) error { return sessions.PostNote(w.Session, sessions.Note{Text: text}, o.Host.Now()) },
		Stop:  func() { o.stop(console.BySignal(os.Interrupt)) },
		Open: map[rune]func(context.Context) error{
			'd': func(ctx context.Context) error { return o.diff(ctx, w, session.State()) },
			'l': func(ctx context.Context) error {
				return o.page(ctx, w, "tail", "-n", "2000", filepath.Join(w.Session, "progress.txt"))
			},
			'v': func(ctx context.Context) error { return o.page(ctx, w, "cat", planPath(session.State())) },
		},
	}
}

// diff shows what the current task changed so far; between two tasks, what the session did.
func (o *runOptions) diff(ctx context.Context, w *app.Workspace, s machine.State) error {
	shown, err := diff.Of(ctx, w, s, "", s.CurrentTask)
	if err != nil {
		return err
	}
	return shown.Show(ctx, o.Host, false)
}

// planPath is where the plan of the current phase lies.
func planPath(s machine.State) string {
	if s.CurrentPhase < len(s.Phases) {
		return s.Phases[s.CurrentPhase].PlanPath
	}
	return s.SpecPath
}

// page shows what a command prints in the person's pager.
func (o *runOptions) page(ctx context.Context, w *app.Workspace, name string, args ...string) error {
	if args[len(args)-1] == "" {
		return console.UsageError("there is none yet")
	}
	show := exec.CommandContext(ctx, name, args...)
	show.Dir, show.Env = w.Work.Root(), o.Host.Environ
	text, err := show.Output()
	if err != nil {
		return err
	}
	return o.Host.Page(ctx, console.Clean(string(text)))
}

// human is the person at the terminal: the view makes room for questions.
func (o *runOptions) human() gates.Human {
	person := o.Human()
	if _, nobody := person.(console.Nobody); nobody || o.view == nil {
		return person
	}
	return live.Human{Human: person, View: o.view}
}

// said has the view say that the run was stopped, and leaves only the exit code of that error.
func (o *runOptions) said(ctx context.Context, err error) error {
	if _, interrupted := errors.AsType[*halt.InterruptedError](err); interrupted && o.view != nil {
		o.view.Stopped()
		return console.Exit(console.ExitCode(ctx, err))
	}
	return err
}
