package journal

import (
	"maps"

	"autopilot/autopilot/machine"
)

// tagged names the task in front of what is told while several are at work.
type tagged struct {
	Reporter
	task string
}

// Report passes a note on under the task's name.
func (t tagged) Report(n Note) {
	n.Text = t.task + ": " + n.Text
	n.Fields = maps.Clone(n.Fields)
	if n.Fields == nil {
		n.Fields = map[string]any{}
	}
	n.Fields["task"] = t.task
	t.Reporter.Report(n)
}

// besideOthers is the task in whose lane an event happened; "" is the run's own working tree.
func besideOthers(before machine.State, ev machine.Event) string {
	for _, t := range before.Tasks {
		if t.Lane == nil {
			continue
		}
		flight := t.Lane.Flight != nil && ev.Ended != nil && ev.Ended.ID == t.Lane.Flight.ID
		if flight || ev.Dispatch != nil && ev.Dispatch.Task == t.ID || ev.Type == machine.Validated && ev.Task == t.ID {
			return t.ID
		}
	}
	return ""
}
