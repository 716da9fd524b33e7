package checks

import (
	"testing"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
)

// told collects what a run says.
type told []journal.Note

func (t *told) Report(n journal.Note) { *t = append(*t, n) }

// TestValidationIsNotRunBeforeTheWork has no repository to run one in.
func TestValidationIsNotRunBeforeTheWork(t *testing.T) {
	own := machine.Task{Kind: machine.KindPlan, Validation: "test -f b"}
	with := func(change func(*machine.Task)) machine.Task { changed := own; change(&changed); return changed }
	slow := &machine.Baseline{Checks: []machine.Check{{Command: "a", Seconds: 70}, {Command: "b", Seconds: 60}}}
	for name, tc := range map[string]struct {
		task     machine.Task
		mode     string
		baseline *machine.Baseline
		notes    int
	}{
		"switched off":                 {task: own, mode: OldTestsOff},
		"nothing of the kind":          {task: own},
		"the project's commands":       {task: with(func(t *machine.Task) { t.Validation = "" }), mode: OldTestsOn},
		"none is to be run":            {task: with(func(t *machine.Task) { t.ValidationNone = true }), mode: OldTestsOn},
		"a fix":                        {task: with(func(t *machine.Task) { t.Kind = machine.KindVerifyFix }), mode: OldTestsOn},
		"it was":                       {task: with(func(t *machine.Task) { t.Before = &machine.Check{} }), mode: OldTestsOn},
		"an attempt was made":          {task: with(func(t *machine.Task) { t.Attempts = make([]machine.Attempt, 1) }), mode: OldTestsOn},
		"the project has the same":     {task: own, mode: OldTestsOn, baseline: &machine.Baseline{Checks: []machine.Check{{Command: own.Validation}}}},
		"the baseline took too long":   {task: own, mode: OldTestsOn, baseline: slow, notes: 1},
		"the same, of what is trusted": {task: own, mode: OldTestsAnnounced, baseline: slow, notes: 1},
	} {
		var notes told
		d := &desk{s: machine.State{Baseline: tc.baseline, Phases: make([]machine.Phase, 1)}}
		cs := Checks{Judge: Judge{Journal: journal.New(d, nil, &notes, nil, nil)}, OldTests: tc.mode}
		for range 2 {
			if err := cs.Before(t.Context(), tc.task); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if len(notes) != tc.notes {
			t.Errorf("%s: it said %v, want %d", name, notes, tc.notes)
		}
	}
}
