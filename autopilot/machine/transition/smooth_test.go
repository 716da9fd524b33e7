package transition

import (
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

// day is when the tests' clock starts.
var day = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// world drives a session in a test: it knows the revision and the time.
type world struct {
	t    failer
	s    machine.State
	now  time.Time
	last machine.Event
	met  *reached
	past view.Transcript
}

func newWorld(t failer, met *reached, first machine.State) *world {
	w := &world{t: t, now: day, met: met}
	if err := w.report(machine.Event{Type: machine.Created, Initial: &first}); err != nil {
		t.Fatalf("creating the session: %v", err)
	}
	return w
}

// report applies an event at the next revision, a second later.
func (w *world) report(e machine.Event) error {
	w.t.Helper()
	w.now = w.now.Add(time.Second)
	if e.Rev == 0 {
		e.Rev = w.s.Revision + 1
	}
	if e.Time.IsZero() {
		e.Time = w.now
	}
	w.last = e
	apply := func() (machine.State, error) { return hold(w.t, w.s, e) }
	if w.met.light {
		apply = func() (machine.State, error) { return Apply(w.s, e) }
	}
	after, err := apply()
	if err != nil {
		return err
	}
	w.met.note(w.s, after, e)
	w.shows(w.s, e, after)
	w.s = after
	return nil
}

// shows fails where the event leads to a state that nobody can be shown, or to a line that is none.
func (w *world) shows(before machine.State, e machine.Event, after machine.State) {
	w.t.Helper()
	for _, line := range w.past.Take(before, e, after) {
		if line.Text == "" || line.Kind == "" || strings.Contains(line.Text, "\n") {
			w.t.Fatalf("%s at %s %s makes the line %+v", e.Type, before.CurrentState, before.Step, line)
		}
	}
	if w.met.light || len(after.Phases) == 0 {
		return
	}
	for _, held := range []bool{true, false} {
		v := view.Of(view.Facts{State: after, Past: &w.past, Held: held, At: w.now})
		if v.Headline == "" || v.Next == "" || strings.Contains(encode(w.t, v), "%!") {
			w.t.Fatalf("%s %s is shown as %q, next %q", after.CurrentState, after.Step, v.Headline, v.Next)
		}
	}
}

// fresh is a session of phases named A, B, C … with the given complexities.
func fresh(rigor machine.Rigor, complexities ...machine.Complexity) machine.State {
	s := machine.State{SessionID: "s1", Edition: machine.Edition, RigorLevel: rigor, RetryBudget: machine.RetryBudget{MaxAttempts: 3}, Spec: machine.SpecRef{SHA256: "spec1"}}
	for i, c := range complexities {
		name := string(rune('A' + i))
		s.Phases = append(s.Phases, machine.Phase{
			Number: fmt.Sprint(i + 1), Name: name, Complexity: c, Status: machine.PhasePending, SpecSHA256: "text" + name,
		})
	}
	return s
}

// somePlan is a plan of n tasks that do not depend on each other.
func somePlan(n int) *machine.PlanFacts {
	plan := &machine.PlanFacts{Path: "docs/plans/p.md", SHA256: fmt.Sprintf("plan-of-%d", n)}
	for i := range n {
		plan.Tasks = append(plan.Tasks, machine.Task{
			ID: machine.TaskID(i + 1), Number: fmt.Sprint(i + 1), Title: fmt.Sprintf("Do %d", i+1), Validation: "go test ./...",
		})
	}
	return plan
}

func check(outcome string) machine.Check {
	return machine.Check{Command: "go test ./...", Outcome: outcome, Detail: "output"}
}

// smooth is what the driver reports next when all goes well.
func smooth(s machine.State) machine.Event {
	step := machine.Next(s)
	if is, flying := step.Dispatching(); is {
		if flying {
			return machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: s.InFlight[0].Dispatch.ID, Outcome: machine.OutcomeReply, Reply: smoothReply(s)}}
		}
		d := &machine.Dispatch{ID: fmt.Sprintf("d%d", s.Revision+1), Persona: step.Persona, Purpose: step.Purpose, Attempt: step.Attempt}
		if step.Name == machine.StepDispatch || step.Name == machine.StepDiagnose {
			d.Task = step.Task
		}
		return machine.Event{Type: machine.Dispatched, Dispatch: d}
	}
	switch step.Name {
	case machine.StepWait:
		return machine.Event{Type: machine.Answered, Answer: forward(s.Gate)}
	case machine.StepBranch:
		return machine.Event{Type: machine.Branched, Branch: "autopilot/s", Commit: "c0"}
	case machine.StepBaseline:
		return machine.Event{Type: machine.BaselineMeasured, Baseline: &machine.Baseline{Commit: "c0", Checks: []machine.Check{check(machine.CheckPassed)}}}
	case machine.StepLook:
		return machine.Event{Type: machine.PlanChecked, Commit: fmt.Sprintf("c%d", s.Revision)}
	case machine.StepFind:
		return machine.Event{Type: machine.PlanRead, Plan: somePlan(2)}
	case machine.StepWeigh:
		return machine.Event{Type: machine.PlanWeighed, Weighed: &machine.Weighed{}}
	case machine.StepPick:
		return smoothPick(s, step)
	case machine.StepValidate, machine.StepRescue:
		return machine.Event{Type: machine.Validated, Task: s.CurrentTask, Checks: []machine.Check{check(machine.CheckPassed)}}
	case machine.StepCommands, machine.StepClean:
		return machine.Event{Type: machine.Checked, Checks: []machine.Check{check(machine.CheckPassed)}}
	case machine.StepBlindChecks:
		return blindChecked(s, nil)
	case machine.StepRollback:
		return machine.Event{Type: machine.RolledBack, Task: s.CurrentTask}
	case machine.StepRecord:
		return machine.Event{Type: machine.PhaseRecorded, Record: &machine.Record{}}
	case machine.StepClose:
		return machine.Event{Type: machine.Closed, Step: step.Closing}
	}
	if len(s.InFlight) == 0 {
		parent := fmt.Sprintf("c%d", s.Revision)
		return machine.Event{Type: machine.EffectIntended, Effect: &machine.Effect{Key: fmt.Sprintf("s1/%d", s.Revision+1), Kind: "commit", Parent: parent}}
	}
	return machine.Event{Type: machine.EffectDone, Commit: fmt.Sprintf("c%d", s.Revision+1)}
}

