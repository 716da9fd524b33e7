package app

import (
	"github.com/spf13/pflag"

	"autopilot/autopilot/gates"
	"autopilot/autopilot/journal"
	"autopilot/cmd/console"
	"autopilot/config"
)

// RunFlags are the flags that the commands which dispatch personas have in common: who plays them, what may be spent, what
// is shown. Each command declares those that it has.
type RunFlags struct {
	Host *console.Host

	Backend, Model, Replay, Record, ConfigFile string
	Trust                                      bool
	TrustBy                                    string // the flag that sets Trust; "": --trust
	NonInteractive, JSON, Quiet, Verbose       bool
	NoBranch, AllowDirty                       bool

	Given  *pflag.FlagSet
	Prompt console.Prompt
	person *console.Terminal // once somebody was asked
	agreed bool              // the user trusts the repository, in this run
}

// BackendFlags are the flags that say who plays the personas, and what is configured.
func (o *RunFlags) BackendFlags(f *pflag.FlagSet, who string) {
	o.Given = f
	f.StringVar(&o.Backend, "backend", "", "use the backend `NAME` "+who)
	f.StringVar(&o.Model, "model", "", "use the model `NAME`")
	f.StringVar(&o.Replay, "replay", "", "play recorded model answers from `FILE` instead of calling a model")
	f.StringVar(&o.ConfigFile, "config", "", "read `FILE` instead of autopilot.yaml")
	f.BoolVar(&o.Trust, "trust", false, TrustFlag)
}

// WorkFlags are those of whatever commits the work of agents: a spec's run and a task list's.
func (o *RunFlags) WorkFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.JSON, "json", false, "print JSON, one object per line; the last line is the result")
	f.BoolVar(&o.Verbose, "verbose", false, "also print each agent run, check and commit, and what agents say")
	f.BoolVar(&o.NoBranch, "no-branch", false, "don't create a branch: commit to the current one, even if it's the default branch")
	f.BoolVar(&o.AllowDirty, "allow-dirty", false, "start with uncommitted changes; they are never committed")
}

// Backends are those of a command with the flags of a run.
func (o *RunFlags) Backends(root string, cfg *config.Config, report journal.Reporter) *Backends {
	return &Backends{Host: o.Host, Root: root, Cfg: cfg, Name: o.Backend, Model: o.Model, Replay: o.Replay, Record: o.Record, Report: report}
}

// Human is the person at the terminal, or nobody.
func (o *RunFlags) Human() gates.Human {
	if o.JSON || o.NonInteractive || !o.Host.Terminal {
		return console.Nobody{}
	}
	if o.person == nil {
		o.person = console.NewTerminal(o.Host, &o.Prompt)
	}
	return o.person
}
