package app

import (
	"strings"

	"autopilot/cmd/console"

	"github.com/spf13/pflag"
)

// DeclareLimits are the flags of what may be spent; counted says over what it is counted, such as ", in all runs of the session".
func DeclareLimits(f *pflag.FlagSet, counted string) {
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "max-cost-usd" { // as the configuration calls it
			name = "max-cost"
		}
		return pflag.NormalizedName(name)
	})
	f.Int("max-dispatches", 0, "stop after `N` agent runs (dispatches)"+counted+" (default 200; config key limits.max_dispatches)")
	f.Float64("max-cost", 0, "stop after spending this many `USD`"+counted+", where prices are known (default 20; config key limits.max_cost_usd)")
	f.Int("max-tokens", 0, "stop after `N` tokens, sent and received"+counted+" (default 20 million; config key limits.max_tokens)")
	f.Duration("max-duration", 0, "stop after running for `TIME`"+counted+" (default 24h; config key limits.max_duration)")
	f.StringSlice("max-per-task", nil, "stop when a task reaches a limit of cost, tokens, dispatches or duration"+counted+": `WHAT=N`, such as cost=8,tokens=10000000 (config keys limits.task.*)")
	f.String("wait", "", "wait for the backend's rate limit to end: auto (up to 6h), never, or at most `TIME` (default auto; config key limits.wait)")
}

// DeclarePhaseLimits is the flag of what a phase may spend, for commands that have phases.
func DeclarePhaseLimits(f *pflag.FlagSet, counted string) {
	f.StringSlice("max-per-phase", nil, "stop when a phase reaches a limit of cost, tokens, dispatches or duration"+counted+": `WHAT=N`, such as cost=20,duration=18h (config keys limits.phase.*)")
}

// flagKeys are the keys of the configuration that a flag stands for.
var flagKeys = map[string]string{
	"max-dispatches": "limits.max_dispatches", "max-cost": "limits.max_cost_usd", "max-tokens": "limits.max_tokens",
	"max-duration": "limits.max_duration", "wait": "limits.wait", "parallel": "parallel", "pause-every": "pause_every",
}

// ConfigFlags are the values that the given flags put on top of the configuration, by its keys.
func (o *RunFlags) ConfigFlags() (map[string]any, error) {
	flags := map[string]any{}
	o.Given.Visit(func(f *pflag.Flag) {
		if key := flagKeys[f.Name]; key != "" {
			flags[key] = f.Value.String()
		}
	})
	for _, of := range []string{"phase", "task"} {
		parts, _ := o.Given.GetStringSlice("max-per-" + of) // none where a command has no such flag
		if err := shares("--max-per-"+of, "limits."+of+".", parts, flags); err != nil {
			return nil, err
		}
	}
	return flags, nil
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
