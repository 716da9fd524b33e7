package audit

import (
	"strings"
	"testing"

	"autopilot/autopilot/machine"
)

// told is the last claim that one event makes of a ledger that has seen what is before it.
func told(t *testing.T, l *Ledger, before machine.State, e machine.Event, after machine.State) Claim {
	t.Helper()
	n := len(l.Claims)
	l.Take(before, e, after)
	if len(l.Claims) != n+1 {
		t.Fatalf("event %s made %d claims, want one", e.Type, len(l.Claims)-n)
	}
	return l.Claims[n]
}

func ledger() *Ledger {
	l := &Ledger{}
	l.Take(machine.State{}, machine.Event{Type: machine.Created}, machine.State{})
	return l
}

func check(command, outcome string, exit int) machine.Check {
	return machine.Check{Command: command, Outcome: outcome, ExitCode: exit}
}

func TestCompletedTaskNeedsItsRecord(t *testing.T) {
	critical := []machine.Finding{{Severity: machine.Critical, Title: "a test is gone"}}
	for name, c := range map[string]struct {
		task   machine.Task // as the plan says it
		record *machine.Event
		want   Standing
		why    string
	}{
		"a command that passed":           {record: &machine.Event{Checks: []machine.Check{check("make", "passed", 0)}}, want: Proven},
		"a failure that was there before": {record: &machine.Event{Checks: []machine.Check{check("make", "known_failure", 1)}}, want: Proven},
		"its own command":                 {machine.Task{Validation: "make"}, &machine.Event{Checks: []machine.Check{check("make", "passed", 0)}}, Proven, ""},
		"no record":                       {want: Unproven, why: "no record of a validation"},
		"a record without its command":    {machine.Task{Validation: "make"}, &machine.Event{Checks: []machine.Check{check("true", "passed", 0)}}, Unproven, "no record of its validation: make"},
		"its command, unverified":         {machine.Task{Validation: "make", Unverified: true}, &machine.Event{}, Unproven, "no record of its validation"},
		"a failure":                       {record: &machine.Event{Checks: []machine.Check{check("make", "failed", 2)}}, want: Unproven, why: "make did not pass"},
		"a command that could not run":    {record: &machine.Event{Checks: []machine.Check{check("make", "could_not_check", 127)}}, want: Unproven, why: "make did not pass"},
		"passed with exit code 1":         {record: &machine.Event{Checks: []machine.Check{check("make", "passed", 1)}}, want: Unproven, why: "other than 0"},
		"a blocking finding":              {record: &machine.Event{Checks: []machine.Check{check("make", "passed", 0)}, Findings: critical}, want: Unproven, why: "a test is gone"},
		"old tests that fail":             {record: &machine.Event{Checks: []machine.Check{check("make", "passed", 0)}, Findings: []machine.Finding{{Severity: machine.Critical, Title: "it passed before", Unproven: true}}}, want: Marked, why: "unproven: it passed before"},
		"nothing passed and no mark":      {record: &machine.Event{}, want: Unproven, why: "not marked as unverified"},
		"waived by its plan":              {machine.Task{ValidationNone: true, Unverified: true}, &machine.Event{}, Marked, "its plan waives"},
		"waived by the configuration":     {machine.Task{Validation: "make", Unverified: true}, &machine.Event{Waived: true}, Marked, "the configuration"},
		"nothing to run":                  {machine.Task{Unverified: true}, &machine.Event{}, Marked, "nothing to run"},
	} {
		t.Run(name, func(t *testing.T) {
			l := ledger()
			c.task.ID, c.task.Status = "task-001", machine.TaskRunning
			before := machine.State{SessionID: "s", CurrentState: machine.Execute, Step: machine.StepCommit, CurrentTask: "task-001", Tasks: []machine.Task{c.task}}
			l.Take(before, machine.Event{Rev: 4, Type: machine.TaskStarted, Task: "task-001"}, before)
			if c.record != nil {
				c.record.Rev, c.record.Type, c.record.Task = 5, machine.Validated, "task-001"
				l.Take(before, *c.record, before)
			}
			after := before
			done := c.task
			done.Status = machine.TaskCompleted
			after.Tasks = []machine.Task{done}
			got := told(t, l, before, machine.Event{Rev: 7, Type: machine.EffectDone}, after)
			if got.Standing != c.want || !strings.Contains(got.Why, c.why) {
				t.Errorf("the claim is %s (%s), want %s (%s)", got.Standing, got.Why, c.want, c.why)
			}
		})
	}
}

