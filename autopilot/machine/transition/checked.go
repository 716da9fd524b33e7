package transition

import (
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// settle takes commands that pass now off the list of those a human went on without, and lists flaky tests; task is whose
// the checks are, "" of none.
func settle(s *machine.State, task string, checks []machine.Check) {
	noteFlakes(s, task, checks)
	for _, c := range machine.ChecksWith(checks, machine.CheckPassed) {
		s.AcceptedRed = slices.DeleteFunc(s.AcceptedRed, func(name string) bool { return name == c.Name() })
	}
}

// noteFlakes lists the flaky tests that checks met.
func noteFlakes(s *machine.State, task string, checks []machine.Check) {
	for _, c := range checks {
		for _, test := range c.Flakes {
			known := slices.IndexFunc(s.Flakes, func(f machine.Flake) bool {
				return f.Test == test && f.Command == c.Name() && f.Phase == s.CurrentPhase
			})
			if known >= 0 {
				s.Flakes[known].Times++
				continue
			}
			s.Flakes = append(s.Flakes, machine.Flake{Test: test, Command: c.Name(), Phase: s.CurrentPhase, Task: task, Times: 1})
		}
	}
}

// against are the blocking findings of an event of checks, and one for each command that did not pass.
func (m *move) against() []machine.Finding {
	return append(fromChecks(m.s.NotPassed(m.e.Checks)), machine.Blocking(m.s.Unanswered(m.e.Findings), m.s.RigorLevel)...)
}

// fromChecks makes a finding of each command that did not pass.
func fromChecks(checks []machine.Check) []machine.Finding {
	var findings []machine.Finding
	for _, c := range checks {
		title := c.Name() + " " + strings.ReplaceAll(c.Outcome, "_", " ")
		if n := len(c.Blamed); n > 0 && n <= maxBlamed {
			title += ": " + strings.Join(c.Blamed, ", ")
		}
		findings = append(findings, machine.Finding{
			Severity: machine.Critical, Title: title, Rationale: c.Detail,
			Source: "check", Command: c.Command, Dir: c.Dir,
		})
	}
	return findings
}

// maxBlamed is how many failed tests a title names.
const maxBlamed = 3

func nonBlocking(findings []machine.Finding, rigor machine.Rigor) []machine.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f machine.Finding) bool { return f.Blocks(rigor) })
}

// overridden are the findings that a human went on in spite of.
func overridden(findings []machine.Finding) []machine.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f machine.Finding) bool { return !f.Overridden })
}

// overrule marks what blocks as something that a human goes on in spite of. What was overridden in the same words
// before stands there once.
func overrule(findings []machine.Finding, rigor machine.Rigor) []machine.Finding {
	var list []machine.Finding
	for _, f := range findings {
		f.Overridden = f.Overridden || f.Blocks(rigor)
		if !f.Overridden || !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}
