package transition

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"autopilot/autopilot/machine"
)

// someSession draws a session at its beginning.
func someSession(t *rapid.T) machine.State {
	rigor := rapid.SampledFrom([]machine.Rigor{machine.Fast, machine.Standard, machine.Thorough}).Draw(t, "rigor")
	s := fresh(rigor, rapid.SliceOfN(rapid.SampledFrom([]machine.Complexity{machine.Low, machine.Medium, machine.High}), 1, 3).Draw(t, "complexities")...)
	s.RetryBudget.MaxAttempts = rapid.IntRange(0, 3).Draw(t, "retries")
	s.ReviewPlans = rapid.Bool().Draw(t, "review plans")
	s.Spec.Criteria = rapid.SampledFrom([][]string{nil, {"fast"}, {"fast", "small"}}).Draw(t, "criteria")
	return s
}

// weather is what a walk meets beside success.
type weather struct {
	outcomes []string // of dispatches: the words of dispatchEnded
	checks   []string
}

var (
	storm = weather{
		outcomes: []string{"done", "done", "failed", "no_reply", "timed_out", "crashed", "interrupted"},
		checks:   []string{machine.CheckPassed, machine.CheckPassed, machine.CheckFailed, machine.CheckTimedOut, machine.CheckKnownFailure},
	}
	everything = weather{
		outcomes: append([]string{"blocked", "rate_limited", "auth"}, storm.outcomes...),
		checks:   append([]string{machine.CheckCouldNot, machine.CheckBaselineRed, machine.CheckNothing}, storm.checks...),
	}
)

// some draws what is reported next: what smooth reports, turned bad now and then.
func (sky weather) some(t *rapid.T, w *world) machine.Event {
	bad := []string{"", "", "", "critical", "important", "suggestion", "unproven=A", "unproven=B"}
	ws := words{"", rapid.SampledFrom(bad).Draw(t, "finding")}
	if rapid.IntRange(0, 5).Draw(t, "rollback") == 0 {
		ws = append(ws, "rollback")
	}
	if rapid.Bool().Draw(t, "long") {
		ws = append(ws, "long")
	}
	e := smooth(w.s)
	switch e.Type {
	case machine.DispatchEnded:
		if ws[0] = rapid.SampledFrom(sky.outcomes).Draw(t, "outcome"); ws[0] == "done" {
			ws = append(ws, rapid.SampledFrom([]string{"", "", "misdeed", "unmet=high", "unmet=low", "unjudged", "concern", "warned", "quotes=a,b", "B1=code", "B1=spec"}).Draw(t, "reply"))
		}
		return dispatchEnded(w, ws)
	case machine.Validated, machine.Checked:
		ws[0] = rapid.SampledFrom(sky.checks).Draw(t, "check")
		ws = append(ws, rapid.SampledFrom([]string{"", "says=E1", "says=E2", "blind"}).Draw(t, "says"))
		return checked(w, ws)
	case machine.BlindChecked:
		return blindChecked(w.s, words{rapid.SampledFrom([]string{"", "B1=failed", "B2=could_not_check", "B1=dropped"}).Draw(t, "blind")})
	case machine.PlanRead:
		return sky.somePlan(t, w)
	case machine.TaskStarted:
		if rapid.IntRange(0, 9).Draw(t, "overlap") == 0 {
			e.Overlap = []string{"mine.go"}
		}
	case machine.EffectDone:
		switch rapid.IntRange(0, 9).Draw(t, "commit") {
		case 0:
			e.Hooked = []string{"a.go"}
		case 1:
			return machine.Event{Type: machine.CommitRefused, Detail: "no", Rollback: ws.has("rollback")}
		}
	}
	return e
}

func (sky weather) somePlan(t *rapid.T, w *world) machine.Event {
	n := rapid.IntRange(0, 3).Draw(t, "tasks")
	if n == 0 {
		return machine.Event{Type: machine.PlanMissing, Detail: "no plan"}
	}
	ws := words{[]string{"", "1", "2", "3"}[n], rapid.SampledFrom([]string{"chain", "chain", "", "", "waits", "needs=1:1"}).Draw(t, "order")}
	ws = append(ws, rapid.SampledFrom([]string{"", "decision=1", "human-verify=1", "human-action=1"}).Draw(t, "checkpoint"))
	return planned(w, ws)
}

// someAnswer draws any answer that the gate takes.
func someAnswer(t *rapid.T, w *world) machine.Event {
	o := rapid.SampledFrom(w.s.Gate.Options[:len(w.s.Gate.Options)-1]).Draw(t, "option") // stop is the last
	position := rapid.IntRange(1, len(w.s.Phases)).Draw(t, "position")
	return machine.Event{Type: machine.Answered, Answer: &machine.Answer{Gate: w.s.Gate.ID, Option: o.Name, Reason: "so", Phase: position, By: "human"}}
}

// TestAnyWalkIsSound lets anything legal happen, in any order, with any answers, and beside it anything illegal; hold
// checks each event.
func TestAnyWalkIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, newReached(), someSession(t))
		for range rapid.IntRange(1, 80).Draw(t, "length") {
			if rapid.IntRange(0, 4).Draw(t, "odd") == 0 {
				_ = w.report(someOddity(t, w)) // refused or not: hold judges
				continue
			}
			e := everything.some(t, w)
			if w.s.Gate != nil {
				e = someAnswer(t, w)
			}
			if machine.Next(w.s).Name == machine.StepEnd {
				break
			}
			err := w.report(e)
			var refused *machine.AnswerError // a phase that went cannot be redone
			if err != nil && !(errors.As(err, &refused) && e.Answer.Option == "redo") {
				t.Fatalf("a legal event was refused at %s: %v", w.place(), err)
			}
		}
	})
}

