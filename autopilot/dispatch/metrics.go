package dispatch

import (
	"time"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// Metrics tell how a dispatch went that took a time.
func Metrics(out personas.Outcome, took time.Duration) machine.Metrics {
	m := out.Metrics
	how := machine.Metrics{
		Ended: 1, Turns: out.Turns, Seconds: max(0, took.Seconds()), ToolCalls: m.ToolCalls, ToolFailures: m.ToolFailures,
		Compactions: m.Compactions, Checked: m.Checked, FirstPass: m.FirstPass, Refusals: m.Refusals, Fill: m.Fill, Window: m.Window,
		Advised: m.Advised, Repeats: m.Repeats, Edits: m.Edits,
	}
	for _, tool := range m.Tools {
		how.Tools = append(how.Tools, machine.Tool(tool))
	}
	if m.ToldTools || m.ToldAll {
		how.ToldTools = 1
	}
	if m.ToldAll {
		how.ToldAll = 1
	}
	return how
}
