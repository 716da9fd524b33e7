package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/sessions"
)

// loadConfig reads every layer of the configuration.
func loadConfig(h *console.Host, root, file string, flags map[string]any) (*config.Config, config.Report, error) {
	userDir, err := config.UserDir(h.Environ)
	if err != nil || h.NoUserConfig {
		userDir = "" // no home: there is no file of the user's
	}
	if file != "" {
		file = h.Path(file)
	}
	return config.Load(config.Options{Root: root, UserDir: userDir, File: file, Environ: h.Environ, Flags: flags})
}

// newEngine puts an engine together, in the order in which its parts need each other.
func newEngine(o *runOptions, w *workspace, cfg *config.Config, session *sessions.Session) (*autopilot.Engine, error) {
	h := o.host
	set, err := personas.Load(overrides(w.harness)) // the user's own persona files
	if err != nil {
		return nil, console.UsageError("%v", err)
	}
	report, mask := o.reporter(session), maskOf(h, cfg)
	kept := records{Session: session, now: h.Now, harness: w.harness, report: report}
	e := &autopilot.Engine{Parts: autopilot.Parts{
		Store: session, Records: kept, Memory: kept, Seal: session, Inbox: &inbox{Session: session},
		Repo: w.work, Checks: validate.Runner{Now: h.Now, Env: h.Environ, LockFile: session.LockFile(), Mask: masking(mask)}, Personas: set, Mask: mask,
		Backends: o.backends(w.repo.Root(), cfg, report),
		Forge:    github{host: h, repo: w.work}, Others: w.claims, Roadmap: roadmaps{h.Now, h.Storage()},
		Human: o.human(), Report: report, Now: h.Now, Sleep: h.Pause, NewID: newID, LockFile: session.LockFile(), KilledAt: process.EndedAt(session.LockFile()), Booted: h.StartedAt,
		KillSeen: func() { process.ForgetEnded(session.LockFile()) },
		Spec:     w.spec, Harness: w.harness, Settings: settings(cfg),
	}}
	e.Settings.Yes, e.Settings.NoBranch = o.yes, o.noBranch
	return e, nil
}

// backends are those of a command with the flags of a run.
func (o *runOptions) backends(root string, cfg *config.Config, report autopilot.Reporter) *backends {
	return &backends{host: o.host, root: root, cfg: cfg, name: o.backend, model: o.model, replay: o.replay, record: o.record, report: report}
}

// canDispatch says, before a session begins, whether there is a backend for each persona that it dispatches, and whether its
// server is there: else the run would stop for it in the middle, after hours that were paid for.
func (o *runOptions) canDispatch(ctx context.Context, w *workspace, cfg *config.Config) error {
	set, err := personas.Load(overrides(w.harness))
	if err != nil {
		return console.UsageError("%v", err)
	}
	b := o.backends(w.repo.Root(), cfg, nil)
	reached := map[string]bool{}
	for _, name := range personas.Names() {
		if name == personas.Verifier && o.rigor(cfg) == machine.Fast {
			continue
		}
		if err := b.canPlay(ctx, set.For(name, personas.Work), reached); err != nil && name != personas.Planner {
			return fmt.Errorf("the %s: %w", name, err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// canPlay looks for a persona's backend, and asks each server once whether it is there.
func (b *backends) canPlay(ctx context.Context, p personas.Persona, reached map[string]bool) error {
	if _, _, err := b.For(p); err != nil {
		return err
	}
	name, described, err := b.chosen(p)
	if err != nil || reached[name] {
		return err
	}
	reached[name] = true
	return b.unreached(ctx, name, described)
}

// overrides is the folder of the user's own persona files; nil where there is none.
func overrides(harness string) fs.FS {
	dir := filepath.Join(harness, "personas")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return personaFiles{FS: os.DirFS(dir), root: filepath.Dir(harness)}
}

// personaFiles are read within their repository: what they say is sent to a model.
type personaFiles struct {
	fs.FS
	root string
}

func (p personaFiles) ReadFile(name string) ([]byte, error) {
	return plainfile.ReadIn(p.root, ".harness/personas/"+name)
}

// settings are what the engine decides by.
func settings(cfg *config.Config) autopilot.Settings {
	s := autopilot.Settings{
		Idle: cfg.Timeouts.Idle, Dispatch: cfg.Timeouts.Dispatch, Hook: cfg.Timeouts.Hook, Validation: cfg.Timeouts.Validation,
		Turns: cfg.Turns, Limits: budgetLimits(cfg.Limits), LongestWait: longestWait(cfg.Limits.Wait), PauseEvery: cfg.PauseEvery, Parallel: cfg.Parallel,
		Rollback: cfg.Tasks.OnFailure == "rollback", ValidateNone: cfg.Validate.Commands.None, LearningsBudget: cfg.Learnings.Budget,
		HealthFatal:   cfg.Validate.Health == "fatal",
		WorktreeSetup: worktree.Setup{Copy: cfg.Worktree.Copy, Command: cfg.Worktree.Setup},
	}
	for _, c := range cfg.Validate.Commands.List {
		s.Validations = append(s.Validations, validate.Validation{Command: c.Command, Dir: c.Dir, Source: "configuration"})
	}
	return s
}

// budgetLimits are what may be spent.
func budgetLimits(l config.Limits) budget.Limits {
	bounds := func(dispatches int, cost float64, tokens int, duration time.Duration) budget.Bounds {
		return budget.Bounds{Dispatches: dispatches, CostUSD: cost, Tokens: tokens, Duration: duration}
	}
	return budget.Limits{
		Session: bounds(l.MaxDispatches, l.MaxCostUSD, l.MaxTokens, l.MaxDuration),
		Phase:   bounds(l.Phase.MaxDispatches, l.Phase.MaxCostUSD, l.Phase.MaxTokens, l.Phase.MaxDuration),
		Task:    bounds(l.Task.MaxDispatches, l.Task.MaxCostUSD, l.Task.MaxTokens, l.Task.MaxDuration),
	}
}

// autoWait is the longest that a limit is waited out where the configuration leaves it to the program.
const autoWait = 6 * time.Hour

// longestWait is what limits.wait says.
func longestWait(wait string) time.Duration {
	switch wait {
	case "auto":
		return autoWait
	case "never":
		return 0
	}
	d, _ := time.ParseDuration(wait) // the configuration looked at it
	return d
}

// human is the person at the terminal, or nobody.
func (o *runOptions) human() autopilot.Human {
	if o.json || o.nonInteractive || !o.host.Terminal {
		return console.Nobody{}
	}
	if o.person == nil {
		o.person = console.NewTerminal(o.host, &o.prompt)
	}
	return o.person
}

// reporter shows a run: for programs with --json, else for people.
func (o *runOptions) reporter(session *sessions.Session) autopilot.Reporter {
	if !o.json {
		return console.NewPlainReport(o.host, o.quiet, o.verbose, &o.prompt)
	}
	report := console.NewJSONReport(o.host, func() string { return session.State().SessionSlug })
	o.host.Final = func(code int, err error) {
		state := session.State()
		report.Write(console.FinalObject(&state, code, err))
	}
	return report
}
