package report

import (
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/timeline"
)

// Record is what the journal tells of how it went. Take is called for each event in order.
type Record struct {
	timeline.Timeline
	Runs   []Run
	Proofs []Proof
	Spends []Spend
	Plans  []PlanRead
	Spec   string // SHA-256 of the spec
	Start  string // the commit that the session began at

	before map[string]machine.Check // a task's own validation before the work
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

// Take takes in an event with the states before and after it.
func (r *Record) Take(before machine.State, e machine.Event, after machine.State) {
	if r.before == nil {
		r.before = map[string]machine.Check{}
	}
	r.Spec, r.Start = after.Spec.SHA256, after.StartingCommit
	if d, phase, known := r.Ending(e); known {
		spend := Spend{At: e.Time, Phase: phase, Persona: d.Persona}
		if e.Ended.Used != nil {
			spend.Usage = *e.Ended.Used
		}
		r.Spends = append(r.Spends, spend)
	}
	r.Timeline.Take(before, e, after)
	switch e.Type {
	case machine.PlanRead, machine.PlanEdited:
		if e.Plan != nil {
			r.Plans = append(r.Plans, PlanRead{e.Time, timeline.Position(before), e.Plan.Path, e.Plan.SHA256})
		}
	case machine.BaselineMeasured:
		if e.Baseline != nil {
			r.ran(Run{Baseline: true, Checks: e.Baseline.Checks}, e)
		}
	case machine.SnapshotTaken:
		if e.Before != nil {
			r.before[e.Task] = *e.Before
		}
	case machine.Validated:
		t, _ := before.Task(e.Task)
		r.ran(Run{Phase: timeline.Position(before), Task: e.Task, Attempt: len(t.Attempts) + 1, Checks: e.Checks}, e)
	case machine.Checked:
		r.ran(Run{Phase: timeline.Position(before), Checks: e.Checks}, e)
	}
}

// ran is a time that commands ran.
func (r *Record) ran(run Run, e machine.Event) {
	run.Rev, run.At = e.Rev, e.Time
	if e.Evidence != nil {
		run.Evidence = *e.Evidence
	}
	r.Runs = append(r.Runs, run)
	r.prove(run, e.Proofs)
}