func TestVerifiedPhaseNeedsCommandsAndVerifier(t *testing.T) {
	passed, failed := []machine.Check{check("make", "passed", 0)}, []machine.Check{check("make", "failed", 1)}
	done := &machine.Reply{Status: "done"}
	for name, c := range map[string]struct {
		rigor  machine.Rigor
		checks map[machine.StepName][]machine.Check
		reply  *machine.Reply
		answer *machine.Answer
		want   Standing
		why    string
	}{
		"fast, passed":             {rigor: machine.Fast, checks: map[machine.StepName][]machine.Check{machine.StepCommands: passed}, want: Proven},
		"fast, failed":             {rigor: machine.Fast, checks: map[machine.StepName][]machine.Check{machine.StepCommands: failed}, want: Unproven, why: "did not pass"},
		"no record":                {rigor: machine.Fast, want: Unproven, why: "no record of its commands"},
		"standard, both":           {rigor: machine.Standard, checks: map[machine.StepName][]machine.Check{machine.StepCommands: passed}, reply: done, want: Proven},
		"standard, no verifier":    {rigor: machine.Standard, checks: map[machine.StepName][]machine.Check{machine.StepCommands: passed}, want: Unproven, why: "no reply of the verifier"},
		"standard, it objects":     {rigor: machine.Standard, checks: map[machine.StepName][]machine.Check{machine.StepCommands: passed}, reply: &machine.Reply{Status: "failed"}, want: Unproven, why: "reply is failed"},
		"thorough, no clean tree":  {rigor: machine.Thorough, checks: map[machine.StepName][]machine.Check{machine.StepCommands: passed}, reply: done, want: Unproven, why: "clean working tree"},
		"skipped with a reason":    {rigor: machine.Standard, answer: &machine.Answer{Option: "skip", Reason: "later", By: "human"}, want: Marked, why: "skipped by human: later"},
		"skipped without a reason": {rigor: machine.Standard, answer: &machine.Answer{Option: "skip", By: "human"}, want: Unproven, why: "wants a reason"},
	} {
		t.Run(name, func(t *testing.T) {
			l := ledger()
			at := machine.State{CurrentState: machine.Verify, RigorLevel: c.rigor, Phases: []machine.Phase{{Number: "1", Name: "Greet"}}}
			for _, step := range []machine.StepName{machine.StepCommands, machine.StepClean} {
				if checks, ran := c.checks[step]; ran {
					before := at
					before.Step = step
					l.Take(before, machine.Event{Rev: 5, Type: machine.Checked, Checks: checks}, at)
				}
			}
			after, e := at, machine.Event{Rev: 9, Type: machine.Noted}
			after.CurrentState = machine.Review
			switch {
			case c.answer != nil:
				e.Type, e.Answer = machine.Answered, c.answer
			case c.reply != nil:
				d := &machine.Dispatch{ID: "d", Persona: "verifier"}
				l.Take(at, machine.Event{Rev: 8, Type: machine.Dispatched, Dispatch: d}, at)
				e.Type, e.Ended = machine.DispatchEnded, &machine.Ended{ID: "d", Reply: c.reply}
			}
			got := told(t, l, at, e, after)
			if got.Standing != c.want || !strings.Contains(got.Why, c.why) {
				t.Errorf("the claim is %s (%s), want %s (%s)", got.Standing, got.Why, c.want, c.why)
			}
		})
	}
}

func TestCommitWithAnotherKeyIsDoubted(t *testing.T) {
	for key, want := range map[string]Standing{"s/6": Proven, "s/5": Unproven, "other/6": Unproven} {
		l := ledger()
		effect := &machine.Effect{Key: key, Kind: "plan", Parent: "p"}
		s := machine.State{SessionID: "s", CurrentState: machine.Execute, Step: machine.StepPlanCommit}
		l.Take(s, machine.Event{Rev: 6, Type: machine.EffectIntended, Effect: effect}, s)
		flying := s
		flying.InFlight = []machine.InFlight{{Effect: effect}}
		if got := told(t, l, flying, machine.Event{Rev: 7, Type: machine.EffectDone, Commit: "c"}, s); got.Standing != want {
			t.Errorf("key %s: the claim is %s (%s), want %s", key, got.Standing, got.Why, want)
		}
	}
}

