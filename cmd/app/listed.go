package app

import (
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// Listed is a session as list --json shows it.
type Listed struct {
	Session    string       `json:"session"`
	Spec       string       `json:"spec,omitempty"`
	State      machine.Name `json:"state,omitempty"`
	Phase      int          `json:"phase,omitempty"` // 1-based
	Phases     int          `json:"phases,omitempty"`
	Gate       string       `json:"gate,omitempty"`
	LastActive time.Time    `json:"lastActive,omitzero"`
	Next       string       `json:"next,omitempty"`
	Error      string       `json:"error,omitempty"`
}

// RowOf is the row of a session, also of one that cannot be read.
func RowOf(one sessions.Summary) Listed {
	if one.Err != nil {
		return Listed{Session: one.Slug, Error: one.Err.Error()}
	}
	s := one.State
	r := Listed{Session: one.Slug, Spec: s.SpecPath, State: s.CurrentState, Phase: s.CurrentPhase + 1, Phases: len(s.Phases), LastActive: s.UpdatedAt, Next: NextCommand(s)}
	if s.Gate != nil {
		r.Gate = string(s.Gate.Kind)
	}
	return r
}

// NextCommand is what to type next.
func NextCommand(s machine.State) string {
	switch {
	case s.CurrentState == machine.Done && s.Step == machine.StepClosed && s.Branch != "":
		return TheCommits(s)
	case s.Gate != nil && s.Gate.Kind != machine.GatePlanWanted && len(s.Gate.Options) > 0:
		return console.GateCommands(*s.Gate, s.SpecPath)[console.Offered(*s.Gate)[0].Name]
	}
	return "autopilot " + shell.QuotePath(s.SpecPath)
}

// TheCommits is the command that lists a finished session's commits; "" where an older program recorded no branch.
func TheCommits(s machine.State) string {
	if s.Branch == "" {
		return ""
	}
	return "git log --oneline " + s.StartingCommit[:min(8, len(s.StartingCommit))] + ".." + s.Branch
}
