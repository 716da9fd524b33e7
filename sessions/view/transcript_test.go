package view_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

// took is a transcript with what an event adds, a line each: mark, text, seconds, USD, detail.
func took(past *view.Transcript, before machine.State, e machine.Event, after machine.State) string {
	var b strings.Builder
	for _, l := range past.Take(before, e, after) {
		fmt.Fprintf(&b, "%s|%s|%g|%.2f|%s\n", l.Mark, l.Text, l.Seconds, l.USD, strings.Join(l.Detail, "; "))
	}
	return b.String()
}

func TestATranscriptHasALineForEachAttempt(t *testing.T) {
	past := &view.Transcript{Sizes: func(sha string) (view.Commit, bool) {
		return view.Commit{Files: 2, Added: 31, Removed: 4}, sha == "77e01bd9"
	}}
	begun, s := limits(), limits()
	begun.Tasks[1].Attempts, begun.Tasks[1].Status = nil, machine.TaskPending
	past.Take(begun, machine.Event{Type: machine.TaskStarted, Task: "task-002", Base: "b", Time: at}, begun)

	s.Tasks[1].Attempts, s.Tasks[1].Spent.CostUSD = []machine.Attempt{{Result: "failed", Error: "it failed"}}, 0.52
	before := limits()
	before.Tasks[1].Attempts = nil
	checks := []machine.Check{{Command: "go test ./...", Outcome: machine.CheckFailed, Detail: "TestLimitFromKey: limit_test.go:31: got 100, want 20\n"}}
	got := took(past, before, machine.Event{Type: machine.Validated, Task: "task-002", Checks: checks, Time: at.Add(422 * time.Second)}, s)

	after := limits()
	after.Tasks[1].Attempts = append(after.Tasks[1].Attempts, machine.Attempt{Result: "passed"})
	after.Tasks[1].Status, after.Tasks[1].Commit, after.Tasks[1].Spent.CostUSD = machine.TaskCompleted, "77e01bd9", 0.83
	past.Take(s, machine.Event{Type: machine.TaskStarted, Task: "task-002", Base: "b", Time: at.Add(430 * time.Second)}, s)
	got += took(past, s, machine.Event{Type: machine.EffectDone, Commit: "77e01bd9", Time: at.Add(780 * time.Second)}, after)
	want := "failed|2/3 Parse the rules · attempt 1 of 4 · go test ./... failed|422|0.52|TestLimitFromKey: limit_test.go:31: got 100, want 20\n" +
		"passed|2/3 Parse the rules · attempt 2 of 4 · 2 files +31 −4 · 77e01bd|350|0.31|\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	tasks := view.Of(view.Facts{State: after, Past: past, At: at}).Phases[1].Tasks
	if a := tasks[1].Attempts; len(a) != 2 || len(a[0].Checks) != 1 || a[1].USD < 0.3 || a[1].Start.IsZero() {
		t.Errorf("the attempts are %+v", a)
	}
	later := after
	later.CurrentPhase, later.Tasks, later.Phases = 2, nil, slices.Clone(later.Phases)
	later.Phases[1].Status = machine.PhaseDone
	past.Take(after, machine.Event{Type: machine.PlanChecked, Time: at}, later)
	if tasks := view.Of(view.Facts{State: later, Past: past, At: at}).Phases[1].Tasks; len(tasks) != 3 {
		t.Errorf("of a phase that is over %d tasks are known, want 3", len(tasks))
	}
}

func TestCommitsAndTasksOfBeforeAnUndoAreGoneUntilItIsTakenBack(t *testing.T) {
	past, s := &view.Transcript{}, limits()
	first := s
	first.CurrentPhase, first.Tasks, first.Phases = 0, nil, slices.Clone(s.Phases)
	first.Phases[1].Status = machine.PhasePending
	past.Take(first, machine.Event{Type: machine.EffectDone, Commit: "aa", Time: at}, first)
	begins := s
	begins.UpdatedAt, begins.Tasks = at.Add(time.Minute), nil
	past.Take(s, machine.Event{Type: machine.EffectDone, Commit: "bb", Time: at.Add(time.Hour)}, s)
	final := s
	final.CurrentState = machine.FinalReview
	past.Take(s, machine.Event{Type: machine.PhaseRecorded, Time: at.Add(time.Hour)}, final)

	final.Undoing = &machine.Undo{Phase: "2", Ref: "refs/kept", State: &begins}
	past.Take(final, machine.Event{Type: machine.Undone, Time: at.Add(2 * time.Hour)}, first)
	v := view.Of(view.Facts{State: first, Past: past, At: at})
	if len(v.Commits) != 1 || v.Commits[0].SHA != "aa" || len(v.Phases[1].Tasks) != 0 {
		t.Errorf("behind the undo there are %+v, and tasks %+v", v.Commits, v.Phases[1].Tasks)
	}
	first.Undoing = &machine.Undo{Phase: "2", Ref: "refs/kept", Back: true, State: &s}
	past.Take(first, machine.Event{Type: machine.Undone, Time: at.Add(3 * time.Hour)}, s)
	if v := view.Of(view.Facts{State: s, Past: past, At: at}); len(v.Commits) != 2 || len(v.Phases[1].Tasks) != 3 {
		t.Errorf("with the undo taken back there are %+v, and tasks %+v", v.Commits, v.Phases[1].Tasks)
	}
}

func TestATranscriptTellsOfRunsPhasesAndAnswers(t *testing.T) {
	s := limits()
	resumed := s
	resumed.Runs = 2
	over := s
	over.History = []machine.HistoryEntry{{Phase: 1, TasksCompleted: 3, RetriesUsed: 1, Outcome: "complete", VerificationPassed: new(bool), StartedAt: at.Add(-time.Hour), CompletedAt: at}}
	over.Elapsed += 3600
	*over.History[0].VerificationPassed = true
	over.Register = machine.Register{}.Raise(machine.Entry{Phase: 2, Finding: machine.Finding{Severity: machine.Suggestion, File: "store.go", Line: 40, Title: "expiry is never tested"}})
	asked := asking(machine.GateApprovePlan, "Run it?", "the phase is of high complexity")
	answered := s
	answered.Decisions = []machine.Decision{{Decision: "approve_plan: yes", Gate: "g45", By: "human", PlanSHA: "sha", Phase: 1}}
	for name, c := range map[string]struct {
		before machine.State
		e      machine.Event
		after  machine.State
		want   string
	}{
		"resumed":   {s, machine.Event{Type: machine.RunStarted, Time: s.UpdatedAt.Add(28 * time.Minute)}, resumed, "|Resumed · phase 2 (Rule engine), task 2 of 3 · stopped 28 min|0|0.00|\n"},
		"phase":     {s, machine.Event{Type: machine.PhaseRecorded, Time: at}, over, "passed|Phase 2 done · 3 tasks, 1 retry · checked|3600|0.00|F1 suggestion: store.go:40: expiry is never tested\n"},
		"asked":     {s, machine.Event{Type: machine.PlanWeighed, Time: at}, asked, "asking|Approve the plan of phase 2 (Rule engine)|0|0.00|the phase is of high complexity\n"},
		"answered":  {asked, machine.Event{Type: machine.Answered, Time: at}, answered, "passed|You approved the plan · 3 tasks (3 without a check of its own)|540|0.00|\n"},
		"dismissed": {s, machine.Event{Type: machine.FindingDismissed, Finding: "F3", Detail: "never empty", By: "human"}, s, "|You dismissed finding F3 · never empty|0|0.00|\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, took(&view.Transcript{}, c.before, c.e, c.after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
