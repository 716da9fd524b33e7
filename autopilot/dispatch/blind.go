package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// Blind writes the brief for the blind checks of a phase: spec, phase and README, and nothing of the plan, the change or the
// session; export is the folder with the code.
func (w Briefs) Blind(s machine.State, step machine.Step, d personas.Dispatch, f Facts, export string) (personas.Brief, error) {
	p := s.Phases[step.Phase-1]
	b := personas.Brief{
		Purpose: personas.Blind, Rigor: personas.Rigor(s.RigorLevel), SpecTitle: s.Spec.Title, Criteria: s.Spec.Criteria,
		ReplyPath: d.ReplyPath, Attempt: step.Attempt, Failure: p.Failure, Validations: f.Validations,
		Phase: personas.PhaseBrief{Number: p.Number, Name: p.Name, Complexity: string(p.Complexity), Index: step.Phase, Of: len(s.Phases), Text: f.PhaseText},
	}
	text, err := os.ReadFile(filepath.Join(w.Dir, "spec.md"))
	if err != nil {
		return b, err
	}
	b.SpecText = w.Mask.Shorten(string(text), min(maxDiff, f.share(textShare, maxDiff)))
	if readme, err := plainfile.ReadIn(export, "README.md"); err == nil {
		b.MoreContext = append(b.MoreContext, personas.Section{Title: "README.md", Text: w.Mask.Shorten(string(readme), maxFile)})
	}
	b.MoreContext = append(b.MoreContext, couldNotRun(p.Blind)...)
	return b, nil
}

// couldNotRun shows the author the checks that could not run.
func couldNotRun(b *machine.Blind) []personas.Section {
	if b == nil || len(b.With(machine.CheckCouldNot)) == 0 {
		return nil
	}
	var text strings.Builder
	for _, c := range b.With(machine.CheckCouldNot) {
		fmt.Fprintf(&text, "\"%s\"\n%s\n", c.Quote, c.Command)
		for _, f := range c.Files {
			fmt.Fprintf(&text, "%s:\n%s\n", f.Path, strings.TrimSpace(f.Text))
		}
		fmt.Fprintf(&text, "It ends with exit code %d:\n%s\n\n", c.ExitCode, c.Output)
	}
	return []personas.Section{{Title: "Your checks that did not start, parse or import: hand in these alone, mended, or leave out what cannot be", Text: text.String()}}
}

// blindFailures lists the failed checks that need a verdict.
func blindFailures(b *machine.Blind) (failures []personas.BlindFailure) {
	if b == nil {
		return nil
	}
	for _, c := range b.With(machine.CheckFailed) {
		if c.Answer == machine.VerdictCheck {
			continue
		}
		f := personas.BlindFailure{ID: c.ID, Quote: c.Quote, Command: c.Command, ExitCode: c.ExitCode, Output: c.Output, Before: c.Before}
		for _, file := range c.Files {
			f.Files = append(f.Files, personas.CheckFile(file))
		}
		failures = append(failures, f)
	}
	return failures
}
