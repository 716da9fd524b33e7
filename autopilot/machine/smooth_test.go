package machine

import (
	"fmt"
	"time"
)

// day is when the tests' clock starts.
var day = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// world drives a session in a test: it knows the revision and the time.
type world struct {
	t    failer
	s    State
	now  time.Time
	last Event
	met  *reached
}

func newWorld(t failer, met *reached, first State) *world {
	w := &world{t: t, now: day, met: met}
	if err := w.report(Event{Type: Created, Initial: &first}); err != nil {
		t.Fatalf("creating the session: %v", err)
	}
	return w
}

// report applies an event at the next revision, a second later.
func (w *world) report(e Event) error {
	w.t.Helper()
	w.now = w.now.Add(time.Second)
	if e.Rev == 0 {
		e.Rev = w.s.Revision + 1
	}
	if e.Time.IsZero() {
		e.Time = w.now
	}
	w.last = e
	apply := func() (State, error) { return hold(w.t, w.s, e) }
	if w.met.light {
		apply = func() (State, error) { return Apply(w.s, e) }
	}
	after, err := apply()
	if err != nil {
		return err
	}
	w.met.note(w.s, after, e)
	w.s = after
	return nil
}

// fresh is a session of phases named A, B, C … with the given complexities.
func fresh(rigor Rigor, complexities ...Complexity) State {
	s := State{SessionID: "s1", RigorLevel: rigor, RetryBudget: RetryBudget{MaxAttempts: 3}, Spec: SpecRef{SHA256: "spec1"}}
	for i, c := range complexities {
		name := string(rune('A' + i))
		s.Phases = append(s.Phases, Phase{
			Number: fmt.Sprint(i + 1), Name: name, Complexity: c, Status: PhasePending, SpecSHA256: "text" + name,
		})
	}
	return s
}

// somePlan is a plan of n tasks that do not depend on each other.
func somePlan(n int) *PlanFacts {
	plan := &PlanFacts{Path: "docs/plans/p.md", SHA256: fmt.Sprintf("plan-of-%d", n)}
	for i := range n {
		plan.Tasks = append(plan.Tasks, Task{
			ID: TaskID(i + 1), Number: fmt.Sprint(i + 1), Title: fmt.Sprintf("Do %d", i+1), Validation: "go test ./...",
		})
	}
	return plan
}

func check(outcome string) Check {
	return Check{Command: "go test ./...", Outcome: outcome, Detail: "output"}
}

// smooth is what the driver reports next when all goes well.
func smooth(s State) Event {
	step := Next(s)
	if is, flying := step.Dispatching(); is {
		if flying {
			return Event{Type: DispatchEnded, Ended: &Ended{ID: s.InFlight[0].Dispatch.ID, Outcome: OutcomeReply, Reply: smoothReply(s)}}
		}
		d := &Dispatch{ID: fmt.Sprintf("d%d", s.Revision+1), Persona: step.Persona, Purpose: step.Purpose, Attempt: step.Attempt}
		if step.Name == StepDispatch || step.Name == StepDiagnose {
			d.Task = step.Task
		}
		return Event{Type: Dispatched, Dispatch: d}
	}
	switch step.Name {
	case StepWait:
		return Event{Type: Answered, Answer: forward(s.Gate)}
	case StepBranch:
		return Event{Type: Branched, Branch: "autopilot/s", Commit: "c0"}
	case StepBaseline:
		return Event{Type: BaselineMeasured, Baseline: &Baseline{Commit: "c0", Checks: []Check{check(CheckPassed)}}}
	case StepLook:
		return Event{Type: PlanChecked, Commit: fmt.Sprintf("c%d", s.Revision)}
	case StepFind:
		return Event{Type: PlanRead, Plan: somePlan(2)}
	case StepWeigh:
		return Event{Type: PlanWeighed, Weighed: &Weighed{}}
	case StepPick:
		return smoothPick(s, step)
	case StepValidate, StepRescue:
		return Event{Type: Validated, Task: s.CurrentTask, Checks: []Check{check(CheckPassed)}}
	case StepCommands, StepClean:
		return Event{Type: Checked, Checks: []Check{check(CheckPassed)}}
	case StepRollback:
		return Event{Type: RolledBack, Task: s.CurrentTask}
	case StepRecord:
		return Event{Type: PhaseRecorded, Record: &Record{}}
	case StepClose:
		return Event{Type: Closed, Step: step.Closing}
	}
	if len(s.InFlight) == 0 {
		parent := fmt.Sprintf("c%d", s.Revision)
		return Event{Type: EffectIntended, Effect: &Effect{Key: fmt.Sprintf("s1/%d", s.Revision+1), Kind: "commit", Parent: parent}}
	}
	return Event{Type: EffectDone, Commit: fmt.Sprintf("c%d", s.Revision+1)}
}

func smoothReply(s State) *Reply {
	r := &Reply{Status: "done", Summary: "it is done"}
	if s.Step == StepReviewReply || s.Step == StepVerifierReply {
		for _, c := range s.Spec.Criteria {
			r.Criteria = append(r.Criteria, Criterion{Text: c, Satisfied: true, Confidence: "high"})
		}
	}
	return r
}

func smoothPick(s State, step Step) Event {
	switch {
	case step.Done:
		return Event{Type: TasksFinished}
	case step.Stuck:
		return Event{Type: TasksExhausted}
	}
	return Event{Type: TaskStarted, Task: step.Task, Base: fmt.Sprintf("c%d", s.Revision)}
}

// onward are the options that lead on, the ones that ask for less before those that ask for more.
var onward = []string{"yes", "done", "adopt", "keep", "1", "retry", "fix", "continue", "override", "skip"}

// forward answers a gate so that the session goes on.
func forward(g *Gate) *Answer { return smoothAnswer(g, onward).Answer }

// smoothAnswer takes the first of the wanted options that the gate has; a human-verify checkpoint is right.
func smoothAnswer(g *Gate, wanted []string) Event {
	name := g.Options[0].Name
	for i := len(wanted) - 1; i >= 0; i-- {
		if _, ok := g.Option(wanted[i]); ok {
			name = wanted[i]
		}
	}
	return Event{Type: Answered, Answer: &Answer{Gate: g.ID, Option: name, Reason: "because", By: "human"}}
}
