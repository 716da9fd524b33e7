package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas/chaos"
)

// usualSeed is the seed of a simulation that names none: the same one each time, so that two people see the same.
const usualSeed = 1

// eachBehaviour is the profile that is a run for each single behaviour.
const eachBehaviour = "each"

type simulateOptions struct {
	host *console.Host
	run  Run

	seed    uint64
	profile string
	logs    string
	json    bool
}

// New is the command simulate.
func New(h *console.Host, run Run) *cobra.Command {
	o := &simulateOptions{host: h, run: run}
	c := &cobra.Command{
		Use: "simulate SPEC.md", Short: "Run a spec with scripted agents that misbehave (uses no model)",
		Example: "  autopilot simulate docs/spec.md\n" +
			"  autopilot simulate docs/spec.md --profile hostile --chaos 7   a mix; the same seed gives the same run\n" +
			"  autopilot simulate docs/spec.md --profile liar --json\n" +
			"  autopilot simulate docs/spec.md --profile calm --logs ./logs  save the runs' output",
		Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error { return runSimulate(c.Context(), o, args[0]) },
	}
	f := c.Flags()
	f.Uint64Var(&o.seed, "chaos", usualSeed, "the `SEED` that decides which agent misbehaves, when and how")
	f.StringVar(&o.profile, "profile", eachBehaviour, "the `NAME` of a profile or of one behaviour")
	f.StringVar(&o.logs, "logs", "", "write each run's output to a file in `DIR`")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

// Text is the long text of the command's help.
func Text() string {
	var b strings.Builder
	b.WriteString("Runs the spec in a temporary clone with scripted agents that lie, crash, stall, loop or tamper. Shows what caught each one,\n" +
		"after how many agent runs, and how the run ended. It calls no model and doesn't write to your repository. Phases without\n" +
		"a plan get one with two tasks. The checks are stand-ins, because scripted agents write no code.\n\n" +
		"Profiles:")
	for _, p := range append([]chaos.Profile{{Name: eachBehaviour, Does: "each behaviour below in a separate run (the default)"}}, chaos.Profiles()...) {
		fmt.Fprintf(&b, "\n  %-13s %s", p.Name, p.Does)
	}
	return b.String()
}

// runSimulate plays the spec, and fails where a promise was broken. Where it is stopped it says so, whatever it was at.
func runSimulate(ctx context.Context, o *simulateOptions, spec string) error {
	profiles, err := profilesNamed(o.profile)
	if err != nil {
		return err
	}
	err = o.simulate(ctx, spec, profiles)
	if err != nil && ctx.Err() != nil {
		return stopped(ctx)
	}
	return err
}

func (o *simulateOptions) simulate(ctx context.Context, spec string, profiles []chaos.Profile) error {
	s, err := Prepare(ctx, o.host, o.run, spec, o.logs)
	if err != nil {
		return err
	}
	defer s.Close()
	all := summary{Event: "final", Spec: s.rel, Seed: o.seed, Held: true}
	for _, p := range s.plans {
		all.Plans = append(all.Plans, planned{Phase: p.phase.Number, Plan: p.from, Tasks: len(p.plan.Tasks)})
	}
	if !o.json {
		if err := o.host.Say("%s, seed %d: %s. No model is called, and the repository is not written to.\n", s.rel, o.seed, all.whosePlans()); err != nil {
			return err
		}
	}
	for i, profile := range profiles {
		if o.host.Terminal && len(profiles) > 1 {
			fmt.Fprintf(o.host.Err, "%d of %d: %s\n", i+1, len(profiles), profile.Name)
		}
		r, err := s.Play(ctx, profile, o.seed, fmt.Sprintf("%02d-%s", i+1, profile.Name))
		if err != nil {
			return err
		}
		all.Runs = append(all.Runs, r)
		all.Held = all.Held && len(r.Breaches) == 0
	}
	if o.json {
		err = json.NewEncoder(o.host.Out).Encode(all)
	} else {
		_, err = fmt.Fprint(o.host.Out, all.text(o.host.OutWidth()))
	}
	if err == nil && !all.Held {
		return &console.CodedError{Code: 1}
	}
	return err
}

// profilesNamed are those that the runs of a simulation have.
func profilesNamed(name string) ([]chaos.Profile, error) {
	all := chaos.Profiles()
	if name == eachBehaviour {
		return slices.DeleteFunc(all, func(p chaos.Profile) bool { return !p.Alone }), nil
	}
	names := []string{eachBehaviour}
	for i, p := range all {
		if names = append(names, p.Name); p.Name == name {
			return all[i : i+1], nil
		}
	}
	list := "t is one of " + strings.Join(names, ", ")
	if name == "" {
		return nil, console.UsageError("--profile names no profile; i%s; without it, %s is played", list, eachBehaviour)
	}
	if near := config.Nearest(name, names); near != "" {
		return nil, console.UsageError("there is no profile %q, did you mean %s? I%s", name, near, list)
	}
	return nil, console.UsageError("there is no profile %q; i%s", name, list)
}
