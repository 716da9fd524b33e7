package cmd

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"autopilot/autopilot"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
	"autopilot/autopilot/validate"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/notify"
	"autopilot/cmd/report"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/sessions"
	"autopilot/sessions/atwork"
)

// Engine is the engine of a session whose steps come from another machine: its events go to a store that knows that machine, and
// nobody is at a terminal. With yes, it goes on from phase to phase unasked.
func Engine(ctx context.Context, flags *app.RunFlags, yes bool, w *app.Workspace, cfg *config.Config, session *sessions.Session, store journal.Store, board *atwork.Board) (*autopilot.Engine, error) {
	return newEngine(ctx, &runOptions{RunFlags: flags, yes: yes, store: store, AtWork: board}, w, cfg, session)
}

// newEngine puts an engine together, in the order in which its parts need each other.
func newEngine(ctx context.Context, o *runOptions, w *app.Workspace, cfg *config.Config, session *sessions.Session) (*autopilot.Engine, error) {
	h := o.Host
	set, err := app.Personas(w.Harness)
	if err != nil {
		return nil, err
	}
	w.Work.Settings.Keep(cfg.Git.Keep)
	said := o.reporter(session)
	mask := app.MaskOf(h, cfg)
	booted := startedAfter(h, session)
	if err := endLeft(session, said, booted()); err != nil {
		return nil, err
	}
	store := o.store
	if store == nil {
		store = session
	}
	told := journal.New(store, progress{session}, said, mask, h.Now)
	if o.AtWork == nil {
		o.AtWork = atwork.New(h.Now)
	}
	told.Watch = o.AtWork
	e := autopilot.New(autopilot.Parts{
		Journal: told, Seal: session, Inbox: &inbox{Session: session},
		Records: records{session, session.Folders(), h.Now, w.Harness, said}, Memory: memory{session, h.Now, w.Harness},
		Repo: w.Work, Checks: validate.Runner{Now: h.Now, Env: app.AgentsEnviron(h, cfg), LockFile: session.LockFile(), Mask: app.Masking(mask)}, Personas: set, Mask: mask,
		Backends: o.Backends(w.Repo.Root(), cfg, said),
		Forge:    github{host: h, repo: w.Work}, Others: w.Claims, Roadmap: roadmaps{h.Now, h.Storage()}, Report: report.Texts{Workspace: w, Config: cfg},
		Human: o.human(ctx, w, session), Now: h.Now, Sleep: h.Pause, NewID: app.NewID, LockFile: session.LockFile(), KilledAt: process.EndedAt(session.LockFile()), Booted: booted,
		KillSeen: func() { process.ForgetEnded(session.LockFile()) },
		Spec:     w.Spec, Harness: w.Harness, Cache: app.TreesDir(h, w.Repo), Settings: app.Settings(cfg),
	})
	e.Settings.Yes, e.Settings.NoBranch = o.yes, o.NoBranch
	e.Settings.Started = o.startedWith(e, set)
	return e, nil
}

// notices has people told what happens in a run. Of the demo and of a simulation, at which people look, nobody is told.
func (o *runOptions) notices(w *app.Workspace, cfg *config.Config, session *sessions.Session, e *autopilot.Engine) *notify.Run {
	if o.recast != nil || o.Host.NoUserConfig {
		cfg = &config.Config{Notify: config.Notify{Terminal: "off", Desktop: "off"}}
	}
	told := notify.Begin(o.Host, cfg, w.Repo.Root(), session, e.Journal.Report)
	e.Journal.Report, e.Human = told.Reporter(e.Journal.Report), told.Human(e.Human)
	return told
}

// startedWith says how the run was started: by its flags, and with the backend and the model that all personas have.
func (o *runOptions) startedWith(e *autopilot.Engine, set personas.Set) *machine.RunWith {
	with := &machine.RunWith{Flags: o.flagsGiven()}
	for i, name := range personas.Names() {
		b, is := e.Backends.(*app.Backends)
		if !is {
			return with
		}
		chosen, described, err := b.Chosen(set.For(name, personas.Work))
		if err != nil || i > 0 && (chosen != with.Backend || described.Model != with.Model) {
			with.Backend, with.Model = "", ""
			return with
		}
		with.Backend, with.Model = chosen, described.Model
	}
	return with
}

// beginning are flags of a run that only say how a session begins, or that belong to one run alone.
var beginning = []string{"restart", "dry-run", "worktree", "trust", "pr"}

// flagsGiven are the flags of the command line that another run of the session can have again.
func (o *runOptions) flagsGiven() []string {
	var flags []string
	if o.Given == nil {
		return nil
	}
	o.Given.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if list, is := f.Value.(pflag.SliceValue); is {
			value = strings.Join(list.GetSlice(), ",")
		}
		switch {
		case slices.Contains(beginning, f.Name):
		case f.Value.Type() == "bool" && value == "true":
			flags = append(flags, "--"+f.Name)
		default:
			flags = append(flags, "--"+f.Name+"="+value)
		}
	})
	return flags
}

// endLeft ends what a killed run of the session left. Where its supervisor was killed too, and nothing is found, that is said.
func endLeft(session *sessions.Session, report journal.Reporter, booted time.Time) error {
	if err := app.EndLeft(session.LockFile(), report); err != nil {
		return err
	}
	s := session.State()
	_, cutOff := machine.Next(s).Dispatching()
	if cutOff && runtime.GOOS == "linux" && process.EndedAt(session.LockFile()).IsZero() && !booted.After(s.UpdatedAt) {
		report.Report(journal.Note{Event: "info", Text: "The last run was cut off during a dispatch. No process of it was found."})
	}
	return nil
}

// startedAfter tells when the machine was started, where the session was last written before; else zero: it was written by a
// run of this start, or copied since, and then its files show when that was.
func startedAfter(h *console.Host, session *sessions.Session) func() time.Time {
	at := h.StartedAt()
	if plainfile.ChangedAfter(filepath.Join(session.Dir(), "events.jsonl"), at) {
		at = time.Time{}
	}
	return func() time.Time { return at }
}

// canDispatch says, before a session begins, whether there is a backend for each persona that it dispatches, and whether its
// server is there: else the run would stop for it in the middle, after hours that were paid for.
func (o *runOptions) canDispatch(ctx context.Context, w *app.Workspace, cfg *config.Config) error {
	set, err := app.Personas(w.Harness)
	if err != nil {
		return err
	}
	b := o.Backends(w.Repo.Root(), cfg, nil)
	reached := map[string]bool{}
	for _, name := range personas.Names() {
		if name == personas.Verifier && o.rigor(cfg) == machine.Fast {
			continue
		}
		if err := b.CanPlay(ctx, set.For(name, personas.Work), reached); err != nil && name != personas.Planner {
			return fmt.Errorf("the %s: %w", name, err)
		} else if err != nil {
			return err
		}
	}
	return nil
}
