package flow

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// script plays agents, commands and git: what it reports follows from its seed and the act alone, so that every driver
// meets the same.
type script struct {
	seed  uint64
	tasks int     // of a plan
	bad   float64 // how likely it is that a step goes wrong
}

// luck is the randomness of a revision; with lanes, of a task's attempt, since revisions depend on who is faster.
func (s script) luck(what string, rev int64) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%s/%d", s.seed, what, rev)
	return rand.New(rand.NewPCG(s.seed, h.Sum64()))
}

func sha(r *rand.Rand) string {
	return fmt.Sprintf("%016x%016x%08x", r.Uint64(), r.Uint64(), r.Uint32())
}

func (s script) first() *machine.State {
	r := s.luck("first", 0)
	st := machine.State{
		SessionID: fmt.Sprintf("s%d", s.seed), SessionSlug: "spec", SessionDir: ".harness/sessions/spec", SpecPath: "docs/spec.md",
		RigorLevel:  []machine.Rigor{machine.Fast, machine.Standard, machine.Thorough}[r.IntN(3)],
		RetryBudget: machine.RetryBudget{MaxAttempts: 1 + r.IntN(3)}, Spec: machine.SpecRef{SHA256: "spec1", Criteria: []string{"fast"}},
	}
	for i := range 1 + r.IntN(2) {
		st.Phases = append(st.Phases, machine.Phase{
			Number: fmt.Sprint(i + 1), Name: string(rune('A' + i)), Complexity: machine.Low, Status: machine.PhasePending, SpecSHA256: fmt.Sprint("text", i),
		})
	}
	return &st
}

func (s script) plan(r *rand.Rand) *machine.PlanFacts {
	p := &machine.PlanFacts{Path: "docs/plans/plan.md", SHA256: sha(r)}
	for i := range s.tasks {
		t := machine.Task{
			ID: machine.TaskID(i + 1), Number: fmt.Sprint(i + 1), Title: fmt.Sprintf("Check field %d", i+1),
			Files: []string{fmt.Sprintf("handler/field%d.go", i)}, Validation: fmt.Sprintf("go test -run TestField%d", i),
		}
		if i%4 == 3 {
			t.DependsOn = []string{machine.TaskID(i)}
		}
		p.Tasks = append(p.Tasks, t)
	}
	return p
}

// event is the result of an act.
func (s script) event(a Act, criteria []string) machine.Event {
	r := s.luck(a.Session, a.Revision)
	bad := r.Float64() < s.bad
	if is, flying := a.Step.Dispatching(); is && flying {
		return machine.Event{Type: machine.DispatchEnded, Ended: s.ended(r, a, bad, criteria), Rollback: bad}
	}
	switch a.Step.Name {
	case machine.StepBranch:
		return machine.Event{Type: machine.Branched, Branch: "autopilot/spec", Commit: sha(r)}
	case machine.StepBaseline:
		return machine.Event{Type: machine.BaselineMeasured, Baseline: &machine.Baseline{Commit: sha(r), Checks: []machine.Check{passed()}}}
	case machine.StepLook:
		return machine.Event{Type: machine.PlanChecked, Commit: sha(r)}
	case machine.StepFind:
		if bad {
			return machine.Event{Type: machine.PlanMissing, Detail: "no plan"}
		}
		return machine.Event{Type: machine.PlanRead, Plan: s.plan(r)}
	case machine.StepWeigh:
		w := &machine.Weighed{}
		if bad {
			w.DirtyFiles = []string{"mine.go"}
		}
		return machine.Event{Type: machine.PlanWeighed, Weighed: w}
	case machine.StepPick:
		return machine.Event{Type: machine.TaskBrought, Task: a.Step.Task, Base: sha(r)}
	case machine.StepValidate, machine.StepRescue:
		e := checked(r, bad && a.Step.Name != machine.StepRescue)
		e.Type, e.Task = machine.Validated, a.Step.Task
		return e
	case machine.StepCommands, machine.StepClean:
		return checked(r, bad)
	case machine.StepRollback:
		return machine.Event{Type: machine.RolledBack, Task: a.Step.Task}
	case machine.StepRecord:
		return machine.Event{Type: machine.PhaseRecorded, Record: &machine.Record{}}
	case machine.StepClose:
		return machine.Event{Type: machine.Closed, Step: a.Step.Closing}
	}
	if bad && r.IntN(3) == 0 {
		return machine.Event{Type: machine.CommitRefused, Detail: "lint says no"}
	}
	return machine.Event{Type: machine.EffectDone, Commit: sha(r)}
}

