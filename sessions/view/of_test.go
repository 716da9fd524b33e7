package view_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

var at = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

// limits is a session of three phases that builds the second one: two of five tasks are done.
func limits() machine.State {
	s := machine.State{
		SessionSlug: "limits", SpecPath: "docs/limits.md", Spec: machine.SpecRef{Title: "Rate limits per API key"}, Branch: "autopilot/limits", StartingCommit: "0123456789",
		CurrentState: machine.Execute, Step: machine.StepReply, CurrentPhase: 1, RetryBudget: machine.RetryBudget{MaxAttempts: 3}, Runs: 1, UpdatedAt: at.Add(-time.Minute),
		Phases: []machine.Phase{
			{Number: "1", Name: "Count requests", Status: machine.PhaseDone},
			{Number: "2", Name: "Rule engine", Status: machine.PhaseInProgress, Complexity: machine.High, PlanPath: "docs/plans/rule-engine-plan.md"},
			{Number: "3", Name: "Headers", Status: machine.PhasePending},
		},
		CurrentTask: "task-002",
	}
	for i, title := range []string{"Add parser tests", "Parse the rules", "Match a request"} {
		s.Tasks = append(s.Tasks, machine.Task{ID: machine.TaskID(i + 1), Title: title, Status: machine.TaskPending})
	}
	s.Tasks[0].Status, s.Tasks[1].Status = machine.TaskCompleted, machine.TaskRunning
	s.Tasks[1].Attempts = []machine.Attempt{{Result: "failed"}}
	s.InFlight = []machine.InFlight{{Dispatch: &machine.Dispatch{ID: "d1", Persona: "executor", Task: "task-002", Attempt: 2, At: at.Add(-3 * time.Minute)}}}
	return s
}

// asking is that session at a question.
func asking(kind machine.GateKind, question string, context ...string) machine.State {
	s := limits()
	s.Gate = &machine.Gate{ID: "g45", Kind: kind, State: s.CurrentState, Phase: s.CurrentPhase, Question: question, Options: machine.GateOptions[kind], Context: context, AskedAt: at.Add(-9 * time.Minute)}
	return s
}

func done() machine.State {
	s := limits()
	s.CurrentState, s.Step, s.ClosingDone, s.Elapsed, s.Usage.CostUSD = machine.Done, machine.StepClosed, machine.Closing, 15120, 7.8
	s.History = []machine.HistoryEntry{{Phase: 0, TasksCompleted: 9, Outcome: "complete"}}
	return s
}

// stand is what a test wants of one.
type stand struct {
	Standing               view.Standing
	Headline, Next, Reason string
	Since                  string
}

