package flow

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"autopilot/autopilot/machine"
)

// script plays agents, commands and git: what it reports follows from its seed and the act alone, so that every driver
// meets the same.
type script struct {
	seed     uint64
	parallel int
	tasks    int     // of a plan
	bad      float64 // how likely it is that a step goes wrong
	phases   int     // of the spec; 0: one or two
	long     bool    // what agents and commands say is long
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
	for i := range cmp.Or(s.phases, 1+r.IntN(2)) {
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

// event is what happens at a step of a task's lane, or with "" of the run's own working tree.
func (s script) event(st machine.State, step machine.Step, task string) machine.Event {
	e := s.short(st, step, task)
	if s.long {
		lengthen(&e, s.luck("long"+st.SessionID+task, st.Revision))
	}
	return e
}

// lengthen has an event say more, and other things each time.
func lengthen(e *machine.Event, r *rand.Rand) {
	more := func(text string) string {
		for range 10 + r.IntN(20) {
			text += fmt.Sprintf(" %x", r.Uint64())
		}
		return text
	}
	beside := machine.Finding{Severity: machine.Suggestion, File: "b.go", Title: fmt.Sprint("it is odd ", r.IntN(3)), Rationale: more("since")}
	for i := range e.Checks {
		e.Checks[i].Detail = more(e.Checks[i].Detail)
	}
	if len(e.Checks) > 0 {
		e.Proofs, e.Findings = []string{more("old tests pass")}, []machine.Finding{beside}
	}
	if e.Type == machine.Validated && r.IntN(6) == 0 {
		e.Findings = append(e.Findings, machine.Finding{Severity: machine.Critical, Title: "old tests fail", Rationale: more("TestOld"), Source: "integrity", Unproven: true})
	}
	if e.Ended == nil {
		return
	}
	e.Ended.Detail = more(e.Ended.Detail)
	if reply := e.Ended.Reply; reply != nil {
		e.Ended.Explains, reply.Concerns = true, []string{more("it is slow")}
		reply.Summary, reply.Findings = more(reply.Summary), append(reply.Findings, beside)
		for i := range reply.Findings {
			reply.Findings[i].Rationale = more("since")
		}
	}
}

// short is the event, with few words.
func (s script) short(st machine.State, step machine.Step, task string) machine.Event {
	r := s.luck(st.SessionID+task, st.Revision)
	bad := r.Float64() < s.bad
	if st.Runs == 0 {
		return machine.Event{Type: machine.RunStarted, Parallel: s.parallel, Edition: machine.Edition, KeysAsked: true}
	}
	if is, flying := step.Dispatching(); is && flying {
		return machine.Event{Type: machine.DispatchEnded, Ended: s.ended(r, st, step, task, bad), Rollback: bad}
	} else if is {
		d := machine.Dispatch{ID: fmt.Sprintf("d%d%s", st.Revision+1, task), Persona: step.Persona, Purpose: step.Purpose, Attempt: step.Attempt}
		if step.Name == machine.StepDispatch || step.Name == machine.StepDiagnose {
			d.Task = step.Task
		}
		return machine.Event{Type: machine.Dispatched, Dispatch: &d}
	}
	switch step.Name {
	case machine.StepAsk:
		return machine.Event{Type: machine.Drained}
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
		switch {
		case step.Bring:
			return machine.Event{Type: machine.TaskBrought, Task: step.Task, Base: sha(r)}
		case step.Done:
			return machine.Event{Type: machine.TasksFinished}
		case step.Stuck:
			return machine.Event{Type: machine.TasksExhausted}
		}
		return machine.Event{Type: machine.TaskStarted, Task: step.Task, Base: tip(st)}
	case machine.StepValidate, machine.StepRescue:
		e := checked(r, bad && step.Name != machine.StepRescue)
		e.Type, e.Task = machine.Validated, step.Task
		return e
	case machine.StepCommands, machine.StepClean:
		return checked(r, bad)
	case machine.StepRollback:
		return machine.Event{Type: machine.RolledBack, Task: step.Task}
	case machine.StepRecord:
		return machine.Event{Type: machine.PhaseRecorded, Record: &machine.Record{}}
	case machine.StepClose:
		return machine.Event{Type: machine.Closed, Step: step.Closing}
	}
	if len(st.InFlight) == 0 || st.InFlight[0].Effect == nil {
		return machine.Event{Type: machine.EffectIntended, Effect: &machine.Effect{Key: machine.Key(st.SessionID, st.Revision+1), Kind: "commit", Parent: tip(st)}}
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

func (s script) ended(r *rand.Rand, st machine.State, step machine.Step, task string, bad bool) *machine.Ended {
	reply := &machine.Reply{Status: "done", Summary: "it is done"}
	for _, c := range s.criteria(step) {
		reply.Criteria = append(reply.Criteria, machine.Criterion{Text: c, Satisfied: true, Confidence: "high"})
	}
	end := &machine.Ended{Outcome: machine.OutcomeReply, Reply: reply}
	if t, _ := st.Task(task); task != "" {
		end.ID = t.Lane.Flight.ID
	} else {
		end.ID = st.InFlight[0].Dispatch.ID
	}
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
func (s script) criteria(step machine.Step) []string {
	if step.Name == machine.StepReviewReply || step.Name == machine.StepVerifierReply {
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
