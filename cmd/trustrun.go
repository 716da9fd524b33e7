package cmd

import (
	"context"
	"fmt"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
)

// trustKeys has the user decide, before anything is sent, whether their keys go where this repository's files say. A session
// that began before autopilot asked has been sending them: its keys count as answered, and the remarks name them.
func (o *runOptions) trustKeys(ctx context.Context, b *app.Backends, repo *git.Repo, all []personas.Persona, upgraded bool) (remarks []string, err error) {
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

// trustRun is trustKeys for a run of a session.
func (o *runOptions) trustRun(ctx context.Context, w *app.Workspace, cfg *config.Config, upgraded bool) ([]string, error) {
	set, err := personas.Load(app.Overrides(w.Harness))
	if err != nil {
		return nil, console.UsageError("%v", err)
	}
	return o.trustKeys(ctx, o.backends(w.Repo.Root(), cfg, nil), w.Repo, set.All(personas.Names()...), upgraded)
}
