package app

import (
	"strings"

	"autopilot/cmd/console"

	"github.com/spf13/pflag"
)

// DeclareLimits are the flags of what may be spent; counted says over what it is counted.
func (o *RunFlags) DeclareLimits(f *pflag.FlagSet, counted string) {
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "max-cost-usd" { // as the configuration calls it
			name = "max-cost"
		}
		return pflag.NormalizedName(name)
	})
	f.IntVar(&o.MaxDispatches, "max-dispatches", 0, "stop after `N` dispatches "+counted+" (from the configuration: 200)")
	f.Float64Var(&o.maxCost, "max-cost", 0, "stop after so many `USD` "+counted+", where prices are known (from the configuration: 20)")
	f.IntVar(&o.maxTokens, "max-tokens", 0, "stop after `N` tokens, sent and received, "+counted+" (from the configuration: 20 million)")
	f.DurationVar(&o.maxDuration, "max-duration", 0, "stop after this much running `TIME` "+counted+" (from the configuration: 24h)")
	f.StringSliceVar(&o.perTask, "max-per-task", nil, "stop when a task used so much "+counted+": `WHAT=N` of cost, tokens, dispatches, duration, such as cost=8,tokens=10000000")
	f.StringVar(&o.wait, "wait", "", "wait until a limit of the backend is over: auto (up to 6h), never, or the longest `TIME` (from the configuration: auto)")
}

// LimitFlags puts those that were given on top of the configuration.
func (o *RunFlags) LimitFlags(flags map[string]any) error {
	for name, of := range map[string]struct {
		key   string
		value any
	}{
		"max-dispatches": {"limits.max_dispatches", o.MaxDispatches},
		"max-cost":       {"limits.max_cost_usd", o.maxCost},
		"max-tokens":     {"limits.max_tokens", o.maxTokens},
		"max-duration":   {"limits.max_duration", o.maxDuration},
		"wait":           {"limits.wait", o.wait},
	} {
		if o.Given.Changed(name) {
			flags[of.key] = of.value
		}
	}
	if err := shares("--max-per-phase", "limits.phase.", o.PerPhase, flags); err != nil {
		return err
	}
	return shares("--max-per-task", "limits.task.", o.perTask, flags)
}

// boundKeys are the keys of the budgets that a phase or a task has, by the words of the command line.
var boundKeys = map[string]string{"cost": "max_cost_usd", "tokens": "max_tokens", "dispatches": "max_dispatches", "duration": "max_duration"}

// shares takes the parts of a flag such as --max-per-task cost=8,tokens=10000000. The configuration judges the values.
func shares(flag, group string, parts []string, flags map[string]any) error {
	given := map[string]bool{}
	for _, part := range parts {
		what, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		key, known := boundKeys[what]
		if !ok || !known {
			return console.UsageError("%s %s: write cost=N, tokens=N, dispatches=N or duration=TIME, several with a comma between them", flag, part)
		}
		if given[what] {
			return console.UsageError("%s names %s twice: leave one out", flag, what)
		}
		given[what], flags[group+key] = true, value
	}
	return nil
}
