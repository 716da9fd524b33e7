package cmd

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/gates"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/diff"
	"autopilot/cmd/form"
	"autopilot/cmd/live"
	"autopilot/cmd/look"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// reporter shows a run: for programs with --json, else for people.
func (o *runOptions) reporter(session *sessions.Session) journal.Reporter {
	if o.JSON {
		report := console.NewJSONReport(o.Host, func() string { return session.State().SessionSlug })
		o.Host.Final = func(code int, err error) {
			state := session.State()
			report.Write(console.FinalObject(&state, code, err))
		}
		return report
	}
	if o.view == nil { // it is no run
		return console.NewPlainReport(o.Host, o.Quiet, o.Verbose, &o.Prompt)
	}
	return o.view
}

// liveView is the view of this run.
func (o *runOptions) liveView(ctx context.Context, w *app.Workspace, cfg *config.Config, session *sessions.Session) (*live.Live, error) {
	o.shown.Accessible = o.shown.Accessible || cfg.UI.Accessible
	region, accessible := o.shown.Live(o.Host)
	region = region && !o.Quiet
	f, err := live.Follow(ctx, w, session.State(), func(s machine.State) view.Facts {
		facts := w.Facts(s, nil)
		if most := cfg.Limits.MaxCostUSD; most > 0 {
			facts.Budgets = []view.Budget{{Name: "cost", Used: s.Usage.CostUSD, Of: most}}
		}
		return facts
	}, func([]view.Line) {})
	if err != nil {
		return nil, err
	}
	look := live.NewLook(o.Host, o.shown.Color, app.MaskOf(o.Host, cfg).Replace)
	look.Color = look.Color && (o.Host.Terminal || o.shown.Color == "always")
	l := live.New(live.Options{
		Host: o.Host, Look: look, Prompt: &o.Prompt,
		Region: region, Accessible: accessible, Verbose: o.Verbose, Quiet: o.Quiet, Asks: true, Forms: region && !accessible && form.Fits(o.Host), Actions: o.keys(w, session),
		Session: func(time.Time) (view.Session, []view.Line, bool) {
			s, lines, err := f.Look()
			return s, lines, err == nil
		},
	})
	if !o.Quiet {
		l.Header()
	}
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
		Open:  o.opened(texts(w, session.State)),
	}
}

// opened are the keys that show something full screen.
func (o *runOptions) opened(texts map[rune]func(context.Context) (form.Text, error)) map[rune]func(context.Context) error {
	open := map[rune]func(context.Context) error{}
	for key, read := range texts {
		open[key] = func(ctx context.Context) error {
			text, err := read(ctx)
			if err != nil {
				return err
			}
			return text.Show(ctx, o.Host, o.view.Look)
		}
	}
	return open
}

// texts are what the keys of a view show of a session.
func texts(w *app.Workspace, state func() machine.State) map[rune]func(context.Context) (form.Text, error) {
	return map[rune]func(context.Context) (form.Text, error){
		'd': func(ctx context.Context) (form.Text, error) {
			s := state()
			title := "What the session changed"
			if s.CurrentTask != "" {
				title = "What the task changed so far"
			}
			d, err := diff.Of(ctx, w, s, "", s.CurrentTask)
			if err != nil {
				return form.Text{}, err
			}
			text, err := d.Text(ctx, false)
			if text == "" && err == nil {
				err = errors.New("nothing was changed yet")
			}
			return form.Text{Title: title, Body: text}, err
		},
		'l': func(context.Context) (form.Text, error) {
			place, text, err := lastOutput(filepath.Join(w.Session, "attempts"))
			if place == "" && err == nil {
				err = errors.New("no agent has printed anything yet")
			}
			return form.Text{Title: plainfile.Rel(w.Repo.Root(), place), Body: text, Last: true}, err
		},
		'v': func(context.Context) (form.Text, error) {
			s := state()
			if s.CurrentPhase >= len(s.Phases) || s.Phases[s.CurrentPhase].PlanPath == "" {
				return form.Text{}, errors.New("there is no plan yet")
			}
			place := s.Phases[s.CurrentPhase].PlanPath
			text, err := plainfile.Read(filepath.Join(w.Work.Root(), filepath.FromSlash(place)))
			return form.Text{Title: place, Body: string(text)}, err
		},
	}
}

// human is the person at the terminal: the view makes room for questions.
func (o *runOptions) human(ctx context.Context, w *app.Workspace, session *sessions.Session) gates.Human {
	person := o.Human()
	terminal, is := person.(*console.Terminal)
	if !is {
		return person
	}
	terminal.Question = func(machine.Gate) string {
		return look.Prompt(o.Host, w.View(ctx, session.State()), o.Host.Columns())
	}
	if o.view == nil {
		return person
	}
	return form.Human{Human: person, View: o.view, Texts: texts(w, session.State), Wish: &o.wish}
}

// said has the view say that the run was stopped, and leaves only the exit code of that error.
func (o *runOptions) said(ctx context.Context, s machine.State, err error) error {
	if _, interrupted := errors.AsType[*halt.InterruptedError](err); interrupted && o.view != nil {
		o.view.Stopped(autopilot.Where(s))
		return console.Exit(console.ExitCode(ctx, err))
	}
	return err
}

// lastOutput is what the agent printed that printed last, as far as it is kept in a folder of attempts; "": none has.
func lastOutput(dir string) (place, text string, err error) {
	var last time.Time
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "output.log" {
			return err
		}
		if info, err := d.Info(); err == nil && info.Size() > 0 && info.ModTime().After(last) {
			place, last = path, info.ModTime()
		}
		return nil
	})
	if place == "" {
		return "", "", nil
	}
	all, err := os.ReadFile(place)
	const most = 1 << 20 // what is older is in the file
	return place, string(all[max(0, len(all)-most):]), err
}
