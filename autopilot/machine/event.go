package machine

import (
	"fmt"
	"time"
)

// EventType names what happened. Events are the only way in which anything reaches the core.
type EventType string

// The events. Those in Steps are legal at certain steps only; the others (anyTime) whenever no rule says otherwise.
const (
	Created          EventType = "created"           // the first event: the whole initial state
	Imported         EventType = "imported"          // the first event of a session that an older program wrote
	RunStarted       EventType = "run_started"       // a process took up the session
	Branched         EventType = "branched"          // the branch stands
	BaselineMeasured EventType = "baseline_measured" // the validation ran once before anything changed
	PlanChecked      EventType = "plan_checked"      // ASSESS looked for the plan that the state names
	PlanRead         EventType = "plan_read"         // PLAN found a plan and parsed it
	PlanMissing      EventType = "plan_missing"      // PLAN found none, or none with a task
	PlanWeighed      EventType = "plan_weighed"      // what speaks for asking a human was collected
	PlanEdited       EventType = "plan_edited"       // the plan's content is not what was read or approved
	PlanBrought      EventType = "plan_brought"      // a human brings a phase's plan, or wants to make it
	PlansSeen        EventType = "plans_seen"        // the files that an open question about a plan is about are others now
	AsideEnded       EventType = "aside_ended"       // a planner that a person started beside the states ended
	TaskStarted      EventType = "task_started"      // an attempt begins: the base commit is known; without one the task is to be picked once more
	TasksFinished    EventType = "tasks_finished"    // every task is completed
	TasksExhausted   EventType = "tasks_exhausted"   // some task failed for good and nothing else can run
	Dispatched       EventType = "dispatched"        // a persona is about to be run
	DispatchEnded    EventType = "dispatch_ended"    // it ended, in one of the ways of DispatchOutcome
	Validated        EventType = "validated"         // a task's tree was checked
	EffectIntended   EventType = "effect_intended"   // a commit is about to be made
	EffectDone       EventType = "effect_done"       // it was made, or there was nothing to commit
	CommitRefused    EventType = "commit_refused"    // a hook said no, or, with findings, git committed something else
	RolledBack       EventType = "rolled_back"       // the tree is back at the task's base; in a lane at other steps: it was gone, and is made again
	TaskBrought      EventType = "task_brought"      // the work of a lane came into the run's working tree, or met other work there
	Drained          EventType = "drained"           // the lanes are quiet: the question that waited for it opens
	Checked          EventType = "checked"           // the phase's commands and integrity checks ran
	BlindChecked     EventType = "blind_checked"     // the checks of somebody who saw the spec alone ran
	PhaseRecorded    EventType = "phase_recorded"    // what belongs to the end of a phase was written
	Closed           EventType = "closed"            // one closing step of DONE was done
	PhasesAdded      EventType = "phases_added"      // the spec of a DONE session gained phases
	Answered         EventType = "answered"          // somebody answered the open gate
	GateRaised       EventType = "gate_raised"       // the driver met something that only a human can decide
	SpecReread       EventType = "spec_reread"       // the spec changed since it was last read; refused while something is in flight
	PhaseRedone      EventType = "phase_redone"      // a human asked for a phase again; refused while something is in flight
	UndoIntended     EventType = "undo_intended"     // a human wants the session and its branch back where a phase began; refused while something is in flight
	Undone           EventType = "undone"            // the branch and its working tree are there
	PhaseLeftOut     EventType = "phase_left_out"    // a human left a phase out
	PhasesReordered  EventType = "phases_reordered"  // a human changed the order of phases that are not begun
	Used             EventType = "used"              // a model call was paid for
	FindingDismissed EventType = "finding_dismissed" // a person says that a finding is none
	Noted            EventType = "noted"             // something worth telling the next dispatch, or a human
	SnapshotTaken    EventType = "snapshot_taken"    // what the working tree is, or how a task's validation ends before the work, was kept, to be compared with later
)

