package transition

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

func TestFirstEventMakesTheWholeState(t *testing.T) {
	first := fresh(machine.Fast, machine.Low)
	s, err := Apply(machine.State{}, machine.Event{Rev: 1, Type: machine.Created, Initial: &first, Time: day})
	if err != nil {
		t.Fatal(err)
	}
	if s.SchemaVersion != machine.SchemaVersion || s.CurrentState != machine.Init || s.Step != machine.StepBranch || s.Revision != 1 || !s.UpdatedAt.Equal(day) {
		t.Errorf("it stands at %s %s, revision %d, version %d", s.CurrentState, s.Step, s.Revision, s.SchemaVersion)
	}
	if s.FinalReview.Status != "pending" {
		t.Errorf("the final review is %q", s.FinalReview.Status)
	}
}

func TestImportedSessionGoesOnWhereItStood(t *testing.T) {
	first := fresh(machine.Standard, machine.Low, machine.Low)
	first.CurrentState, first.Step, first.CurrentPhase, first.IsImported = machine.ApprovePlan, machine.StepWeigh, 1, true
	s, err := Apply(machine.State{}, machine.Event{Rev: 1, Type: machine.Imported, Initial: &first})
	if err != nil || s.CurrentState != machine.ApprovePlan || s.CurrentPhase != 1 {
		t.Errorf("%s phase %d: %v", s.CurrentState, s.CurrentPhase, err)
	}
}

func TestSessionWithoutAPhaseOnlyKeepsBooks(t *testing.T) {
	s, err := Apply(machine.State{}, machine.Event{Rev: 1, Type: machine.Created, Initial: &machine.State{SessionID: "s"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Apply(s, machine.Event{Rev: 2, Type: machine.RunStarted}); err != nil {
		t.Errorf("a run cannot start: %v", err)
	}
	for _, e := range []machine.EventType{machine.Branched, machine.SpecReread, machine.PhaseRedone, machine.GateRaised, machine.Answered} {
		var illegal *machine.IllegalEventError
		if _, err := Apply(s, machine.Event{Rev: 2, Type: e, Commit: "c"}); !errors.As(err, &illegal) {
			t.Errorf("%s gave %v", e, err)
		}
	}
}

func TestPlanIsAHumansWhereOneAskedForIt(t *testing.T) {
	first := fresh(machine.Standard, machine.Low)
	first.Phases[0].PlanWanted = true
	w := newWorld(t, newReached(), first)
	w.until(words{"gate", "plan_wanted"})
	if want := "The plan of phase 1 (A) is yours to make. Is it there?"; w.s.Gate.Question != want {
		t.Errorf("the question is %q", w.s.Gate.Question)
	}
}

func TestDispatchForAnotherTaskIsRefused(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
	w.until(words{"EXECUTE", "dispatch"})
	err := w.report(machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{ID: "d", Persona: "executor", Task: "task-002"}})
	if err == nil || !strings.Contains(err.Error(), "another task") {
		t.Errorf("it gave %v", err)
	}
}

func TestLimitIsKeptUntilTheBackendIsUsedAgain(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
	w.until(words{"PLAN", "plan_reply"})
	end := dispatchEnded(w, words{"rate_limited"})
	end.Ended.Backend = "one"
	if err := w.report(end); err != nil {
		t.Fatal(err)
	}
	if w.s.LimitedUntil == nil || !w.s.LimitedUntil.After(w.now) || w.s.LimitedBackend != "one" {
		t.Errorf("limited until %v, %q", w.s.LimitedUntil, w.s.LimitedBackend)
	}
	if err := w.report(smooth(w.s)); err != nil || w.s.LimitedUntil != nil || w.s.LimitedBackend != "" {
		t.Errorf("still limited until %v, %q (%v)", w.s.LimitedUntil, w.s.LimitedBackend, err)
	}
}

func TestDecisionByRuleHoldsTheSignals(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
	w.until(words{"APPROVE_PLAN"})
	if err := w.report(weighed(w, words{"dirty", "ci"})); err != nil {
		t.Fatal(err)
	}
	d := w.s.Decisions[0]
	if d.Signals == nil || len(d.Signals.DirtyFiles) != 1 || len(d.Signals.ChecksTouched) != 1 || d.Signals.Tasks != 2 {
		t.Errorf("the signals are %+v", d.Signals)
	}
	if d.PlanSHA != "plan-of-2" || d.By != "rule" {
		t.Errorf("the decision is %+v", d)
	}
}

func TestAnswerIsRecordedWithItsGate(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Thorough, machine.Low))
	w.until(words{"gate", "approve_plan"})
	gate := w.s.Gate.ID
	if err := w.report(answer(w, words{"yes"})); err != nil {
		t.Fatal(err)
	}
	d := w.s.Decisions[len(w.s.Decisions)-1]
	if d.Gate != gate || d.State != machine.ApprovePlan || d.PlanSHA == "" || !d.Timestamp.Equal(w.now) {
		t.Errorf("the decision is %+v", d)
	}
}

