package machine

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestFirstEventMakesTheWholeState(t *testing.T) {
	first := fresh(Fast, Low)
	s, err := Apply(State{}, Event{Rev: 1, Type: Created, Initial: &first, Time: day})
	if err != nil {
		t.Fatal(err)
	}
	if s.SchemaVersion != SchemaVersion || s.CurrentState != Init || s.Step != StepBranch || s.Revision != 1 || !s.UpdatedAt.Equal(day) {
		t.Errorf("it stands at %s %s, revision %d, version %d", s.CurrentState, s.Step, s.Revision, s.SchemaVersion)
	}
	if s.FinalReview.Status != "pending" {
		t.Errorf("the final review is %q", s.FinalReview.Status)
	}
}

func TestImportedSessionGoesOnWhereItStood(t *testing.T) {
	first := fresh(Standard, Low, Low)
	first.CurrentState, first.Step, first.CurrentPhase, first.IsImported = ApprovePlan, StepWeigh, 1, true
	s, err := Apply(State{}, Event{Rev: 1, Type: Imported, Initial: &first})
	if err != nil || s.CurrentState != ApprovePlan || s.CurrentPhase != 1 {
		t.Errorf("%s phase %d: %v", s.CurrentState, s.CurrentPhase, err)
	}
}

func TestSessionWithoutAPhaseOnlyKeepsBooks(t *testing.T) {
	s, err := Apply(State{}, Event{Rev: 1, Type: Created, Initial: &State{SessionID: "s"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Apply(s, Event{Rev: 2, Type: RunStarted}); err != nil {
		t.Errorf("a run cannot start: %v", err)
	}
	for _, e := range []EventType{Branched, SpecReread, PhaseRedone, GateRaised, Answered} {
		var illegal *IllegalEventError
		if _, err := Apply(s, Event{Rev: 2, Type: e, Commit: "c"}); !errors.As(err, &illegal) {
			t.Errorf("%s gave %v", e, err)
		}
	}
}

func TestPlanIsAHumansWhereOneAskedForIt(t *testing.T) {
	first := fresh(Standard, Low)
	first.Phases[0].PlanWanted = true
	w := newWorld(t, newReached(), first)
	w.until(words{"gate", "plan_wanted"})
	if want := "The plan of phase 1 (A) is yours to make. Is it there?"; w.s.Gate.Question != want {
		t.Errorf("the question is %q", w.s.Gate.Question)
	}
}

func TestDispatchForAnotherTaskIsRefused(t *testing.T) {
	w := newWorld(t, newReached(), fresh(Fast, Low))
	w.until(words{"EXECUTE", "dispatch"})
	err := w.report(Event{Type: Dispatched, Dispatch: &Dispatch{ID: "d", Persona: "executor", Task: "task-002"}})
	if err == nil || !strings.Contains(err.Error(), "another task") {
		t.Errorf("it gave %v", err)
	}
}

func TestLimitIsKeptUntilTheBackendIsUsedAgain(t *testing.T) {
	w := newWorld(t, newReached(), fresh(Fast, Low))
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
	w := newWorld(t, newReached(), fresh(Fast, Low))
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
	w := newWorld(t, newReached(), fresh(Thorough, Low))
	w.until(words{"gate", "approve_plan"})
	gate := w.s.Gate.ID
	if err := w.report(answer(w, words{"yes"})); err != nil {
		t.Fatal(err)
	}
	d := w.s.Decisions[len(w.s.Decisions)-1]
	if d.Gate != gate || d.State != ApprovePlan || d.PlanSHA == "" || !d.Timestamp.Equal(w.now) {
		t.Errorf("the decision is %+v", d)
	}
}

func TestPassedCheckpointStaysPassedInAnEditedPlan(t *testing.T) {
	w := newWorld(t, newReached(), fresh(Fast, Low))
	w.until(words{"PLAN", "find"})
	for _, e := range []Event{planned(w, words{"1", "decision=1"}), {Type: PlanWeighed, Weighed: &Weighed{}}} {
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

func TestUsageAddsAndSubtracts(t *testing.T) {
	a := Usage{Dispatches: 3, InputTokens: 5, CachedTokens: 2, OutputTokens: 7, CostUSD: 1.5}
	b := Usage{Dispatches: 1, InputTokens: 1, CachedTokens: 1, OutputTokens: 1, CostUSD: 0.5}
	if got := a.Plus(b).Minus(b); got != a {
		t.Errorf("there and back gives %+v", got)
	}
}

func TestFindingsBlockByRigor(t *testing.T) {
	findings := []Finding{{Severity: Critical}, {Severity: Important}, {Severity: Suggestion}}
	for rigor, want := range map[Rigor]int{Fast: 1, Standard: 1, Thorough: 2} {
		if got := len(Blocking(findings, rigor)); got != want {
			t.Errorf("%s: %d block, not %d", rigor, got, want)
		}
	}
	if got := (FindingCount{1, 1, 1}); Count(findings) != got {
		t.Errorf("counted %+v", Count(findings))
	}
}

func TestCriteriaAreTheSameInOtherSpelling(t *testing.T) {
	said := []Criterion{{Text: "  The `tool` is FAST.", Satisfied: true}}
	if left := missing([]string{"the tool is fast"}, said); len(left) != 0 {
		t.Errorf("left out: %v", left)
	}
	if left := missing([]string{"the tool is small"}, said); len(left) != 1 || left[0].Severity != Important {
		t.Errorf("left out: %v", left)
	}
}

func TestNextSaysWhatTheDriverHasToDo(t *testing.T) {
	w := newWorld(t, newReached(), fresh(Standard, Low))
	w.until(words{"FINAL_REVIEW"})
	if step := Next(w.s); step.Phase != 0 || step.Persona != "reviewer" || step.Purpose != "final" || step.Attempt != 1 {
		t.Errorf("the final review is %+v", step)
	}
	w.until(words{"DONE", "close"})
	if step := Next(w.s); step.Closing != Closing[0] {
		t.Errorf("closing begins with %q", step.Closing)
	}
	w.until(words{"DONE", "closed"})
	if step := Next(w.s); step.Name != StepEnd {
		t.Errorf("it ends with %s", step.Name)
	}
	w.s.ClosingDone = []string{"summary", "handoff", "learnings", "pr"}
	if step := Next(w.s); step.Name != StepClose || step.Closing != "roadmap" {
		t.Errorf("a session that was closed by a shorter list goes on with %+v", step)
	}
	if _, ok := w.s.Task("task-999"); ok {
		t.Error("a task that is not there was found")
	}
}

// TestStateKeepsItsNamesInJSON: other tools read these keys.
func TestStateKeepsItsNamesInJSON(t *testing.T) {
	w := newWorld(t, newReached(), fresh(Standard, Low))
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
	w := newWorld(t, newReached(), fresh(Fast, Low))
	before := w.s.Elapsed
	e := smooth(w.s)
	e.Time = day.Add(-time.Hour)
	if err := w.report(e); err != nil || w.s.Elapsed != before {
		t.Errorf("running time went from %g to %g (%v)", before, w.s.Elapsed, err)
	}
}

func TestTimeInWhichTheMachineSleptIsNoRunningTime(t *testing.T) {
	w := newWorld(t, newReached(), fresh(Fast, Low))
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
	w := newWorld(t, newReached(), fresh(Fast, Low))
	w.until(words{"EXECUTE", "reply"})
	id, begun := w.s.CurrentTask, w.s
	step := func(passed, slept float64, e Event) {
		t.Helper()
		e.Time, e.Slept = w.s.UpdatedAt.Add(time.Duration(passed)*time.Second), slept
		if err := w.report(e); err != nil {
			t.Fatal(err)
		}
	}
	step(3600, 3590, Event{Type: Used, Task: id, Usage: &Usage{}})
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
