package machine

import (
	"cmp"
	"time"
)

// Dispatch says which persona is about to be run, for what.
type Dispatch struct {
	ID      string `json:"id"`
	Persona string `json:"persona"`
	Purpose string `json:"purpose,omitempty"`
	Task    string `json:"task,omitempty"`
	Attempt int    `json:"attempt"` // 1-based, of this persona, for this phase and task; interruptions do not count
	Base    string `json:"base,omitempty"`
	// At is when it began, of one in flight, put off by what the machine slept since; zero where an earlier run began it.
	At time.Time `json:"at,omitzero"`
}

// DispatchOutcome is the way in which a dispatch ended (DESIGN: a dispatch ends in one of these).
type DispatchOutcome string

// The ways in which a dispatch ends.
const (
	OutcomeReply       DispatchOutcome = "reply"
	OutcomeNoReply     DispatchOutcome = "no_reply"
	OutcomeLimited     DispatchOutcome = "rate_limited"
	OutcomeAuth        DispatchOutcome = "auth"
	OutcomeTimedOut    DispatchOutcome = "timed_out"
	OutcomeCrashed     DispatchOutcome = "crashed"
	OutcomeInterrupted DispatchOutcome = "interrupted"
	OutcomeNotMade     DispatchOutcome = "not_made" // the backend could not make it at all
	OutcomeWaiting     DispatchOutcome = "waiting"  // for a person's reply: nothing was dispatched
)

// Ended is the end of a dispatch.
type Ended struct {
	ID      string          `json:"id"`
	Outcome DispatchOutcome `json:"outcome"`
	Detail  string          `json:"detail,omitempty"`
	Until   *time.Time      `json:"until,omitempty"`  // rate_limited
	UsedUp  bool            `json:"usedUp,omitempty"` // rate_limited: a quota or balance
	Outage  bool            `json:"outage,omitempty"` // rate_limited: the backend's server is out of order, and Until is when to look again
	// TextOnly is of an outage: the agent's own words tell of it, and nothing else does.
	TextOnly bool   `json:"textOnly,omitempty"`
	Backend  string `json:"backend,omitempty"` // rate_limited: whose limit it is
	Next     string `json:"next,omitempty"`    // rate_limited: the backend that goes on, at once or when its own limit is over
	Reply    *Reply `json:"reply,omitempty"`   // reply
	// Findings are the program's own, about what the dispatch did to the repository.
	Findings []Finding `json:"findings,omitempty"`
	Lost     bool      `json:"lost,omitempty"`     // its lane's working tree was gone by then
	Warned   bool      `json:"warned,omitempty"`   // its agent was warned of unproven findings before it replied
	Explains bool      `json:"explains,omitempty"` // the concerns of its reply stay with the task, as they say why files outside of the plan are needed
	Metrics  *Metrics  `json:"metrics,omitempty"`
	Task     string    `json:"task,omitempty"`     // whose metrics these are too; an older program named none
	YourTurn *YourTurn `json:"yourTurn,omitempty"` // waiting: what a person is to do
	Used     *Usage    `json:"used,omitempty"`     // what its events of usage come to
	Commit   string    `json:"commit,omitempty"`   // of who judges the work: HEAD, as it saw it
}

// Reply is what a persona handed back, as far as the core decides on it.
type Reply struct {
	Status      string      `json:"status"` // done, blocked, failed
	Summary     string      `json:"summary,omitempty"`
	PlanPath    string      `json:"planPath,omitempty"`
	Concerns    []string    `json:"concerns,omitempty"`
	Assumptions []string    `json:"assumptions,omitempty"` // of a planner: what the spec leaves open and the plan takes for granted
	Findings    []Finding   `json:"findings,omitempty"`
	Criteria    []Criterion `json:"criteria,omitempty"`
	Blocker     string      `json:"blocker,omitempty"`
	Judged      []Judgement `json:"judged,omitempty"` // of the verifier and reviewers: a word on each open finding of the register, and on each blind check that failed

	Checks []BlindCheck `json:"checks,omitempty"` // of a blind reading: quote, command and files of each
}

// Judgement is a persona's word on a finding of the register.
type Judgement struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`
	Why     string `json:"why,omitempty"`
}

// The verdicts on a finding.
const (
	VerdictStill = "still"
	VerdictFixed = "fixed"
	VerdictWrong = "wrong"
)

// Criterion is a reviewer's or verifier's word on one success criterion.
type Criterion struct {
	Text       string `json:"text"`
	Satisfied  bool   `json:"satisfied"`
	Confidence string `json:"confidence"` // high, medium, low
	Evidence   string `json:"evidence,omitempty"`
}

// Place names the folder of a dispatch in attempts/<phase>: its task, its purpose where it has no task, or its persona.
func (d Dispatch) Place() string {
	switch {
	case d.Task != "" && d.Purpose == "diagnosis":
		return d.Task + "-diagnosis"
	case d.Task != "":
		return d.Task
	}
	return cmp.Or(d.Purpose, d.Persona)
}
