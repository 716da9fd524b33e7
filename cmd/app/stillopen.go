package app

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
)

// Answering runs autopilot answer for somebody who isn't at a terminal, once the question is the one that they saw, and gives what it
// says. run gives what a command prints. An answer that was written, and is taken by the next run, is no error.
func Answering(s machine.State, a machine.Answer, rel string, run func(args ...string) (string, error)) (string, error) {
	if err := StillOpen(s, a.Gate); err != nil {
		return "", err
	}
	said, err := run("answer", "--gate="+a.Gate, "--reason="+a.Reason, "--summary="+a.Summary, fmt.Sprintf("--phase=%d", a.Phase), "--", rel, a.Option)
	if later, ok := errors.AsType[*console.CodedError](err); ok && later.Err == nil {
		err = nil
	}
	return strings.TrimSpace(said), err
}

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
