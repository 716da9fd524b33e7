package cmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot"
	"autopilot/autopilot/check"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/sessions"
)

// loadConfig reads every layer of the configuration.
func loadConfig(h *Host, root, file string, flags map[string]any) (*config.Config, config.Report, error) {
	userDir, err := config.UserDir(h.Environ)
	if err != nil || h.noUserConfig {
		userDir = "" // no home: there is no file of the user's
	}
	if file != "" {
		file = h.path(file)
	}
	return config.Load(config.Options{Root: root, UserDir: userDir, File: file, Environ: h.Environ, Flags: flags})
}

// newEngine puts an engine together, in the order in which its parts need each other.
func newEngine(o *runOptions, w *workspace, cfg *config.Config, session *sessions.Session) (*autopilot.Engine, error) {
	h := o.host
	kept := records{Session: session, now: h.Now, harness: w.harness}
	set, err := personas.Load(overrides(w.harness)) // the user's own persona files
	if err != nil {
		return nil, usageError("%v", err)
	}
	report := o.reporter(session)
	e := &autopilot.Engine{
		Store: session, Records: kept, Memory: kept, Seal: session, Inbox: &inbox{Session: session},
		Repo: w.work, Checks: check.Runner{Now: h.Now, Env: h.Environ, LockFile: session.LockFile()}, Personas: set,
		Backends: &backends{host: h, root: w.repo.Root(), cfg: cfg, name: o.backend, model: o.model, replay: o.replay, report: report},
		Forge:    github{host: h, dir: w.work.Root()}, Roadmap: roadmaps{now: h.Now},
		Human: o.human(), Report: report, Now: h.Now, NewID: newID, LockFile: session.LockFile(),
		Spec: w.spec, Harness: w.harness, Settings: settings(cfg),
	}
	e.Settings.Yes, e.Settings.NoBranch, e.Settings.PR = o.yes, o.noBranch, o.pr
	return e, nil
}

// canDispatch says, before a session begins, whether there is a backend that can play the planner.
func (o *runOptions) canDispatch(w *workspace, cfg *config.Config) error {
	set, err := personas.Load(overrides(w.harness))
	if err != nil {
		return usageError("%v", err)
	}
	b := &backends{host: o.host, root: w.repo.Root(), cfg: cfg, name: o.backend, model: o.model, replay: o.replay}
	_, _, err = b.For(set.For(personas.Planner, personas.Work))
	return err
}

// overrides is the folder of the user's own persona files; nil where there is none.
func overrides(harness string) fs.FS {
	dir := filepath.Join(harness, "personas")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.DirFS(dir)
}

// settings are what the engine decides by.
func settings(cfg *config.Config) autopilot.Settings {
	s := autopilot.Settings{
		Idle: cfg.Timeouts.Idle, Dispatch: cfg.Timeouts.Dispatch, Hook: cfg.Timeouts.Hook, Validation: cfg.Timeouts.Validation,
		Turns: cfg.Turns, MaxDispatches: cfg.Limits.MaxDispatches, MaxDuration: cfg.Limits.MaxDuration, PauseEvery: cfg.PauseEvery, Parallel: cfg.Parallel,
		Rollback: cfg.Tasks.OnFailure == "rollback", ValidateNone: cfg.Validate.Commands.None, LearningsBudget: cfg.Learnings.Budget,
		HealthFatal: cfg.Validate.Health == "fatal",
		Furnishing:  autopilot.Furnishing{Copy: cfg.Worktree.Copy, Setup: cfg.Worktree.Setup},
	}
	for _, c := range cfg.Validate.Commands.List {
		s.Validations = append(s.Validations, check.Validation{Command: c.Command, Dir: c.Dir, Source: "configuration"})
	}
	return s
}

// human is the person at the terminal, or nobody.
func (o *runOptions) human() autopilot.Human {
	if o.json || o.nonInteractive || !o.host.Terminal {
		return nobody{}
	}
	return &terminal{typed: newTyped(o.host.In, o.host.Forget), out: o.host.Err, width: o.host.width, open: &o.prompt}
}

// reporter shows a run: for programs with --json, else for people.
func (o *runOptions) reporter(session *sessions.Session) autopilot.Reporter {
	if !o.json {
		report := newPlainReport(o.host, o.quiet, o.verbose)
		report.prompt = &o.prompt
		return report
	}
	report := &jsonReport{out: o.host.Out, now: o.host.Now, session: func() string { return session.State().SessionSlug }}
	o.host.final = func(code int, err error) {
		state := session.State()
		report.write(finalObject(&state, code, err))
	}
	return report
}
