package app

import (
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
)

// StillOpen refuses an answer to another question than the open one, and says what became of it. Who answers from elsewhere than
// the session's terminal has to name the question that they saw.
func StillOpen(s machine.State, gate string) error {
	if s.Gate != nil && s.Gate.ID == gate {
		return nil
	}
	for _, d := range s.Decisions {
		if d.Gate == gate && gate != "" {
			return console.UsageError("gate %s was answered already: %s, by %s at %s", gate, d.Decision, d.By, d.Timestamp.Format(time.RFC3339))
		}
	}
	if s.Gate == nil {
		return console.UsageError("no question is open for %s\nContinue with: autopilot %s", s.SpecPath, shell.QuotePath(s.SpecPath))
	}
	return console.UsageError("%q is not the open question of %s: that is %s (%s)", gate, s.SpecPath, s.Gate.ID, s.Gate.Called())
}