func TestPassedCheckpointStaysPassedInAnEditedPlan(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
	w.until(words{"PLAN", "find"})
	for _, e := range []machine.Event{planned(w, words{"1", "decision=1"}), {Type: machine.PlanWeighed, Weighed: &machine.Weighed{}}} {
		if err := w.report(e); err != nil {
			t.Fatal(err)
		}
	}
	w.until(words{"gate", "checkpoint"})
	if err := w.report(answer(w, words{"2"})); err != nil {
		t.Fatal(err)
	}
	if err := w.report(planned(w, words{"2", "decision=1"})); err != nil {
		t.Fatal(err)
	}
	if c := w.s.Checkpoints[0]; !c.Passed || c.Answer != "right" {
		t.Errorf("the checkpoint is %+v", c)
	}
}

func TestNextSaysWhatTheDriverHasToDo(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Standard, machine.Low))
	w.until(words{"FINAL_REVIEW"})
	if step := machine.Next(w.s); step.Phase != 0 || step.Persona != "reviewer" || step.Purpose != "final" || step.Attempt != 1 {
		t.Errorf("the final review is %+v", step)
	}
	w.until(words{"DONE", "close"})
	if step := machine.Next(w.s); step.Closing != machine.Closing[0] {
		t.Errorf("closing begins with %q", step.Closing)
	}
	w.until(words{"DONE", "closed"})
	if step := machine.Next(w.s); step.Name != machine.StepEnd {
		t.Errorf("it ends with %s", step.Name)
	}
	w.s.ClosingDone = []string{"summary", "handoff", "learnings", "pr"}
	if step := machine.Next(w.s); step.Name != machine.StepClose || step.Closing != "roadmap" {
		t.Errorf("a session that was closed by a shorter list goes on with %+v", step)
	}
	if _, ok := w.s.Task("task-999"); ok {
		t.Error("a task that is not there was found")
	}
}

// TestStateKeepsItsNamesInJSON: other tools read these keys.
func TestStateKeepsItsNamesInJSON(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Standard, machine.Low))
	w.until(words{"EXECUTE", "reply"})
	var doc map[string]json.RawMessage
	if err := json.Unmarshal([]byte(encode(t, w.s)), &doc); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"schemaVersion", "stateCrc", "revision", "sessionId", "sessionSlug", "sessionDir", "specPath", "spec", "startingCommit",
		"branch", "rigorLevel", "reviewPlans", "currentState", "step", "currentPhase", "phases", "tasks", "inFlight", "retryBudget",
		"gate", "decisions", "history", "finalReview", "usage", "runs", "baseline",
	} {
		if _, ok := doc[key]; !ok {
			t.Errorf("the state has no key %s", key)
		}
	}
}