// someOddity draws an event of any type with any content, fit for the place or not.
func someOddity(t *rapid.T, w *world) machine.Event {
	types := []machine.EventType{
		machine.Created, machine.Imported, machine.RunStarted, machine.Branched, machine.BaselineMeasured, machine.PlanChecked, machine.PlanRead, machine.PlanMissing, machine.PlanWeighed, machine.PlanEdited,
		machine.TaskStarted, machine.TasksFinished, machine.TasksExhausted, machine.Dispatched, machine.DispatchEnded, machine.Validated, machine.EffectIntended, machine.EffectDone, machine.CommitRefused,
		machine.RolledBack, machine.Checked, machine.BlindChecked, machine.PhaseRecorded, machine.Closed, machine.PhasesAdded, machine.Answered, machine.GateRaised, machine.SpecReread, machine.PhaseRedone, machine.UndoIntended, machine.Undone, machine.PhaseLeftOut, machine.PhasesReordered, machine.PlanBrought, machine.PlansSeen, machine.AsideEnded, machine.Used, machine.FindingDismissed, machine.Noted, "nonsense",
	}
	e := smooth(w.s)
	if machine.Next(w.s).Name == machine.StepEnd {
		e = machine.Event{}
	}
	e.Type = rapid.SampledFrom(types).Draw(t, "type")
	flip := func(what string) bool { return rapid.Bool().Draw(t, what) }
	if flip("plan") {
		e.Plan = somePlan(rapid.IntRange(0, 3).Draw(t, "tasks"))
		for i, n := range rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "numbers")[:len(e.Plan.Tasks)] {
			e.Plan.Tasks[i].Number, e.Plan.Tasks[i].Title = fmt.Sprint(n), fmt.Sprintf("Do %d", n)
		}
	}
	if flip("spec") {
		e.Spec, e.Phases = &machine.SpecRef{SHA256: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "sha")}, someText(t)
	}
	if flip("answer") {
		e.Answer = &machine.Answer{Option: rapid.SampledFrom(append([]string{"redo", "nonsense", "stop"}, onward...)).Draw(t, "option"), Reason: "so", Phase: 1}
	}
	if flip("ended") {
		e.Ended = &machine.Ended{ID: "another", Outcome: machine.OutcomeReply}
	}
	e.Kind = rapid.SampledFrom([]machine.GateKind{"", machine.GateBlocked, machine.GateEffectUnclear, machine.GateContinue, machine.GatePause}).Draw(t, "kind")
	e.Phase = rapid.IntRange(-1, 4).Draw(t, "phase")
	e.Order = rapid.Permutation([]int{1, 2, 3}).Draw(t, "order")[:rapid.IntRange(0, 3).Draw(t, "ordered")]
	e.Rev = w.s.Revision + int64(rapid.SampledFrom([]int{1, 1, 1, 0, 2}).Draw(t, "rev"))
	return e
}

func someText(t *rapid.T) []machine.PhaseText {
	var phases []machine.PhaseText
	for _, number := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1", "2", "3", "4"}), 1, 4, rapid.ID).Draw(t, "numbers") {
		name := rapid.SampledFrom([]string{"A", "B", "C", "D"}).Draw(t, "name")
		text := rapid.SampledFrom([]string{"textA", "textB", "textC", "other"}).Draw(t, "text")
		phases = append(phases, machine.PhaseText{Number: number, Name: name, SHA256: text, Complexity: machine.Low})
	}
	return phases
}

// TestLoopsEnd: agents and checks may fail as they like; where every wish for a fix is granted and a human leads on
// otherwise, each session comes to its end. Outcomes that spend nothing (blocked, a limit) are left out: each of them
// stops the run for a human.
func TestLoopsEnd(t *testing.T) {
	const bound = 6000
	greedy := []string{"yes", "done", "adopt", "keep", "1", "fix", "override", "skip", "continue", "retry"}
	rapid.Check(t, func(t *rapid.T) {
		s := someSession(t)
		start, err := Apply(machine.State{}, machine.Event{Rev: 1, Type: machine.Created, Initial: &s})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{t: t, s: start, now: day, met: newReached()}
		for n := 0; machine.Next(w.s).Name != machine.StepEnd; n++ {
			if n > bound {
				t.Fatalf("no end after %d events: %s", n, w.place())
			}
			e := storm.some(t, w)
			switch {
			case w.s.Gate != nil:
				e = smoothAnswer(w.s.Gate, greedy)
			case w.s.Step == machine.StepRescue:
				e = smooth(w.s)
			}
			e.Rev = w.s.Revision + 1
			if w.s, err = Apply(w.s, e); err != nil {
				t.Fatalf("at %s: %v", w.place(), err)
			}
		}
		if w.s.FinalReview.RetryCount > machine.MaxFixes {
			t.Fatalf("%d rounds of final fixes", w.s.FinalReview.RetryCount)
		}
		for _, p := range w.s.Phases {
			if p.VerifyFixes > machine.MaxFixes || p.ReviewFixes > machine.MaxFixes {
				t.Fatalf("phase %s had %d and %d rounds of fixes", p.Number, p.VerifyFixes, p.ReviewFixes)
			}
		}
	})
}
