package cmd

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
)

// runFlags are the flags that the commands which dispatch personas have in common: who plays them, what may be spent, what
// is shown. Each command declares those that it has.
type runFlags struct {
	host *console.Host

	backend, model, replay, record, configFile string
	trust                                      bool
	nonInteractive, json, quiet, verbose       bool
	noBranch, allowDirty                       bool
	maxDispatches, maxTokens                   int
	maxCost                                    float64
	perPhase, perTask                          []string
	maxDuration                                time.Duration
	wait                                       string

	given  *pflag.FlagSet
	prompt console.Prompt
	person autopilot.Human // at the terminal, once somebody was asked
}

// backendFlags are the flags that say who plays the personas, and what is configured.
func (o *runFlags) backendFlags(f *pflag.FlagSet, who string) {
	o.given = f
	f.StringVar(&o.backend, "backend", "", "the backend `NAME` that plays "+who)
	f.StringVar(&o.model, "model", "", "the `NAME` of the model that the backend uses")
	f.StringVar(&o.replay, "replay", "", "play recorded turns from a `FILE` instead of asking a model")
	f.StringVar(&o.configFile, "config", "", "read this `FILE` instead of autopilot.yaml")
	f.BoolVar(&o.trust, "trust", false, app.TrustFlag)
}

// backends are those of a command with the flags of a run.
func (o *runFlags) backends(root string, cfg *config.Config, report journal.Reporter) *app.Backends {
	return &app.Backends{Host: o.host, Root: root, Cfg: cfg, Name: o.backend, Model: o.model, Replay: o.replay, Record: o.record, Report: report}
}

// human is the person at the terminal, or nobody.
func (o *runFlags) human() autopilot.Human {
	if o.json || o.nonInteractive || !o.host.Terminal {
		return console.Nobody{}
	}
	if o.person == nil {
		o.person = console.NewTerminal(o.host, &o.prompt)
	}
	return o.person
}

// trustKeys has the user decide, before anything is sent, whether their keys go where this repository's files say. A session
// that began before autopilot asked has been sending them: its keys count as answered, and the remarks name them.
func (o *runFlags) trustKeys(ctx context.Context, b *app.Backends, repo *git.Repo, all []personas.Persona, upgraded bool) (remarks []string, err error) {
	keys, f, err := b.Unanswered(repo, all)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	yes := o.trust || o.host.Trusts || upgraded
	if !yes {
		yes, err = o.human().Confirm(ctx, fmt.Sprintf("This repository's files send your keys to:\n%s\nAgree only if you know these places. Your yes is remembered.\nSend them? (yes / no) ", app.KeyLines(keys)))
	}
	switch {
	case err != nil:
		return nil, err
	case !yes:
		return nil, console.UsageError("this repository's files send your keys where you have not agreed to:\n%s\nNothing was sent. If you know these places, agree once with:\n  %s", app.KeyLines(keys), o.host.Again("--trust"))
	case upgraded:
		for _, k := range keys {
			remarks = append(remarks, fmt.Sprintf("%s (%s) counts as agreed to: this session began before autopilot asked.", k.What(), k.File))
		}
	}
	if err := f.Keep(keys, o.host.Now()); err != nil {
		remarks = append(remarks, fmt.Sprintf("Your yes counts for this run only; it couldn't be saved: %v", err))
	}
	return remarks, nil
}