func passed() machine.Check {
	return machine.Check{Command: "go test ./...", Outcome: machine.CheckPassed, Source: "go.mod"}
}

func checked(r *rand.Rand, bad bool) machine.Event {
	c := passed()
	if bad {
		c.Outcome, c.Detail = machine.CheckFailed, "FAIL: TestX"
	}
	return machine.Event{Type: machine.Checked, Checks: []machine.Check{c}, Rollback: bad && r.IntN(2) == 0}
}

func (s script) ended(r *rand.Rand, a Act, bad bool, criteria []string) *machine.Ended {
	reply := &machine.Reply{Status: "done", Summary: "it is done"}
	for _, c := range criteria {
		reply.Criteria = append(reply.Criteria, machine.Criterion{Text: c, Satisfied: true, Confidence: "high"})
	}
	end := &machine.Ended{ID: a.Dispatch, Outcome: machine.OutcomeReply, Reply: reply}
	if !bad {
		return end
	}
	switch r.IntN(5) {
	case 0:
		reply.Status, reply.Blocker = "blocked", "a password is missing"
	case 1:
		reply.Findings = []machine.Finding{{Severity: machine.Critical, File: "a.go", Line: 3, Title: "it leaks"}}
	case 2:
		end.Outcome, end.Reply = machine.OutcomeInterrupted, nil
	case 3:
		end.Outcome, end.Detail, end.Reply = machine.OutcomeCrashed, "exit 2", nil
	default:
		end.Outcome, end.Detail, end.Reply = machine.OutcomeNoReply, "nothing", nil
	}
	return end
}

// criteria are those that a step judges.
func (s script) criteria(a Act) []string {
	if a.Step.Name == machine.StepReviewReply || a.Step.Name == machine.StepVerifierReply {
		return s.first().Spec.Criteria
	}
	return nil
}

// answer is what a person says: a way that leads on.
func (s script) answer(rev int64, g machine.Gate) machine.Answer {
	ways := []string{"yes", "done", "adopt", "keep", "1", "retry", "fix", "override", "continue", "skip"}
	if s.luck("answer", rev).IntN(2) == 0 {
		ways = []string{"yes", "done", "adopt", "keep", "1", "override", "skip", "continue", "retry", "fix"}
	}
	for _, name := range ways {
		if _, is := g.Option(name); is {
			return machine.Answer{Gate: g.ID, Option: name, Reason: "because", By: "human"}
		}
	}
	return machine.Answer{Gate: g.ID, Option: g.Options[0].Name, Reason: "because", By: "human"}
}

// acts are activities that follow a script, and keep journals in folders as one machine does.
type acts struct {
	script script
	dir    string
	lasts  time.Duration // of an act
	kept   []machine.Event
}

func (a *acts) Play(_ context.Context, act Act) (Played, error) {
	return Played{Events: []machine.Event{a.script.event(act, a.script.criteria(act))}, Ran: a.lasts}, nil
}

func (a *acts) Keep(_ context.Context, t Tail) error {
	opts := sessions.Options{Now: time.Now}
	se, err := sessions.Open(a.dir, opts)
	if errors.Is(err, sessions.ErrNoSession) {
		se, err = sessions.Create(a.dir, t.Events[0], opts)
	}
	if err != nil {
		return err
	}
	for _, e := range t.Events {
		if e.Rev > se.State().Revision {
			if _, err := se.Apply(e); err != nil {
				return err
			}
		}
	}
	a.kept = append(a.kept, t.Events...)
	return se.Close()
}
