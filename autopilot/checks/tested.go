package checks

import (
	"fmt"
	"path/filepath"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/validate/results"
)

// testsName is a file in the session's folder with the names of the tests that ran, for later comparison. They are too
// many for the state.
func testsName(phase int) string {
	if phase == 0 {
		return "baseline-tests.json"
	}
	return fmt.Sprintf("phase-%d-tests.json", phase)
}

// tested is what a command's output told of its tests.
type tested struct {
	Command string                        `json:"command"`
	Dir     string                        `json:"dir,omitempty"`
	Counts  *results.TestCounts           `json:"counts,omitempty"`
	Results map[string]results.TestResult `json:"results,omitempty"`
}

// KeepTests keeps what the commands told of their tests: phase 0 is the baseline, others are 1-based.
func (j Judge) KeepTests(phase int, list []validate.Evidence) error {
	var kept []tested
	for _, ev := range list {
		if ev.Counts != nil || len(ev.Results) > 0 {
			kept = append(kept, tested{Command: ev.Command, Dir: ev.Dir, Counts: ev.Counts, Results: ev.Results})
		}
	}
	if len(kept) == 0 && !j.hasTests(phase) {
		return nil
	}
	return j.Records.WriteJSON(testsName(phase), map[string]any{"checks": kept})
}

func (j Judge) hasTests(phase int) bool {
	var any struct{}
	return plainfile.ReadJSON(filepath.Join(j.Records.Dir(), testsName(phase)), &any) == nil
}

// testsOf finds what a command told of its tests at the end of a phase, or at the baseline. Without a record there is
// nothing to compare with.
func (j Judge) testsOf(phase int, like validate.Evidence) (validate.Evidence, bool) {
	var kept struct {
		Checks []tested `json:"checks"`
	}
	if plainfile.ReadJSON(filepath.Join(j.Records.Dir(), testsName(phase)), &kept) != nil {
		return validate.Evidence{}, false
	}
	for _, t := range kept.Checks {
		if t.Command == like.Command && sameDir(t.Dir, like.Dir) {
			return validate.Evidence{Command: like.Command, Dir: like.Dir, Counts: t.Counts, Results: t.Results}, true
		}
	}
	return validate.Evidence{}, false
}

// baselineTests is the baseline of a command: which tests failed, and which ran.
func (j Judge) baselineTests(now validate.Evidence) validate.Evidence {
	before, _ := j.testsOf(0, now)
	if c := j.baseline(now.Command, now.Dir); c.Command != "" {
		before.Command, before.Dir, before.FailedTests = now.Command, now.Dir, c.FailedTests
	}
	return before
}

// Lost makes a finding of each command that runs fewer tests than at the end of the phase before, or at the baseline,
// unless the plan announces changed tests.
func (j Judge) Lost(root string, list []validate.Evidence, tasks []machine.Task) []machine.Finding {
	for _, t := range tasks {
		if len(t.ChangesTests) > 0 {
			return nil
		}
	}
	var findings []machine.Finding
	for _, now := range list {
		if now.Outcome != validate.Passed && now.Outcome != validate.Failed && now.Outcome != validate.NothingToRun {
			continue
		}
		loss, fewer := validate.Fewer(j.testsBefore(now), now)
		if !fewer {
			continue
		}
		file, line := validate.Locate(root, now.Dir, loss)
		findings = append(findings, machine.Finding{
			Severity: machine.Critical, File: file, Line: line, Source: "integrity", Title: "fewer tests ran than before",
			Rationale: now.Command + ": " + loss.String() + ". Have them run again; a plan that means it says so under Changes tests",
		})
	}
	return findings
}

// testsBefore is the last record of a command before the current phase.
func (j Judge) testsBefore(now validate.Evidence) validate.Evidence {
	for phase := j.Journal.State().CurrentPhase; phase >= 0; phase-- {
		if before, found := j.testsOf(phase, now); found {
			return before
		}
	}
	return validate.Evidence{}
}
