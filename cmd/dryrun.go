package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot"
	"autopilot/autopilot/branches"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/sessions"
	"autopilot/sessions/view"
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
	route, v := routeOf(s), view.Of(w.Facts(s, nil))
	use, err := o.use(ctx, w, cfg, s)
	if err != nil {
		return err
	}
	if o.JSON {
		o.Host.Final = nil
		object := console.FinalObject(&s, 0, nil)
		object["session"], object["route"], object["branch"], object["agents"], object["checks"] = w.Slug, route, use.branch, use.agents, use.checks
		return json.NewEncoder(o.Host.Out).Encode(object)
	}
	fmt.Fprintf(o.Host.Out, "%s · %s checks · branch %s\n", console.Clean(w.Rel), v.Rigor, console.Clean(use.branch))
	fmt.Fprintln(o.Host.Out, console.Wrapped("agents: "+console.Clean(use.agents), o.Host.OutWidth(), 8))
	fmt.Fprintln(o.Host.Out, console.Wrapped("checks: "+console.Clean(cmp.Or(strings.Join(use.checks, ", "), "none found; tasks can bring their own")), o.Host.OutWidth(), 8))
	fmt.Fprintln(o.Host.Out, "Nothing is sent or written.")
	if v.Gate != nil {
		fmt.Fprintln(o.Host.Out, console.Wrapped(console.Clean("Asks first: "+v.Headline), o.Host.OutWidth(), 4))
	}
	if err := o.showTrust(ctx, w, cfg); err != nil {
		return err
	}
	if len(route) == 0 {
		fmt.Fprintln(o.Host.Out, "The session is done: a run prints the summary. Phases added to the spec would be run.")
	}
	for _, r := range route {
		fmt.Fprintln(o.Host.Out, console.Wrapped(console.Clean(r.heading()), o.Host.OutWidth(), 4))
		fmt.Fprintln(o.Host.Out, console.Wrapped("    runs  "+strings.Join(r.Dispatches, ", "), o.Host.OutWidth(), 10))
		if len(r.Gates) > 0 {
			fmt.Fprintln(o.Host.Out, console.Wrapped("    asks  "+asksWords.Replace(strings.Join(r.Gates, ", ")), o.Host.OutWidth(), 10))
		}
	}
	return nil
}

// asksWords are what a run asks, for people.
var asksWords = strings.NewReplacer(
	string(machine.GatePlanWanted), "for your plan", string(machine.GateApproveSkeleton), "to approve the outline",
	string(machine.GateApprovePlan)+" (when a signal fires)", "to approve the plan, if it is risky (autopilot help gates)",
	string(machine.GateApprovePlan), "to approve the plan", string(machine.GateContinue), "to continue",
)

// used is what a run would use.
type used struct {
	branch string
	agents string   // claude (opus); or planner: claude, executor: codex
	checks []string // commands that are run on each phase's work
}

// use looks at what a run would use.
func (o *runOptions) use(ctx context.Context, w *app.Workspace, cfg *config.Config, s machine.State) (used, error) {
	u := used{branch: s.Branch, checks: []string{}}
	switch {
	case u.branch == "" && o.worktree:
		u.branch = branches.NewName(w.Slug) + " (new, in .harness/worktrees)"
	case u.branch == "":
		others, err := w.Claims()
		if err != nil {
			return u, err
		}
		ground, err := branches.FindGround(ctx, w.Work, others, func(string) bool { return false }, o.NoBranch)
		if err != nil {
			return u, err
		}
		if u.branch = ground.Branch; !ground.Stay {
			u.branch = branches.NewName(w.Slug) + " (new)"
		}
	}
	var err error
	if u.agents, err = o.agents(w, cfg); err != nil {
		return u, err
	}
	wanted := app.Settings(cfg)
	if wanted.ValidateNone {
		return u, nil
	}
	found, err := validate.Find(w.Work.Root(), wanted.Validations...)
	for _, v := range found {
		u.checks = append(u.checks, v.Command)
	}
	return u, err
}

// agents say which backends would play the personas. That none is configured yet is no error here.
func (o *runOptions) agents(w *app.Workspace, cfg *config.Config) (string, error) {
	set, err := app.Personas(w.Harness)
	if err != nil {
		return "", err
	}
	b := o.Backends(w.Repo.Root(), cfg, nil)
	var different, each []string
	for _, name := range personas.Names() {
		chosen, described, err := b.Chosen(set.For(name, personas.Work))
		if err == nil {
			_, err = b.Make(chosen, described)
		}
		missing, none := errors.AsType[*halt.NoBackendError](err)
		switch {
		case err != nil && o.Backend != "":
			return "", err
		case none:
			chosen = "none; " + missing.Reason
		case err != nil:
			return "", err
		case described.Model != "":
			chosen += " (" + described.Model + ")"
		}
		each = append(each, string(name)+": "+chosen)
		if !slices.Contains(different, chosen) {
			different = append(different, chosen)
		}
	}
	if len(different) == 1 {
		return different[0], nil
	}
	return strings.Join(each, ", "), nil
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

func (r routed) heading() string {
	if r.Complexity == "" {
		return view.Capital(r.Name)
	}
	return fmt.Sprintf("Phase %s · %s · %s complexity", r.Number, r.Name, r.Complexity)
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