func TestTaskThatASessionBeginsWithHasNoRecord(t *testing.T) {
	for kind, want := range map[machine.EventType]Standing{machine.Created: Unproven, machine.Imported: Marked} {
		s := machine.State{Tasks: []machine.Task{{ID: "task-001", Status: machine.TaskCompleted}}}
		if got := told(t, &Ledger{}, machine.State{}, machine.Event{Type: kind}, s); got.Standing != want {
			t.Errorf("%s: the claim is %s (%s), want %s", kind, got.Standing, got.Why, want)
		}
	}
}

func TestAnswerNeedsItsDecision(t *testing.T) {
	gate := &machine.Gate{ID: "g7", Kind: machine.GateReviewBlocking, Options: []machine.Option{{Name: "override", WantsReason: true}}}
	decided := machine.State{Decisions: []machine.Decision{{Gate: "g7"}}}
	for name, c := range map[string]struct {
		answer machine.Answer
		after  machine.State
		want   Standing
		why    string
	}{
		"with reason and decision": {machine.Answer{Option: "override", Reason: "It ships.", By: "human"}, decided, Proven, "by human: It ships."},
		"no decision":              {machine.Answer{Option: "override", Reason: "It ships.", By: "human"}, machine.State{}, Unproven, "no decision"},
		"nobody":                   {machine.Answer{Option: "override", Reason: "It ships."}, decided, Unproven, "nobody is named"},
		"no reason":                {machine.Answer{Option: "override", By: "human"}, decided, Unproven, "wants a reason"},
	} {
		l := ledger()
		got := told(t, l, machine.State{Gate: gate}, machine.Event{Type: machine.Answered, Answer: &c.answer}, c.after)
		if got.Standing != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: the claim is %s (%s), want %s (%s)", name, got.Standing, got.Why, c.want, c.why)
		}
	}
}

func TestReviewNeedsAReplyThatLetsItPass(t *testing.T) {
	critical := &machine.Reply{Status: "done", Findings: []machine.Finding{{Severity: machine.Critical, Title: "It lies"}}}
	for name, c := range map[string]struct {
		reply  *machine.Reply
		status string
		want   Standing
		why    string
	}{
		"sound":                {&machine.Reply{Status: "done"}, machine.PhaseDone, Proven, ""},
		"a blocking finding":   {critical, machine.PhaseDone, Unproven, "It lies"},
		"no reply":             {nil, machine.PhaseDone, Unproven, "no reply of the reviewer"},
		"a phase that is open": {&machine.Reply{Status: "done"}, machine.PhasePending, Unproven, "phase 1 is not finished"},
	} {
		l := ledger()
		at := machine.State{CurrentState: machine.FinalReview, Phases: []machine.Phase{{Number: "1", Status: c.status}}}
		e := machine.Event{Type: machine.Noted}
		if c.reply != nil {
			l.Take(at, machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{ID: "d", Persona: "reviewer"}}, at)
			e = machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: "d", Reply: c.reply}}
		}
		after := at
		after.CurrentState = machine.Done
		if got := told(t, l, at, e, after); got.Standing != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: the claim is %s (%s), want %s (%s)", name, got.Standing, got.Why, c.want, c.why)
		}
	}
}

func TestPhaseThatAHumanLeftOutOrHadDoneAgainIsMarked(t *testing.T) {
	s := machine.State{CurrentState: machine.Plan, Phases: []machine.Phase{{Number: "1"}, {Number: "2", Name: "Bow"}}}
	for kind, e := range map[ClaimKind]machine.Event{
		ClaimSkipped: {Type: machine.PhaseLeftOut, Phase: 2, By: "human", Detail: "not now"},
		ClaimRedone:  {Type: machine.PhaseRedone, Phase: 2},
	} {
		got := told(t, ledger(), s, e, s)
		if got.Kind != kind || got.Standing != Marked || got.Phase != 2 || got.What != "phase 2, Bow" {
			t.Errorf("%s: the claim is %+v", e.Type, got)
		}
	}
}
