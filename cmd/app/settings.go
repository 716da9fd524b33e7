package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
)

// LoadConfig reads every layer of the configuration. Own are the parts that this machine sets; without any, it may set all.
func LoadConfig(h *console.Host, root, file string, flags map[string]any, own ...string) (*config.Config, config.Report, error) {
	userDir, err := config.UserDir(h.Environ)
	if err != nil || h.NoUserConfig {
		userDir = "" // no home: there is no file of the user's
	}
	if file != "" {
		file = h.Path(file)
	}
	return config.Load(config.Options{Root: root, UserDir: userDir, File: file, Environ: h.Environ, Flags: flags, Own: own})
}

// ConfigToLook is a repository's configuration for a command that only looks; nil where it can't be read: a run says what is wrong
// with it.
func ConfigToLook(h *console.Host, root string) *config.Config {
	cfg, _, err := LoadConfig(h, root, "", nil)
	if err != nil {
		return nil
	}
	return cfg
}

// Personas are those of the program, with the user's own files in a .harness folder put on top.
func Personas(harness string) (personas.Set, error) {
	var own fs.FS
	dir := filepath.Join(harness, "personas")
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		own = personaFiles{FS: os.DirFS(dir), root: filepath.Dir(harness)}
	}
	set, err := personas.Load(own)
	if err != nil {
		return set, console.UsageError("%v", err)
	}
	return set, nil
}

// personaFiles are read within their repository: what they say is sent to a model.
type personaFiles struct {
	fs.FS
	root string
}

func (p personaFiles) ReadFile(name string) ([]byte, error) {
	return plainfile.ReadIn(p.root, ".harness/personas/"+name)
}

// Rigor is what the flags --fast and --thorough say, else the configuration.
func Rigor(cfg *config.Config, fast, thorough bool) machine.Rigor {
	switch {
	case fast:
		return machine.Fast
	case thorough:
		return machine.Thorough
	}
	return machine.Rigor(cfg.Rigor)
}

// Settings are what the engine decides by.
func Settings(cfg *config.Config) autopilot.Settings {
	s := autopilot.Settings{
		Idle: cfg.Timeouts.Idle, Dispatch: cfg.Timeouts.Dispatch, Hook: cfg.Timeouts.Hook, Validation: cfg.Timeouts.Validation,
		Turns: cfg.Turns, Limits: BudgetLimits(cfg.Limits), LongestWait: longestWait(cfg.Limits.Wait), PauseEvery: cfg.PauseEvery, AutoFix: cfg.Fix.Auto, Parallel: cfg.Parallel,
		Rollback: cfg.Tasks.OnFailure == "rollback", ValidateNone: cfg.Validate.Commands.None, LearningsBudget: cfg.Learnings.Budget,
		OldTests:      cfg.Integrity.OldTests,
		Blind:         cfg.Verify.Blind == "on",
		HealthFatal:   cfg.Validate.Health == "fatal",
		WorktreeSetup: worktree.Setup{Copy: cfg.Worktree.Copy, Command: cfg.Worktree.Setup},
	}
	for _, c := range cfg.Validate.Commands.List {
		s.Validations = append(s.Validations, validate.Validation{Command: c.Command, Dir: c.Dir, Source: "configuration"})
	}
	return s
}

// BudgetLimits are what may be spent.
func BudgetLimits(l config.Limits) budget.Limits {
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
