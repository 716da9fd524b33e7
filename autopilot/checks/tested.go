package checks

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/integrity"
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

// beforeName is that of the tests that ran before a task; the phase is 1-based.
func beforeName(phase int, t machine.Task) string {
	return fmt.Sprintf("phase-%d-%s-tests.json", phase, t.ID)
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
	return j.keepTests(testsName(phase), list)
}

func (j Judge) keepTests(name string, list []validate.Evidence) error {
	var kept []tested
	for _, ev := range list {
		if ev.Counts != nil || len(ev.Results) > 0 {
			kept = append(kept, tested{Command: ev.Command, Dir: ev.Dir, Counts: ev.Counts, Results: ev.Results})
		}
	}
	if len(kept) == 0 && !j.hasTests(name) {
		return nil
	}
	return j.Records.WriteJSON(name, map[string]any{"checks": kept})
}

func (j Judge) hasTests(name string) bool {
	var any struct{}
	return plainfile.ReadJSON(filepath.Join(j.Records.Dir(), name), &any) == nil
}

// testsOf finds in a file what a command told of its tests. Without a record there is nothing to compare with.
func (j Judge) testsOf(name string, like validate.Evidence) (validate.Evidence, bool) {
	var kept struct {
		Checks []tested `json:"checks"`
	}
	if plainfile.ReadJSON(filepath.Join(j.Records.Dir(), name), &kept) != nil {
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
	before, _ := j.testsOf(testsName(0), now)
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
		if gone := insideGone(loss.Replaced, now.Results); len(gone) > 0 {
			findings = append(findings, machine.Finding{
				Severity: machine.Important, Source: "integrity", Title: "tests inside of source files are gone",
				Rationale: now.Command + ": " + validate.Named(gone) + " ran before. Others run now, and the tests of before cannot be put back. A plan that means it says so under Changes tests",
			})
		}
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

// insideGone are those of the tests that are inside of source files, and have not merely moved.
func insideGone(tests []string, now map[string]results.TestResult) (gone []string) {
	for _, test := range tests {
		file, _, named := strings.Cut(test, "::")
		if !named || path.Ext(file) == "" || integrity.RoleOf(file) != integrity.Work {
			continue // also one in a comment of Rust, whose name is the line that it stands in
		}
		moved := func(name string) bool { return strings.HasSuffix(name, test[strings.LastIndex(test, "::"):]) }
		if !slices.ContainsFunc(slices.Collect(maps.Keys(now)), moved) {
			gone = append(gone, test)
		}
	}
	return gone
}

// testsBefore is the last record of a command before the current phase, or that of the phase's first task that brings it.
func (j Judge) testsBefore(now validate.Evidence) validate.Evidence {
	s := j.Journal.State()
	for phase := s.CurrentPhase; phase >= 0; phase-- {
		if before, found := j.testsOf(testsName(phase), now); found {
			return before
		}
	}
	for _, t := range s.Tasks {
		if before, found := j.testsOf(beforeName(s.CurrentPhase+1, t), now); found && t.Before != nil {
			return before
		}
	}
	return validate.Evidence{}
}