func smoothReply(s machine.State) *machine.Reply {
	r := &machine.Reply{Status: "done", Summary: "it is done"}
	if s.Step == machine.StepReviewReply || s.Step == machine.StepVerifierReply {
		for _, c := range s.Spec.Criteria {
			r.Criteria = append(r.Criteria, machine.Criterion{Text: c, Satisfied: true, Confidence: "high"})
		}
	}
	return r
}

func smoothPick(s machine.State, step machine.Step) machine.Event {
	switch {
	case step.Done:
		return machine.Event{Type: machine.TasksFinished}
	case step.Stuck:
		return machine.Event{Type: machine.TasksExhausted}
	}
	return machine.Event{Type: machine.TaskStarted, Task: step.Task, Base: fmt.Sprintf("c%d", s.Revision)}
}

// onward are the options that lead on, the ones that ask for less before those that ask for more.
var onward = []string{"yes", "done", "adopt", "keep", "1", "retry", "fix", "continue", "override", "skip"}

// forward answers a gate so that the session goes on.
func forward(g *machine.Gate) *machine.Answer { return smoothAnswer(g, onward).Answer }

// smoothAnswer takes the first of the wanted options that the gate has; a human-verify checkpoint is right.
func smoothAnswer(g *machine.Gate, wanted []string) machine.Event {
	name := g.Options[0].Name
	for i := len(wanted) - 1; i >= 0; i-- {
		if _, ok := g.Option(wanted[i]); ok {
			name = wanted[i]
		}
	}
	return machine.Event{Type: machine.Answered, Answer: &machine.Answer{Gate: g.ID, Option: name, Reason: "because", By: "human"}}
}