func TestTimeThatRunsBackwardsCountsAsNone(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
	before := w.s.Elapsed
	e := smooth(w.s)
	e.Time = day.Add(-time.Hour)
	if err := w.report(e); err != nil || w.s.Elapsed != before {
		t.Errorf("running time went from %g to %g (%v)", before, w.s.Elapsed, err)
	}
}

func TestTimeInWhichTheMachineSleptIsNoRunningTime(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
	for _, c := range []struct{ passed, slept, ran float64 }{{3600, 3000, 600}, {60, 9000, 0}} {
		before := w.s
		e := smooth(w.s)
		e.Time, e.Slept = before.UpdatedAt.Add(time.Duration(c.passed)*time.Second), c.slept
		if err := w.report(e); err != nil || w.s.Elapsed-before.Elapsed != c.ran {
			t.Errorf("%+v: running time went from %g to %g (%v)", c, before.Elapsed, w.s.Elapsed, err)
		}
	}
}

func TestTimeInWhichTheMachineSleptIsNoTimeOfATask(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
	w.until(words{"EXECUTE", "reply"})
	id, begun := w.s.CurrentTask, w.s
	step := func(passed, slept float64, e machine.Event) {
		t.Helper()
		e.Time, e.Slept = w.s.UpdatedAt.Add(time.Duration(passed)*time.Second), slept
		if err := w.report(e); err != nil {
			t.Fatal(err)
		}
	}
	step(3600, 3590, machine.Event{Type: machine.Used, Task: id, Usage: &machine.Usage{}})
	if got := w.s.SpentOn(id).Seconds; got != 10 {
		t.Errorf("in flight: %g seconds", got)
	}
	if got := begun.SpentOn(id).Seconds; got != 0 {
		t.Errorf("the state from before the sleep says %g seconds now", got)
	}
	step(3600, 3580, smooth(w.s))
	if got := w.s.SpentOn(id).Seconds; got != 30 {
		t.Errorf("at its end: %g seconds", got)
	}
}

// TestPlanApprovedWithADependencyThatIsNotThereIsAskedAbout: a session of an older program may stand there.
func TestPlanApprovedWithADependencyThatIsNotThereIsAskedAbout(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
	w.until(words{"EXECUTE", "pick"})
	w.s.Tasks[1].DependsOn = []string{"task-999"}
	w.until(words{"gate", "tasks_exhausted"})
	if got := w.s.Gate.Context; len(got) != 1 || got[0] != "task-002 Do 2: it waits for task-999" {
		t.Errorf("the question says %q", got)
	}
}

func TestMetricsOfDispatchesAreSummed(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
	for w.s.Step != machine.StepReply {
		if err := w.report(smooth(w.s)); err != nil {
			t.Fatal(err)
		}
	}
	before := w.s
	e := smooth(w.s)
	e.Ended.Metrics = &machine.Metrics{Ended: 1, Turns: 3, ToolCalls: 4, Fill: 5, Window: 10}
	if err := w.report(e); err != nil {
		t.Fatal(err)
	}
	if got := w.s.Metrics; !cmp.Equal(got, before.Metrics.Plus(*e.Ended.Metrics)) || got.Turns != 3 {
		t.Errorf("%+v", got)
	}
	if shown := machine.FinalShown(w.s); shown["metrics"] == nil || machine.FinalShown(before)["metrics"] != nil {
		t.Errorf("%v, and of a session without any %v", shown["metrics"], machine.FinalShown(before)["metrics"])
	}
}

