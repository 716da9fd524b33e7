package attempts

import (
	"time"

	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// metrics tell how a dispatch went that began at a time, and what it used. Of one that an earlier run began, and of one
// that a person still has to do, nothing is known.
func (ats Attempts) metrics(began time.Time, out personas.Outcome) (*machine.Metrics, *machine.Usage) {
	if began.IsZero() || out.Kind == personas.Waiting {
		return nil, nil
	}
	how, u := dispatch.Metrics(out, ats.Now().Sub(began)), out.Usage
	used := &machine.Usage{Dispatches: 1, InputTokens: u.InputTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD}
	return &how, used
}
