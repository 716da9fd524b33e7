package machine

import (
	"fmt"
	"strings"
)

// FlakeLine names a flaky test for people.
func FlakeLine(s State, f Flake) string {
	line := fmt.Sprintf("%s (%s, phase %s)", f.Test, f.Command, s.PhaseNumber(f.Phase))
	if f.Times > 1 {
		line = strings.TrimSuffix(line, ")") + fmt.Sprintf(", %d times)", f.Times)
	}
	return line
}

// FlakeLines names the flaky tests of a session, one a line.
func FlakeLines(s State) []string {
	var lines []string
	for _, f := range s.Flakes {
		lines = append(lines, FlakeLine(s, f))
	}
	return lines
}

// VerifiedWords says whether a phase was verified, for people; nil is not checked.
func VerifiedWords(passed *bool) string {
	switch {
	case passed == nil:
		return "not checked"
	case *passed:
		return "yes"
	}
	return "no"
}