func TestOnePlaceSaysHowASessionStands(t *testing.T) {
	ended := func(code int, reason string) *view.End {
		return &view.End{Time: at.Add(-2 * time.Hour), ExitCode: code, Reason: reason}
	}
	budget := &view.Limit{Text: "the budget of 20.00 USD is used up", Flags: "--max-cost 40"}
	limited := func() machine.State {
		s, until := limits(), at.Add(2*time.Hour)
		s.LimitedUntil, s.LimitedBackend = &until, "claude"
		return s
	}
	for name, c := range map[string]struct {
		facts view.Facts
		want  stand
	}{
		"a run at work": {
			view.Facts{State: limits(), Held: true},
			stand{view.AtWork, "phase 2 of 3, task 2 of 3, attempt 2", "autopilot watch docs/limits.md", "Task 2 of 3 · Parse the rules", "14:57"},
		},
		"a run at a check": {
			view.Facts{State: limits(), Held: true, Now: &view.Now{Works: []view.Work{{Task: "task-002", Persona: "executor", Since: at.Add(-time.Hour)}, {Task: "task-002", Command: "go test ./...", Since: at.Add(-41 * time.Second)}}}},
			stand{view.AtWork, "phase 2 of 3, task 2 of 3, attempt 2", "autopilot watch docs/limits.md", "Checking task 2 of 3", "14:59"},
		},
		"a run that waits for a limit": {
			view.Facts{State: limited(), Held: true},
			stand{view.Waiting, "usage limit of claude, until 17:00, in 2:00:00", "autopilot watch docs/limits.md", "usage limit of claude", "14:59"},
		},
		"an open question": {
			view.Facts{State: asking(machine.GateApprovePlan, "Run it?", "the phase is of high complexity"), End: ended(3, "waits")},
			stand{view.NeedsYou, "approve the plan of phase 2 (Rule engine)", "autopilot answer docs/limits.md", "the phase is of high complexity", "14:51"},
		},
		"a question that a run waits at": {
			view.Facts{State: asking(machine.GateContinue, "Phase 2 (Rule engine) is complete. Go on to phase 3: Headers?"), Held: true},
			stand{view.NeedsYou, "start phase 2 (Rule engine)?", "autopilot answer docs/limits.md", "", "14:51"},
		},
		"a plan that a person writes": {
			view.Facts{State: asking(machine.GatePlanWanted, "Is it there?")},
			stand{view.NeedsYou, "write the plan of phase 2 (Rule engine)", "autopilot plan docs/limits.md", "the phase is high complexity", "14:51"},
		},
		"a spent budget": {
			view.Facts{State: limits(), End: ended(5, "the budget is used up"), Limit: budget},
			stand{view.NeedsYou, "stopped: the budget of 20.00 USD is used up, phase 2 of 3, task 2 of 3", "autopilot docs/limits.md --max-cost 40", "the budget of 20.00 USD is used up", "13:00"},
		},
		"a limit that no run waits for": {
			view.Facts{State: limits(), End: ended(5, "a limit"), Limit: &view.Limit{Text: "usage limit of claude", Backend: "claude", Until: at.Add(150 * time.Minute)}},
			stand{view.Stopped, "stopped: usage limit of claude", "autopilot docs/limits.md --wait 3h", "usage limit of claude", "13:00"},
		},
		"stopped by Ctrl-C": {
			view.Facts{State: limits(), End: ended(130, "stopped by Ctrl-C")},
			stand{view.Stopped, "you stopped it in phase 2 of 3, task 2 of 3", "autopilot docs/limits.md", "stopped by Ctrl-C", "13:00"},
		},
		"killed": {
			view.Facts{State: limits()},
			stand{view.Stopped, "interrupted in phase 2 of 3, task 2 of 3", "autopilot docs/limits.md", "the last run ended without a word: it was killed, or the machine went down", "14:59"},
		},
		"an error": {
			view.Facts{State: limits(), End: ended(4, "claude isn't logged in\n  run: claude /login")},
			stand{view.Failed, "stopped: claude isn't logged in", "autopilot docs/limits.md", "claude isn't logged in", "13:00"},
		},
		"done": {
			view.Facts{State: done()},
			stand{view.Finished, "1 phase, 9 tasks, 4:12:00, $7.80", "git log --oneline 01234567..autopilot/limits", "", "14:59"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.facts.At = at
			v := view.Of(c.facts)
			got := stand{v.Standing, v.Headline, v.Next, "", v.Since.Format("15:04")}
			if len(v.Because) > 0 {
				got.Reason = v.Because[0]
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnAnswerThatWasGivenSinceTheRunEndedIsSaid(t *testing.T) {
	s := limits()
	s.Decisions = []machine.Decision{{Decision: "no_output: retry", Gate: "g4", By: "human", Timestamp: at}}
	v := view.Of(view.Facts{State: s, End: &view.End{Time: at.Add(-time.Minute), ExitCode: 3, Reason: "waiting for an answer"}, At: at})
	if v.Headline != "you answered; run to go on" || v.Standing != view.Stopped {
		t.Errorf("%s: %s", v.Standing, v.Headline)
	}
}

func TestTheDefaultNeverSkipsOrOverrides(t *testing.T) {
	for _, offer := range machine.Offers() {
		for _, c := range view.Choices(machine.Gate{Kind: offer.Kind, Options: offer.Options, Free: true}) {
			if bad := c.Name == "skip" || c.Name == "override" || c.Name == "1" || c.Name == "redo" || c.Name == "stop"; bad && c.Default {
				t.Errorf("%s: %s is the default", offer.Kind, c.Name)
			}
			if c.Label == "" || c.Word == "" {
				t.Errorf("%s: %s has no words", offer.Kind, c.Name)
			}
		}
	}
}

func TestAGateNamesEachFindingOnce(t *testing.T) {
	s := asking(machine.GateReviewBlocking, "The review of phase 2 (Rule engine) has 1 blocking finding.")
	bad := machine.Finding{Severity: machine.Critical, File: "rules/match.go", Line: 88, Title: "A rule without a host matches every host", Rationale: "see spec"}
	small := machine.Finding{Severity: machine.Suggestion, File: "rules/parse.go", Line: 12, Title: "Name the grammar"}
	s.CurrentState, s.Gate.State, s.Phases[1].Findings = machine.Review, machine.Review, []machine.Finding{small, bad}
	s.Register = machine.Register{}.Raise(machine.Entry{Phase: 2, Finding: small}).Raise(machine.Entry{Phase: 2, Finding: bad})
	s.Gate.Context = []string{"F2 " + machine.Describe([]machine.Finding{bad})[0], "fix is not offered any more"}
	g := view.Of(view.Facts{State: s, At: at}).Gate
	if g.Headline != "Phase 2 of 3 · Rule engine · the review found 1 problem that blocks" || g.Rounds != "Fix rounds used: 0 of 3" {
		t.Errorf("%s; %s", g.Headline, g.Rounds)
	}
	if len(g.Blocking) != 2 || g.Blocking[0].ID != "F2" || len(g.Notes) != 1 {
		t.Errorf("%v, notes %v", g.Blocking, g.Notes)
	}
}

func TestAPhaseHasItsStrip(t *testing.T) {
	v := view.Of(view.Facts{State: limits(), Held: true, At: at})
	marks := ""
	for _, step := range v.Phases[1].Steps {
		marks += string(step.Mark) + step.Count + " "
	}
	if marks != "passed active1/3 pending pending " || len(v.Phases[1].Tasks) != 3 || v.Phases[1].Tasks[1].Attempts[1].Mark != view.Active {
		t.Errorf("%s: %+v", marks, v.Phases[1].Tasks)
	}
}
