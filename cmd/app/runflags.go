package app

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"autopilot/autopilot/gates"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
)

// RunFlags are the flags that the commands which dispatch personas have in common: who plays them, what may be spent, what
// is shown. Each command declares those that it has.
type RunFlags struct {
	Host *console.Host

	Backend, Model, Replay, Record, ConfigFile string
	Trust                                      bool
	NonInteractive, JSON, Quiet, Verbose       bool
	NoBranch, AllowDirty                       bool

	Given  *pflag.FlagSet
	Prompt console.Prompt
	person gates.Human // at the terminal, once somebody was asked
}

// BackendFlags are the flags that say who plays the personas, and what is configured.
func (o *RunFlags) BackendFlags(f *pflag.FlagSet, who string) {
	o.Given = f
	f.StringVar(&o.Backend, "backend", "", "the backend `NAME` that plays "+who)
	f.StringVar(&o.Model, "model", "", "the `NAME` of the model that the backend uses")
	f.StringVar(&o.Replay, "replay", "", "play recorded turns from a `FILE` instead of asking a model")
	f.StringVar(&o.ConfigFile, "config", "", "read this `FILE` instead of autopilot.yaml")
	f.BoolVar(&o.Trust, "trust", false, TrustFlag)
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

// TrustKeys has the user decide, before anything is sent, whether their keys go where this repository's files say. A session
// that began before autopilot asked has been sending them: its keys count as answered, and the remarks name them.
func (o *RunFlags) TrustKeys(ctx context.Context, b *Backends, repo *git.Repo, of []personas.Name, upgraded bool) (remarks []string, err error) {
	keys, f, err := b.Unanswered(repo, of)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	yes := o.Trust || o.Host.Trusts || upgraded
	if !yes {
		yes, err = o.Human().Confirm(ctx, fmt.Sprintf("This repository's files send your keys to:\n%s\nAgree only if you know these places. Your yes is remembered.\nSend them? (yes / no) ", KeyLines(keys)))
	}
	switch {
	case err != nil:
		return nil, err
	case !yes:
		return nil, console.UsageError("this repository's files send your keys where you have not agreed to:\n%s\nNothing was sent. If you know these places, agree once with:\n  %s", KeyLines(keys), o.Host.Again("--trust"))
	case upgraded:
		for _, k := range keys {
			remarks = append(remarks, fmt.Sprintf("%s (%s) counts as agreed to: this session began before autopilot asked.", k.What(), k.File))
		}
	}
	if err := f.Keep(keys, o.Host.Now()); err != nil {
		remarks = append(remarks, fmt.Sprintf("Your yes counts for this run only; it couldn't be saved: %v", err))
	}
	return remarks, nil
}
