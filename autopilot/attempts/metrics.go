package attempts

import (
	"time"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// metrics tell how a dispatch went that began at a time, and what it used. Of one that an earlier run began, and of one
// that a person still has to do, nothing is known.
func (ats Attempts) metrics(began time.Time, out personas.Outcome) (*machine.Metrics, *machine.Usage) {
	if began.IsZero() || out.Kind == personas.Waiting {
		return nil, nil
	}
	m := out.Metrics
	how := &machine.Metrics{
		Ended: 1, Turns: out.Turns, Seconds: max(0, ats.Now().Sub(began).Seconds()), ToolCalls: m.ToolCalls, ToolFailures: m.ToolFailures,
		Compactions: m.Compactions, Checked: m.Checked, FirstPass: m.FirstPass, Refusals: m.Refusals, Fill: m.Fill, Window: m.Window,
	}
	if m.ToldTools || m.ToldAll {
		how.ToldTools = 1
	}
	if m.ToldAll {
		how.ToldAll = 1
	}
	u := out.Usage
	used := &machine.Usage{Dispatches: 1, InputTokens: u.InputTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD}
	return how, used
}
