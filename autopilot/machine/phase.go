package machine

import (
	"time"
)

// The statuses of a phase.
const (
	PhasePending    = "pending"
	PhaseInProgress = "in-progress"
	PhaseDone       = "complete"
	PhaseSkip       = "skipped"
)

// Phase is one phase of the spec and what the session knows of it.
type Phase struct {
	Number             string     `json:"number"` // as the spec writes it
	Name               string     `json:"name"`
	Complexity         Complexity `json:"complexity"`
	ComplexityOverride Complexity `json:"complexityOverride,omitempty"`
	PlanPath           string     `json:"planPath,omitempty"`
	PlanSHA256         string     `json:"planSha256,omitempty"`
	ApprovedSHA256     string     `json:"approvedSha256,omitempty"`
	OwnSHA256          string     `json:"ownSha256,omitempty"` // of the plan that a person made without any agent
	Status             string     `json:"status"`
	SpecSHA256         string     `json:"specSha256,omitempty"`
	StartCommit        string     `json:"startCommit,omitempty"`
	VerifyFixes        int        `json:"verifyFixes"`
	ReviewFixes        int        `json:"reviewFixes"`

	StartedAt     *time.Time        `json:"startedAt,omitempty"`
	UsageAtStart  Usage             `json:"usageAtStart,omitzero"`
	Spent         Spent             `json:"spent,omitzero"`
	SpentPlanning Usage             `json:"spentPlanning,omitzero"` // of it, until its plan was approved
	SpentTasks    Usage             `json:"spentTasks,omitzero"`    // of it, on its tasks
	LeastTask     Usage             `json:"leastTask,omitzero"`     // number by number, what its cheapest and its dearest task used;
	MostTask      Usage             `json:"mostTask,omitzero"`      // zero where fewer than two were dispatched
	PlanHint      string            `json:"planHint,omitempty"`     // where the planner, or a human, says the plan is
	Concerns      []string          `json:"concerns,omitempty"`     // of the planner, about the plan at hand
	Assumptions   []string          `json:"assumptions,omitempty"`  // of its planner: what the spec leaves open and the plan takes for granted
	Skeleton      string            `json:"skeleton,omitempty"`     // "approved" once a human said yes
	PlanWanted    bool              `json:"planWanted,omitempty"`   // a human wants to make it
	Planning      Planning          `json:"planning,omitzero"`
	Revised       bool              `json:"revised,omitempty"` // the plan was made again at a human's word, and is not approved since
	Edited        bool              `json:"edited,omitempty"`  // the plan was edited by a human, and is not approved since
	Reread        bool              `json:"reread,omitempty"`  // the spec's text changed under it
	Gone          bool              `json:"gone,omitempty"`    // the spec does not have it any more; its work is there
	Tries         int               `json:"tries,omitempty"`   // dispatches in a row that produced nothing
	Interruptions int               `json:"interruptions,omitempty"`
	Cuts          int               `json:"cuts,omitempty"`       // how often the dispatch at hand was cut off; a task has its own
	Outages       int               `json:"outages,omitempty"`    // of the dispatch at hand, as a task's
	Dispatches    map[string]int    `json:"dispatches,omitempty"` // by persona: attempts outside tasks; by task, and task-diagnosis: theirs (tally); draft and interactive: the planner's beside the states
	Remark        string            `json:"remark,omitempty"`     // a human's, for the next dispatch
	Failure       string            `json:"failure,omitempty"`    // of the previous dispatch outside tasks
	Verification  *bool             `json:"verification,omitempty"`
	Overridden    bool              `json:"overridden,omitempty"`
	Unverified    bool              `json:"unverified,omitempty"` // nothing to run, by the configuration's wish
	Checks        []Check           `json:"checks,omitempty"`     // of the last VERIFY
	Blind         *Blind            `json:"blind,omitempty"`      // its blind checks
	Proofs        []string          `json:"proofs,omitempty"`     // what running the tests of before on its whole change showed
	Findings      []Finding         `json:"findings,omitempty"`   // of the last check, verifier or review
	Judged        map[string]Judged `json:"judged,omitempty"`     // by persona, by the last one that was done
}

// Assumed lists what the plans take for granted where the spec leaves it open, with the phase.
func (s State) Assumed() (lines []string) {
	for _, p := range s.Phases {
		for _, a := range p.Assumptions {
			lines = append(lines, "phase "+p.Number+": "+a)
		}
	}
	return lines
}

// HadPlanner says whether a planner was at work on the phase's plan, in the states or beside them.
func (p Phase) HadPlanner() bool {
	return p.Dispatches["planner"]+p.Dispatches["draft"]+p.Dispatches["interactive"] > 0
}

// Over says whether a phase is complete or was left out.
func (p Phase) Over() bool { return p.Status == PhaseDone || p.Status == PhaseSkip }
