package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas/chaos"
)

// simulationSeed is the seed of a simulation that names none: the same one each time, so that two people see the same.
const simulationSeed = 1

// eachBehaviour is the profile that is a run for each single behaviour.
const eachBehaviour = "each"

type simulateOptions struct {
	host *console.Host

	seed    uint64
	profile string
	logs    string
	json    bool
}

func newSimulate(h *console.Host) *cobra.Command {
	o := &simulateOptions{host: h}
	c := &cobra.Command{
		Use: "simulate SPEC.md", Short: "Run a spec against scripted personas that misbehave, without a model",
		Example: "  autopilot simulate docs/spec.md\n" +
			"  autopilot simulate docs/spec.md --profile hostile --chaos 7   a mix; the same seed makes the same run\n" +
			"  autopilot simulate docs/spec.md --profile liar --json\n" +
			"  autopilot simulate docs/spec.md --profile calm --logs ./logs  keep what the runs said",
		Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error { return runSimulate(c.Context(), o, args[0]) },
	}
	f := c.Flags()
	f.Uint64Var(&o.seed, "chaos", simulationSeed, "the `SEED` that decides who misbehaves, when and how")
	f.StringVar(&o.profile, "profile", eachBehaviour, "the `NAME` of a mix, or of one behaviour")
	f.StringVar(&o.logs, "logs", "", "write what each run said into this `DIR`")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

// simulateText is the long text of the command's help.
func simulateText() string {
	return "Plays a spec and its plans in a temporary clone, with personas that lie, crash, stall, loop or tamper, and tells by what\n" +
		"each was found out, after how many dispatches, and how the run ended. No model is called and the repository is not\n" +
		"written to. Phases without a plan get one of two tasks. Checks are stand-ins: scripted personas write no code.\n\n" +
		"Profiles:\n" + profileLines()
}

// profileLines lists the profiles for the help.
func profileLines() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-13s each behaviour below in a run of its own\n", eachBehaviour)
	for _, p := range chaos.Profiles() {
		fmt.Fprintf(&b, "  %-13s %s\n", p.Name, p.Does)
	}
	return strings.TrimRight(b.String(), "\n")
}

// runSimulate plays the spec, and fails where a promise was broken. Where it is stopped it says so, whatever it was at.
func runSimulate(ctx context.Context, o *simulateOptions, spec string) error {
	err := o.simulate(ctx, spec)
	var broken *console.CodedError
	if err == nil || ctx.Err() == nil || errors.As(err, &broken) {
		return err
	}
	return stoppedSimulation(ctx)
}

func (o *simulateOptions) simulate(ctx context.Context, spec string) error {
	profiles, err := o.profiles()
	if err != nil {
		return err
	}
	s, err := newSimulation(ctx, o, spec)
	if err != nil {
		return err
	}
	defer s.ground.remove()
	view := simulationView{Event: "final", Spec: s.ground.rel, Seed: o.seed, Held: true}
	for _, p := range s.plans {
		view.Plans = append(view.Plans, simulatedPlan{Phase: p.phase.Number, Plan: p.from, Tasks: len(p.plan.Tasks)})
	}
	if !o.json {
		if err := o.host.Say("%s, seed %d: %s. No model is called, and the repository is not written to.\n", s.ground.rel, o.seed, s.plansText()); err != nil {
			return err
		}
	}
	for i, profile := range profiles {
		if o.host.Terminal && len(profiles) > 1 {
			fmt.Fprintf(o.host.Err, "%d of %d: %s\n", i+1, len(profiles), profile.Name)
		}
		r, err := s.run(ctx, profile, o.seed, fmt.Sprintf("%02d-%s", i+1, profile.Name))
		if err != nil {
			return err
		}
		view.Runs = append(view.Runs, r.view())
		view.Held = view.Held && len(r.breaches) == 0
	}
	if err := o.show(view); err != nil {
		return err
	}
	if !view.Held {
		return &console.CodedError{Code: 1}
	}
	return nil
}

// profiles are those that the runs of this simulation have.
func (o *simulateOptions) profiles() ([]chaos.Profile, error) {
	var names []string
	var each []chaos.Profile
	for _, p := range chaos.Profiles() {
		names = append(names, p.Name)
		if p.Alone {
			each = append(each, p)
		}
	}
	if o.profile == eachBehaviour {
		return each, nil
	}
	p, ok := chaos.ProfileOf(o.profile)
	if !ok {
		return nil, noProfile(o.profile, append([]string{eachBehaviour}, names...))
	}
	return []chaos.Profile{p}, nil
}

// noProfile says which profiles there are, and which one may be meant.
func noProfile(name string, names []string) error {
	list := "it is one of " + strings.Join(names, ", ")
	if name == "" {
		return console.UsageError("--profile names no profile; %s; without it, %s is played", list, eachBehaviour)
	}
	if near := config.Nearest(name, names); near != "" {
		return console.UsageError("there is no profile %q, did you mean %s? %s", name, near, strings.ToUpper(list[:1])+list[1:])
	}
	return console.UsageError("there is no profile %q; %s", name, list)
}

// newSimulation reads the spec and its plans, and makes the clone.
func newSimulation(ctx context.Context, o *simulateOptions, path string) (*simulation, error) {
	w, err := app.FindWorkspace(ctx, o.host, path, git.Open)
	if err != nil {
		return nil, err
	}
	parsed, _, _, err := autopilot.ReadNewSpec(w.Repo.Root(), w.Spec)
	if err != nil {
		return nil, err
	}
	cfg, _, err := app.LoadConfig(o.host, w.Repo.Root(), "", nil)
	if err != nil {
		return nil, err
	}
	if o.logs != "" {
		o.logs = o.host.Path(o.logs)
		if err := os.MkdirAll(o.logs, 0o755); err != nil {
			return nil, console.UsageError("%v: name a folder in a place where you may write", err)
		}
	}
	plans := usersPlans(w, parsed)
	g, err := newGround(ctx, w, cfg)
	if err != nil {
		return nil, err
	}
	return &simulation{host: o.host, ground: g, cfg: cfg, spec: parsed, plans: plans, log: logsIn(o.logs)}, nil
}

// plansText says whose plans are played.
func (s *simulation) plansText() string {
	own := 0
	for _, p := range s.plans {
		if p.from != "" {
			own++
		}
	}
	switch own {
	case len(s.plans):
		return "every phase has its own plan"
	case 0:
		return "no phase has a plan yet, so each gets one of two tasks"
	}
	return fmt.Sprintf("%d of %d phases have their own plan, and the others get one of two tasks", own, len(s.plans))
}

func (o *simulateOptions) show(v simulationView) error {
	if o.json {
		return json.NewEncoder(o.host.Out).Encode(v)
	}
	_, err := fmt.Fprint(o.host.Out, v.text(o.host.OutWidth()))
	return err
}
