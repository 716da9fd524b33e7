package report

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

// Proof is a comparison of old and new, by running: tests of before on the code of now, or tests of now on the code of before.
type Proof struct {
	Phase   int
	Task    string
	Command string
	Before  string // how the command ended before the work
	After   string // and after it
	Fixed   bool   // it failed and passes now; else it passed and still has to
	Holds   bool
	Tests   string // which ones, or what else is known
}

const (
	withOld    = " with the tests of before"
	withoutNew = " without the change"
)

// prove adds what a run of commands shows beside what was before.
func (r *Record) prove(run Run, lines []string) {
	if run.Baseline {
		return
	}
	// A phase's last word counts, and an attempt's that passed.
	r.Proofs = slices.DeleteFunc(r.Proofs, func(p Proof) bool { return p.Phase == run.Phase && p.Task == run.Task })
	if run.Task != "" && !machine.Passing(run.Checks) {
		return
	}
	for _, line := range lines {
		if p, ok := provedBy(line, run.Checks); ok {
			p.Phase, p.Task = run.Phase, run.Task
			r.Proofs = append(r.Proofs, p)
		}
	}
	if was, known := r.before[run.Task]; known && run.Task != "" && !machine.Passing([]machine.Check{was}) {
		for _, c := range run.Checks {
			if c.Command == was.Command && c.Dir == was.Dir {
				r.Proofs = append(r.Proofs, Proof{
					Phase: run.Phase, Task: run.Task, Command: c.Name(), Before: ending(was), After: ending(c), Fixed: true, Holds: c.Outcome == machine.CheckPassed,
					Tests: strings.Join(was.FailedTests, ", "),
				})
			}
		}
	}
	if run.Task == "" {
		r.baseline(run)
	}
}

// baseline compares what passed before anything changed with a phase's last checks.
func (r *Record) baseline(run Run) {
	for _, old := range r.Runs {
		for _, was := range old.Checks {
			at := slices.IndexFunc(run.Checks, func(c machine.Check) bool { return c.Command == was.Command && c.Dir == was.Dir })
			if !old.Baseline || was.Outcome != machine.CheckPassed || at < 0 {
				continue
			}
			now := run.Checks[at]
			r.Proofs = append(r.Proofs, Proof{
				Phase: run.Phase, Command: now.Name(), Before: ending(was), After: ending(now), Holds: now.Outcome == machine.CheckPassed, Tests: tests(now, was),
			})
		}
	}
}

// provedBy reads a line of what running old and new tests showed.
func provedBy(line string, checks []machine.Check) (Proof, bool) {
	for _, c := range checks {
		rest, ok := strings.CutPrefix(line, c.Command)
		if !ok {
			continue
		}
		p := Proof{Command: c.Name(), After: ending(c), Tests: strings.TrimLeft(rest, ": "), Fixed: strings.Contains(rest, withoutNew)}
		if p.Fixed {
			p.Before = "new tests, code of before"
			p.Holds = strings.Contains(rest, "fail"+withoutNew) || strings.Contains(rest, "fails"+withoutNew)
			return p, true
		}
		p.Before, p.Holds = "tests of before, code of now", strings.Contains(rest, " passes"+withOld)
		return p, strings.Contains(rest, withOld)
	}
	return Proof{}, false
}

// ending is how a command ended.
func ending(c machine.Check) string {
	return fmt.Sprintf("%s, exit %d", strings.ReplaceAll(c.Outcome, "_", " "), c.ExitCode)
}

// tests says how many ran, and how many of these are new; "" where the output does not tell.
func tests(c, was machine.Check) string {
	if c.Tests == nil {
		return ""
	}
	text := view.Grouped(c.Tests.Ran) + " tests"
	if was.Tests != nil && c.Tests.Ran > was.Tests.Ran {
		text += fmt.Sprintf(", %s new", view.Grouped(c.Tests.Ran-was.Tests.Ran))
	}
	return text
}
