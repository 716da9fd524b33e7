package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"autopilot/autopilot"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions"
)

// dryRun prints what a run would dispatch and ask, phase by phase. It calls no model and writes nothing.
func dryRun(ctx context.Context, o *runOptions, spec string) error {
	w, err := app.FindSession(ctx, o.Host, spec)
	if err != nil {
		return err
	}
	if err := w.Repo.Settings.LeaveFiltersOut(ctx); err != nil {
		return err
	}
	cfg, _, err := o.configure(w)
	if err != nil {
		return err
	}
	s, err := o.standing(ctx, w, cfg)
	if err != nil {
		return err
	}
	route := routeOf(s)
	if o.JSON {
		o.Host.Final = nil
		return json.NewEncoder(o.Host.Out).Encode(map[string]any{"event": "final", "exitCode": 0, "session": w.Slug, "state": s.CurrentState, "gate": s.Gate, "usage": s.Usage, "route": route})
	}
	fmt.Fprintf(o.Host.Out, "%s, rigor %s, from %s. Nothing is sent or written.\n", console.Clean(w.Rel), s.RigorLevel, s.CurrentState)
	if err := o.showTrust(ctx, w, cfg); err != nil {
		return err
	}
	if len(route) == 0 {
		fmt.Fprintln(o.Host.Out, "The session is done: a run prints the summary. Phases added to the spec would be run.")
	}
	for _, r := range route {
		fmt.Fprintln(o.Host.Out, console.Wrapped(fmt.Sprintf("phase %-4s %-7s %s", console.Clean(r.Number), r.Complexity, console.Clean(r.Name)), o.Host.OutWidth(), 19))
		fmt.Fprintln(o.Host.Out, console.Wrapped("    dispatches  "+strings.Join(r.Dispatches, ", "), o.Host.OutWidth(), 16))
		if len(r.Gates) > 0 {
			fmt.Fprintln(o.Host.Out, console.Wrapped("    asks        "+strings.Join(r.Gates, ", "), o.Host.OutWidth(), 16))
		}
	}
	return nil
}

// showTrust shows what a run would ask about first.
func (o *runOptions) showTrust(ctx context.Context, w *app.Workspace, cfg *config.Config) error {
	if o.Host.Trusts {
		return nil
	}
	list, err := o.Backends(w.Repo.Root(), cfg, nil).TrustList(ctx, w.Work)
	if err != nil {
		return err
	}
	entries, _, err := app.Unanswered(o.Host, w.Repo, list)
	if err == nil && len(entries) > 0 {
		fmt.Fprintf(o.Host.Out, "Asks first whether you trust what this repository's own files run or reach:\n\n%s\n", app.TrustLines(entries))
	}
	return err
}

// standing is the state from which a run would go on.
func (o *runOptions) standing(ctx context.Context, w *app.Workspace, cfg *config.Config) (machine.State, error) {
	s, err := w.Read(ctx)
	switch {
	case o.restart && err == nil:
		if err := w.NotAnothers(s); err != nil {
			return s, err
		}
	case err == nil:
		return s, o.sameWishes(s)
	case !o.restart && !errors.Is(err, sessions.ErrNoSession):
		return s, err
	}
	first, _, err := autopilot.Begin(ctx, w.Repo, autopilot.Order{
		Spec: w.Spec, Rigor: o.rigor(cfg), ReviewPlans: o.reviewPlans || cfg.ReviewPlans, AllowDirty: true, Retries: cfg.Retries,
	})
	if err != nil {
		return s, err
	}
	s = *first.Initial
	s.CurrentState = machine.Init
	return s, nil
}

// routed is what a phase, or the final review, is expected to dispatch and to ask when nothing goes wrong.
type routed struct {
	Number     string             `json:"number"`
	Name       string             `json:"name"`
	Complexity machine.Complexity `json:"complexity,omitempty"`
	Dispatches []string           `json:"dispatches"`
	Gates      []string           `json:"gates"`
}

// routeOf follows the phases that are not finished.
func routeOf(s machine.State) []routed {
	route := []routed{}
	if s.CurrentState == machine.Done {
		return route
	}
	for _, p := range s.Phases {
		if p.Status != machine.PhaseDone && p.Status != machine.PhaseSkip {
			route = append(route, routePhase(s, p))
		}
	}
	return append(route, routed{Number: "-", Name: "final review of the whole change", Dispatches: []string{"reviewer"}, Gates: []string{}})
}

func routePhase(s machine.State, p machine.Phase) routed {
	r := routed{Number: p.Number, Name: p.Name, Complexity: p.Complexity, Gates: []string{}}
	thorough, fast := s.RigorLevel == machine.Thorough, s.RigorLevel == machine.Fast
	switch {
	case p.Complexity == machine.High:
		r.Gates = append(r.Gates, string(machine.GatePlanWanted))
	case thorough:
		r.Dispatches = append(r.Dispatches, "planner (skeleton)", "planner")
		r.Gates = append(r.Gates, string(machine.GateApproveSkeleton))
	default:
		r.Dispatches = append(r.Dispatches, "planner")
	}
	switch {
	case thorough, s.ReviewPlans:
		r.Gates = append(r.Gates, string(machine.GateApprovePlan))
	case !fast:
		r.Gates = append(r.Gates, string(machine.GateApprovePlan)+" (when a signal fires)")
	}
	r.Dispatches = append(r.Dispatches, "executor for each task")
	if !fast {
		r.Dispatches = append(r.Dispatches, "verifier")
	}
	r.Dispatches = append(r.Dispatches, "reviewer")
	r.Gates = append(r.Gates, string(machine.GateContinue))
	return r
}
