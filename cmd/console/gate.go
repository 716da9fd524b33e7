package console

import (
	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

// GateView is a gate as --json shows it: with the commands that answer it.
type GateView struct {
	machine.Gate
	Commands map[string]string `json:"commands"`
}

// ShownGate is a gate of the spec at a path as --json shows it.
func ShownGate(g machine.Gate, spec string) *GateView {
	return &GateView{Gate: g.Shown(), Commands: view.Commands(g, spec)}
}
