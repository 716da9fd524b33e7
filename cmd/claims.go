package cmd

import (
	"context"

	"autopilot/autopilot"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// claims are the branches of the repository's other sessions.
func (w *workspace) claims() ([]autopilot.Claim, error) { return claimsBelow(w.host, w.harness, w.rel) }

// footing is what a session's branch is stacked on; empty where it is on nothing. No forge is asked.
func (w *workspace) footing(ctx context.Context, s machine.State) (autopilot.Footing, error) {
	if s.StackedOn == nil {
		return autopilot.Footing{}, nil
	}
	others, err := w.claims()
	if err != nil {
		return autopilot.Footing{}, err
	}
	return autopilot.Stack{Repo: w.repo, Others: others}.Footing(ctx, s)
}

// claimsBelow are the branches of the sessions of a .harness folder, but for that of one spec.
func claimsBelow(h *console.Host, harness, but string) ([]autopilot.Claim, error) {
	all, err := sessions.List(harness, sessionOptions(h))
	if err != nil {
		return nil, err
	}
	var claims []autopilot.Claim
	for _, one := range all {
		if s := one.State; one.Err == nil && s.Branch != "" && s.SpecPath != but {
			claims = append(claims, autopilot.Claim{Branch: s.Branch, Spec: s.SpecPath, Open: s.CurrentState != machine.Done, StackedOn: s.StackedOn, Bases: s.Bases})
		}
	}
	return claims, nil
}