// Event is one thing that happened: one line of the journal. Rev is the revision that it leads to, one more than the
// state it is applied to; any other is refused as stale. Which of the remaining fields are set depends on Type.
type Event struct {
	Rev  int64     `json:"rev"`
	Type EventType `json:"type"`
	Time time.Time `json:"time"`

	// Slept is how many seconds of those since the last event nobody ran in: the process of that event ended, the machine
	// was suspended, or its clock was set forward. Budgets count running time only.
	Slept float64 `json:"slept,omitempty"`

	Initial    *State         `json:"initial,omitempty"`    // created, imported
	Branch     string         `json:"branch,omitempty"`     // branched; run_started: the branch that an imported session goes on with
	Commit     string         `json:"commit,omitempty"`     // branched, run_started beside branch, plan_checked: HEAD; effect_done: the commit, "" when there was nothing
	Bases      []Base         `json:"bases,omitempty"`      // branched, run_started beside branch: what the branch is to go into
	StackedOn  *Base          `json:"stackedOn,omitempty"`  // branched: the branch of other work that it began on
	Baseline   *Baseline      `json:"baseline,omitempty"`   // baseline_measured
	Plan       *PlanFacts     `json:"plan,omitempty"`       // plan_checked, plan_read, plan_edited; nil in plan_checked: none there
	Own        string         `json:"own,omitempty"`        // plan_read, plan_brought: the SHA-256 of a plan that a person made without any agent
	Detail     string         `json:"detail,omitempty"`     // plan_missing, commit_refused, gate_raised, noted; phase_redone, finding_dismissed and the like: why; plan_brought: where it is, if it is there; answered with done: the plan that it is, though nobody changed it; plans_seen: what is the matter; task_brought: the ref that keeps what met others
	Stood      Stood          `json:"stood,omitzero"`       // plan_checked, plan_brought, answered with revise, used with a dispatch; aside_ended: what was there, with what it left
	Several    bool           `json:"several,omitempty"`    // plan_missing: several plans fit
	Weighed    *Weighed       `json:"weighed,omitempty"`    // plan_weighed
	Task       string         `json:"task,omitempty"`       // task_started, validated, rolled_back, snapshot_taken beside before; used: the task that it was for, if any
	Base       string         `json:"base,omitempty"`       // task_started
	Lane       *Lane          `json:"lane,omitempty"`       // task_started in a lane: where that is
	Conflicts  []string       `json:"conflicts,omitempty"`  // task_brought: files that others changed meanwhile
	Parallel   int            `json:"parallel,omitempty"`   // run_started: how many tasks may be at work at once
	Edition    int            `json:"edition,omitempty"`    // run_started: of the program that took the session up
	With       *RunWith       `json:"with,omitempty"`       // run_started: how the run was started
	KeysAsked  bool           `json:"keysAsked,omitempty"`  // run_started: it asked which keys may go where a file of the repository says
	Overlap    []string       `json:"overlap,omitempty"`    // task_started: the user's dirty files that the task names
	Leftover   []Left         `json:"leftover,omitempty"`   // task_started: what other tasks left uncommitted
	Freed      []string       `json:"freed,omitempty"`      // task_started: paths of the user that are clean by now
	Dispatch   *Dispatch      `json:"dispatch,omitempty"`   // dispatched; used: the one beside the states that begins, for the phase that Phase names
	Ended      *Ended         `json:"ended,omitempty"`      // dispatch_ended
	Checks     []Check        `json:"checks,omitempty"`     // validated, checked
	Evidence   *Evidence      `json:"evidence,omitempty"`   // baseline_measured, validated, checked: what the checks rest on
	Proofs     []string       `json:"proofs,omitempty"`     // validated, checked: what running old and new tests showed, a line each
	Findings   []Finding      `json:"findings,omitempty"`   // validated, checked, task_brought: of the program's own checks
	Blind      bool           `json:"blind,omitempty"`      // checked: the phase gets blind checks
	Reading    *Blind         `json:"reading,omitempty"`    // blind_checked: with what its checks showed
	Large      *Large         `json:"large,omitempty"`      // validated: what no task names, and is too much to be committed unasked
	Rollback   bool           `json:"rollback,omitempty"`   // validated, dispatch_ended, commit_refused, effect_done: a failure is rolled back
	Waived     bool           `json:"waived,omitempty"`     // validated, checked: the configuration says that there is nothing to run
	Effect     *Effect        `json:"effect,omitempty"`     // effect_intended
	Signature  string         `json:"signature,omitempty"`  // commit_refused: of what the hook said; the same where it said the same
	Hooked     []string       `json:"hooked,omitempty"`     // effect_done: what a hook changed in the tree
	Gone       []string       `json:"gone,omitempty"`       // effect_done: files of open findings that are no more
	Record     *Record        `json:"record,omitempty"`     // phase_recorded
	Step       string         `json:"step,omitempty"`       // closed
	Phases     []PhaseText    `json:"phases,omitempty"`     // spec_reread, phases_added
	Spec       *SpecRef       `json:"spec,omitempty"`       // spec_reread, phases_added
	Phase      int            `json:"phase,omitempty"`      // phase_redone, phase_left_out: 1-based position
	Undo       *Undo          `json:"undo,omitempty"`       // undo_intended
	Order      []int          `json:"order,omitempty"`      // phases_reordered: 1-based positions
	By         string         `json:"by,omitempty"`         // phase_redone, phase_left_out, phases_reordered, finding_dismissed: who; gate_raised: who wished the pause
	Finding    string         `json:"finding,omitempty"`    // finding_dismissed: its id
	Answer     *Answer        `json:"answer,omitempty"`     // answered
	Fix        []string       `json:"fix,omitempty"`        // answered with fix: the ids of the findings that it is about; an older program named none
	Kind       GateKind       `json:"kind,omitempty"`       // gate_raised
	LeftOut    []string       `json:"leftOut,omitempty"`    // run_started, answered: paths that a human changed since, not to be committed
	ByProducts []string       `json:"byProducts,omitempty"` // run_started, validated, checked, effect_done: untracked files that appeared while commands or hooks ran
	Claimed    []string       `json:"claimed,omitempty"`    // dispatch_ended: untracked files that the task announces, and that it made or changed
	Usage      *Usage         `json:"usage,omitempty"`      // used
	Before     *Check         `json:"before,omitempty"`     // snapshot_taken: of the task that Task names
	Snapshots  Snapshots      `json:"snapshots,omitempty"`  // dispatched, used with a dispatch, snapshot_taken; "": it is dropped
	Extra      map[string]any `json:"extra,omitempty"`      // noted: kept, never read
}

// IllegalEventError says that an event may not happen where the session stands. The state is left as it was.
type IllegalEventError struct {
	State Name
	Step  StepName
	Event EventType
	Why   string
}

func (e *IllegalEventError) Error() string {
	return fmt.Sprintf("event %s is not possible in %s (step %s): %s", e.Event, e.State, e.Step, e.Why)
}

// StaleEventError says that an event was made for another revision than the state has: it is late, or doubled.
type StaleEventError struct{ State, Event int64 }

func (e *StaleEventError) Error() string {
	return fmt.Sprintf("the event leads to revision %d, but the state is at %d", e.Event, e.State)
}

// Stamp gives an event that has none the next revision, and has its time, in UTC, not go back behind that of the last one.
func (s State) Stamp(e Event) Event {
	if e.Rev == 0 {
		e.Rev = s.Revision + 1
	}
	if e.Time.Before(s.UpdatedAt) {
		e.Time = s.UpdatedAt
	}
	e.Time = e.Time.UTC()
	return e
}
