package report

import (
	"cmp"
	"time"

	"autopilot/autopilot/machine"
)

// Record is what the journal tells of how it went. Take is called for each event in order.
type Record struct {
	Spans  []Span
	Runs   []Run
	Proofs []Proof
	Spends []Spend
	Plans  []PlanRead
	Spec   string // SHA-256 of the spec
	Start  string // the commit that the session began at

	flight map[string]begun
	before map[string]machine.Check // a task's own validation before the work
	asked  time.Time                // since when a question is open
	gate   string
	limit  time.Time // since when a limit is waited for
	last   time.Time
}

// Run is one time that commands checked the work.
type Run struct {
	Rev      int64
	At       time.Time // when it ended
	Phase    int       // 1-based position; 0: before the first phase, or of the final review
	Task     string    // "": of a whole phase
	Attempt  int
	Baseline bool
	Checks   []machine.Check
	Evidence machine.Evidence
}

// Spend is what an agent run used.
type Spend struct {
	At      time.Time
	Phase   int
	Persona string
	Usage   machine.Usage
}

// PlanRead is a plan as a session read it.
type PlanRead struct {
	At     time.Time
	Phase  int
	Path   string
	SHA256 string
}

// begun is an agent run that has not ended.
type begun struct {
	machine.Dispatch
	at    time.Time
	phase int
}

// position is the phase that an event at a state is about.
func position(s machine.State) int {
	if s.CurrentState == machine.FinalReview || s.CurrentState == machine.Done || s.CurrentState == machine.Init {
		return 0
	}
	return s.CurrentPhase + 1
}

// Take takes in an event with the states before and after it.
func (r *Record) Take(before machine.State, e machine.Event, after machine.State) {
	if r.flight == nil {
		r.flight, r.before = map[string]begun{}, map[string]machine.Check{}
	}
	r.Spec, r.Start, r.last = after.Spec.SHA256, after.StartingCommit, e.Time
	r.waits(e, after)
	switch e.Type {
	case machine.Dispatched:
		r.flight[e.Dispatch.ID] = begun{*e.Dispatch, e.Time, position(before)}
	case machine.DispatchEnded:
		r.ended(e)
	case machine.PlanRead, machine.PlanEdited:
		if e.Plan != nil {
			r.Plans = append(r.Plans, PlanRead{e.Time, position(before), e.Plan.Path, e.Plan.SHA256})
		}
	case machine.BaselineMeasured:
		if e.Baseline != nil {
			r.ran(Run{Baseline: true, Checks: e.Baseline.Checks}, e)
		}
	case machine.SnapshotTaken:
		if e.Before != nil {
			r.before[e.Task] = *e.Before
			r.checked(*e.Before, Run{Phase: position(before), Task: e.Task})
		}
	case machine.Validated:
		t, _ := before.Task(e.Task)
		r.ran(Run{Phase: position(before), Task: e.Task, Attempt: len(t.Attempts) + 1, Checks: e.Checks}, e)
	case machine.Checked:
		r.ran(Run{Phase: position(before), Checks: e.Checks}, e)
	case machine.BlindChecked:
		r.blind(position(before), e)
	}
}

// ended is the end of an agent run.
func (r *Record) ended(e machine.Event) {
	if e.Ended == nil {
		return
	}
	b, known := r.flight[e.Ended.ID]
	if !known {
		return
	}
	delete(r.flight, e.Ended.ID)
	used := machine.Usage{}
	if e.Ended.Used != nil {
		used = *e.Ended.Used
	}
	r.Spends = append(r.Spends, Spend{e.Time, b.phase, b.Persona, used})
	r.Spans = append(r.Spans, Span{
		Lane: laneOf(b.Persona), Start: b.at, End: e.Time, Class: classOf(*e.Ended), What: cmp.Or(purposes[b.Purpose], b.Persona),
		Phase: b.phase, Task: b.Task, Attempt: b.Attempt, USD: used.CostUSD,
	})
}

// ran is a time that commands ran.
func (r *Record) ran(run Run, e machine.Event) {
	run.Rev, run.At = e.Rev, e.Time
	if e.Evidence != nil {
		run.Evidence = *e.Evidence
	}
	r.Runs = append(r.Runs, run)
	for _, c := range run.Checks {
		r.checked(c, run)
	}
	r.prove(run, e.Proofs)
}

func (r *Record) checked(c machine.Check, run Run) {
	if c.StartedAt.IsZero() {
		return
	}
	class := "failed"
	if machine.Passing([]machine.Check{c}) {
		class = "ok"
	}
	r.Spans = append(r.Spans, Span{
		Lane: "Checks", Start: c.StartedAt, End: c.StartedAt.Add(time.Duration(c.Seconds * float64(time.Second))), Class: class,
		What: c.Name(), Phase: run.Phase, Task: run.Task, Attempt: run.Attempt,
	})
}

// blind are the checks of somebody who saw the spec alone.
func (r *Record) blind(phase int, e machine.Event) {
	if e.Reading == nil || e.Reading.Seconds <= 0 {
		return
	}
	class := "ok"
	for _, c := range e.Reading.Checks {
		if c.Outcome != machine.CheckPassed {
			class = "failed"
		}
	}
	r.Spans = append(r.Spans, Span{
		Lane: "Checks", Start: e.Time.Add(-time.Duration(e.Reading.Seconds * float64(time.Second))), End: e.Time, Class: class, What: "blind checks", Phase: phase,
	})
}

// shortest is how long a wait has to be to be shown.
const shortest = 2 * time.Second

// waits follows open questions and limits.
func (r *Record) waits(e machine.Event, after machine.State) {
	open := ""
	if after.Gate != nil {
		open = after.Gate.ID
	}
	if r.gate != "" && open != r.gate {
		r.wait("You", r.asked, e.Time, "waited for an answer")
	}
	if open != r.gate {
		r.gate, r.asked = open, e.Time
	}
	switch {
	case after.LimitedUntil != nil && r.limit.IsZero():
		r.limit = e.Time
	case after.LimitedUntil == nil && !r.limit.IsZero():
		r.wait("Limits", r.limit, e.Time, "waited for a limit")
		r.limit = time.Time{}
	}
}

func (r *Record) wait(lane string, from, to time.Time, what string) {
	if to.Sub(from) >= shortest {
		r.Spans = append(r.Spans, Span{Lane: lane, Start: from, End: to, Class: "wait", What: what})
	}
}
