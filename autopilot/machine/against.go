package machine

import (
	"slices"
	"strings"
)

// ChecksAgainst is why a task does not pass by these checks, with the category of the log; "" where none of them failed
// that a human did not go on without.
func (s State) ChecksAgainst(checks []Check) (category, reason string) {
	late := s.Unaccepted(ChecksWith(checks, CheckTimedOut))
	failed := append(ChecksWith(checks, CheckFailed), late...)
	if len(late) > 0 {
		category = "TIMEOUT"
	} else if len(failed) > 0 {
		category = "TEST_FAIL"
	}
	return category, strings.Join(Details(failed), "\n")
}

// FindingsAgainst is why a task does not pass by what was found in its work; "" where nothing of it blocks.
func FindingsAgainst(findings []Finding) string {
	return strings.Join(Describe(Blocking(findings, Standard)), "\n")
}

// RecordAgainst is what the record of an event says against the task or the phase that rests on it; "" is nothing.
func (s State) RecordAgainst(kind EventType, checks []Check, found []Finding) string {
	bad, rigor := s.NotPassed(checks), s.RigorLevel
	if kind == Validated {
		rigor = Standard
		_, found = s.SplitUnproven(found)
	} else {
		bad = append(bad, s.Unaccepted(ChecksWith(checks, CheckBaselineRed))...)
	}
	findings := Blocking(s.Unanswered(found), rigor)
	switch {
	case len(bad) > 0:
		return "its record says that " + Commands(bad) + " did not pass"
	case len(findings) > 0:
		return "its record has a blocking finding: " + Titles(findings)
	}
	for _, c := range ChecksWith(checks, CheckPassed) {
		if c.ExitCode != 0 && c.Source != ScriptSource {
			return "its record has " + c.Name() + " as passed with an exit code other than 0"
		}
	}
	return ""
}

// NotPassed are the checks that speak against what they are to show.
func (s State) NotPassed(checks []Check) []Check {
	return append(ChecksWith(checks, CheckFailed), s.Unaccepted(ChecksWith(checks, CheckTimedOut, CheckCouldNot))...)
}

// Unaccepted leaves out what a human said to go on without.
func (s State) Unaccepted(checks []Check) []Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return slices.Contains(s.AcceptedRed, c.Name()) })
}

// PassedBefore are the commands that passed in an earlier phase and were no part of the last one's verification: a later
// phase may have broken what they show. Each is there once, in the order of the phases.
func (s State) PassedBefore() []Check {
	known := map[string]bool{}
	for _, c := range s.Phases[s.CurrentPhase].Checks {
		known[c.Name()] = true
	}
	var list []Check
	for i, p := range s.Phases {
		if i == s.CurrentPhase || p.Status != PhaseDone {
			continue
		}
		for _, c := range p.Checks {
			if c.Outcome == CheckPassed && c.Source != ScriptSource && !known[c.Name()] {
				known[c.Name()] = true
				list = append(list, c)
			}
		}
	}
	return list
}