// TestMetricsOfATaskAreItsOwn: where its dispatch names it; an older program named none, and its journals lead where they led.
func TestMetricsOfATaskAreItsOwn(t *testing.T) {
	how := machine.Metrics{Ended: 1, Turns: 3, Seconds: 2, ToolCalls: 2, ToldAll: 1, Tools: []machine.Tool{{Name: "search", Calls: 2, Failures: 1}}}
	inTask := how
	inTask.Tasks, inTask.TaskTurns, inTask.TaskSeconds = 1, 3, 2
	for named, want := range map[string][2]machine.Metrics{"": {{}, how}, "task-001": {how, inTask}} {
		w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
		for w.s.CurrentState != machine.Execute || w.s.Step != machine.StepReply {
			if err := w.report(smooth(w.s)); err != nil {
				t.Fatal(err)
			}
		}
		e := smooth(w.s)
		e.Ended.Metrics, e.Ended.Task = &how, named
		if err := w.report(e); err != nil {
			t.Fatal(err)
		}
		if task, _ := w.s.Task("task-001"); !cmp.Equal(task.Metrics, want[0]) || !cmp.Equal(w.s.Metrics, want[1]) {
			t.Errorf("named %q: %+v, and the session %+v", named, task.Metrics, w.s.Metrics)
		}
	}
}

func TestFlakesAreListedOncePerPhase(t *testing.T) {
	before := machine.State{CurrentPhase: 1, Flakes: []machine.Flake{{Test: "a", Command: "go test", Phase: 0, Times: 1}}}
	s := clone(before)
	checks := []machine.Check{{Command: "go test", Outcome: machine.CheckPassed, Flakes: []string{"a", "b"}}, {Command: "go test", Dir: "sub", Flakes: []string{"a"}}}
	settle(&s, "task-002", checks)
	settle(&s, "task-002", checks[:1])
	want := []machine.Flake{
		{Test: "a", Command: "go test", Phase: 1, Task: "task-002", Times: 2},
		{Test: "b", Command: "go test", Phase: 1, Task: "task-002", Times: 2},
		{Test: "a", Command: "go test (in sub)", Phase: 1, Task: "task-002", Times: 1},
	}
	if diff := cmp.Diff(want, s.FlakesOf(1)); diff != "" {
		t.Error(diff)
	}
	s.Flakes[0].Times = 7
	if before.Flakes[0].Times != 1 || len(s.FlakesOf(0)) != 1 {
		t.Errorf("the state before was changed: %+v", before.Flakes)
	}
}

func TestFindingOfACheckNamesTheTestsToBlame(t *testing.T) {
	for _, tc := range []struct {
		blamed []string
		want   string
	}{
		{nil, "go test failed"},
		{[]string{"x.TestA"}, "go test failed: x.TestA"},
		{[]string{"a", "b", "c", "d"}, "go test failed"},
	} {
		if got := fromChecks([]machine.Check{{Command: "go test", Outcome: machine.CheckFailed, Blamed: tc.blamed}})[0].Title; got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

// TestNothingInAStateIsSharedThatApplyChanges: a slice or map of State that Apply may change in place would show in the state it was given.
func TestNothingInAStateIsSharedThatApplyChanges(t *testing.T) {
	s := fresh(machine.Standard, machine.Low)
	s.Tasks = []machine.Task{{ID: "task-001", Attempts: make([]machine.Attempt, 1, 4), Findings: make([]machine.Finding, 1, 4)}}
	s.Phases[0].Dispatches = map[string]int{"planner": 1}
	s.Gate = &machine.Gate{ID: "g1"}
	c := clone(s)
	c.Tasks[0].Status, c.Tasks[0].Attempts[0].Error, c.Tasks[0].Findings[0].Title = machine.TaskFailed, "x", "x"
	c.Tasks[0].Attempts = append(c.Tasks[0].Attempts, machine.Attempt{Error: "y"})
	c.Phases[0].Name, c.Gate.ID = "Z", "g2"
	tally(&c, "planner", 2)
	was := s.Tasks[0]
	if was.Status != "" || was.Attempts[0].Error != "" || was.Findings[0].Title != "" || was.Attempts[:2][1].Error != "" {
		t.Errorf("the task was changed: %+v", was)
	}
	if s.Phases[0].Dispatches["planner"] != 1 || s.Phases[0].Name != "A" || s.Gate.ID != "g1" {
		t.Errorf("the phase or the gate was changed: %+v %+v", s.Phases[0], s.Gate)
	}
}
