package flow

import (
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
)

// Input is what a run of the workflow begins with. What it has from an earlier run fits into one payload.
type Input struct {
	Job   Job               `json:"job"`
	First *machine.State    `json:"first,omitempty"` // of a new session; nil: State is the session so far
	State machine.State     `json:"state,omitzero"`
	Tail  []machine.Event   `json:"tail,omitempty"`  // of the journal: what the hub may lack
	Works map[string]string `json:"works,omitempty"` // the commit that has a working tree as it is: by task, with "" the run's own
	Seen  string            `json:"seen,omitempty"`  // the question that a worker looked at
	Tip   string            `json:"tip,omitempty"`   // the commit that the hub's branch is at, as a worker saw it last
	Lost  map[string]string `json:"lost,omitempty"`  // the working trees that acts left in their middle, by task

	Waited map[string]budget.Waited `json:"waited,omitempty"` // the limits that were met just before, by task
}

// Job is what a worker has to know of a session before it has its state.
type Job struct {
	Repository string         `json:"repository"`           // as RepositoryID gives it
	From       string         `json:"from,omitempty"`       // the branch that the session begins on; its commit is in the state
	Capability string         `json:"capability,omitempty"` // that a worker needs to run agents and checks; "": none beyond the usual
	Yes        bool           `json:"yes,omitempty"`        // go on from phase to phase unasked
	Attributes bool           `json:"attributes,omitempty"` // the server knows the search attributes
	Settings   map[string]any `json:"settings,omitempty"`   // keys of the configuration, above the repository's and the worker's
	Agreed     []string       `json:"agreed,omitempty"`     // the hashes of what files of the repository run and reach, as a person agreed to it
	AgreedAt   string         `json:"agreedAt,omitempty"`   // the commit at which they did; "": a version submitted it that did not ask
	Limits     *budget.Limits `json:"limits,omitempty"`     // what may be spent, in an Act by that act; nil: as the worker's configuration says
}

// Result is how a session ended, or where it was stopped. The session itself is on the hub.
type Result struct {
	Revision int64        `json:"revision"`
	State    machine.Name `json:"state"`
	Stopped  string       `json:"stopped,omitempty"` // why it was, before its end
}

// Act is a step for an activity to do. It does not have the state: the worker has that from the hub, and from Take.
type Act struct {
	Job  Job    `json:"job"`
	Slug string `json:"slug"` // of the session
	Spec string `json:"spec"` // relative to the repository

	ID   string           `json:"id"`             // of this act, in its session
	Task string           `json:"task,omitempty"` // in whose lane it is; "": in the run's own working tree
	Step machine.StepName `json:"step"`

	Answer *machine.Answer `json:"answer,omitempty"` // to the open question
	Lost   string          `json:"lost,omitempty"`   // the working tree that the last act left in its middle
	Waited budget.Waited   `json:"waited,omitzero"`  // the limits that were met just before
}

// Played is the result of an act. Its events were updates.
type Played struct {
	Until *time.Time `json:"until,omitempty"` // a limit of the backend lasts until then
	Limit string     `json:"limit,omitempty"` // what it is

	Waited budget.Waited `json:"waited,omitzero"` // with it, the limits in a row

	Met     bool   `json:"-"`                 // an agent of the act met it, for the account's others
	Left    *Left  `json:"left,omitempty"`    // what a lost attempt saved, of an act that waits or stops the session
	Refused string `json:"refused,omitempty"` // why the answer is none
	Spent   string `json:"spent,omitempty"`   // the budget that is used up, or the act's part of it
	Stop    string `json:"stop,omitempty"`    // why the session cannot go on by itself
}

// Adopt are events that the hub has, and the workflow has not: the server was set up again from an older backup.
type Adopt struct {
	Act     string            `json:"act"`
	Task    string            `json:"task,omitempty"`
	Attempt int32             `json:"attempt"`
	Events  []machine.Event   `json:"events"`
	Works   map[string]string `json:"works,omitempty"`
}

// Take says that somebody begins an act, or takes it over. From then on nothing of an earlier attempt is recorded.
type Take struct {
	Act      string `json:"act"`
	Task     string `json:"task,omitempty"`
	Attempt  int32  `json:"attempt"`
	Revision int64  `json:"revision"` // up to which they have the journal
}

// Taken is what they have to know of the session.
type Taken struct {
	Revision int64             `json:"revision"`
	Events   []machine.Event   `json:"events,omitempty"` // after that revision
	Works    map[string]string `json:"works,omitempty"`
	Saves    int               `json:"saves"`             // how often the act's working tree was recorded
	Counted  int               `json:"counted,omitempty"` // how often what its calls cost was
}

// Record is an event of an act, with the working tree as it was then.
type Record struct {
	Act     string        `json:"act"`
	Task    string        `json:"task,omitempty"`
	Attempt int32         `json:"attempt"`
	Event   machine.Event `json:"event"`          // with the revision that it was made for, without time
	Work    string        `json:"work,omitempty"` // a commit on the hub; "": as before
	Tip     string        `json:"tip,omitempty"`  // the commit that the hub's branch is at; "": not known
	Kept    int64         `json:"kept,omitempty"` // up to which revision the hub has the journal; 0: not known
	Ran     time.Duration `json:"ran"`            // for how long somebody worked since the act's last event
}

// Keep is the end of a session's journal, for the hub: what is there is not kept again. What belongs to working trees other than
// these is not needed any more.
type Keep struct {
	Act   Act               `json:"act"`
	Tail  []machine.Event   `json:"tail"`
	Works map[string]string `json:"works,omitempty"`
	Lost  bool              `json:"lost,omitempty"` // there is work in the middle of acts, which only heartbeats told: all trees stay
}
