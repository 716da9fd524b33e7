package app

import (
	"context"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// Claims are the branches of the repository's other sessions.
func (w *Workspace) Claims() ([]branches.Claim, error) { return ClaimsBelow(w.Host, w.Harness, w.Rel) }

// Footing is what a session's branch is stacked on; empty where it is on nothing. No forge is asked.
func (w *Workspace) Footing(ctx context.Context, s machine.State) (branches.Footing, error) {
	if s.StackedOn == nil {
		return branches.Footing{}, nil
	}
	others, err := w.Claims()
	if err != nil {
		return branches.Footing{}, err
	}
	return branches.Stack{Repo: w.Repo, Others: others}.Footing(ctx, s)
}

// ClaimsBelow are the branches of the sessions of a .harness folder, but for that of one spec.
func ClaimsBelow(h *console.Host, harness, but string) ([]branches.Claim, error) {
	all, err := sessions.List(harness, SessionOptions(h))
	if err != nil {
		return nil, err
	}
	var claims []branches.Claim
	for _, one := range all {
		if s := one.State; one.Err == nil && s.Branch != "" && s.SpecPath != but {
			claims = append(claims, branches.Claim{Branch: s.Branch, Spec: s.SpecPath, Open: s.CurrentState != machine.Done, StackedOn: s.StackedOn, Bases: s.Bases})
		}
	}
	return claims, nil
}
