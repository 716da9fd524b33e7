package view

import (
	"time"

	"autopilot/autopilot/machine"
)

// Standing is who must act.
type Standing string

// The standings, in the order in which lists show them.
const (
	NeedsYou   Standing = "needs_you"     // a question is open, or only a person can have it go on
	AtWork     Standing = "running"       // a run is alive
	Waiting    Standing = "waiting_limit" // a run is alive and waits for a limit to end
	Stopped    Standing = "stopped"       // it goes on with the next run
	Failed     Standing = "failed"        // its last run ended with an error
	Finished   Standing = "done"
	Unreadable Standing = "unreadable"
)

// Group is a part of a list of sessions.
type Group struct {
	Title string
	Has   []Standing
}

// Groups are the parts of a list, what needs a person first.
var Groups = []Group{
	{"Needs you", []Standing{NeedsYou, Failed, Unreadable}},
	{"Running", []Standing{AtWork, Waiting}},
	{"Stopped", []Standing{Stopped}},
	{"Done", []Standing{Finished}},
}

// standingWords are the standings for people.
var standingWords = map[Standing]string{
	NeedsYou: "waiting for you", AtWork: "running", Waiting: "waiting for a limit", Stopped: "stopped", Failed: "stopped by an error", Finished: "done", Unreadable: "can't be read",
}

// Words are the standing for people.
func (s Standing) Words() string { return standingWords[s] }

// Session is a session at a moment. Its JSON is what status --json prints; keys are only added.
type Session struct {
	ID       string        `json:"id"`
	Slug     string        `json:"session"`
	Spec     string        `json:"spec"` // path
	Title    string        `json:"title"`
	Branch   string        `json:"branch"`
	Rigor    machine.Rigor `json:"rigor"`
	LastRun  *LastRun      `json:"lastRun,omitempty"` // nil: an older program recorded none
	Standing Standing      `json:"standing"`
	Headline string        `json:"headline"` // what a person has to know, in one line
	Since    time.Time     `json:"since"`    // of that
	Next     string        `json:"next"`     // a command that works now
	Running  bool          `json:"running"`  // a run is at work on it now
	ExitCode int           `json:"exitCode"` // that a run would end with now

	Revision    int64                 `json:"revision"` // of the journal
	State       machine.Name          `json:"state"`
	Step        machine.StepName      `json:"step"`
	Phase       int                   `json:"phase"` // 1-based position of the current one
	Phases      []Phase               `json:"phases"`
	Tasks       []machine.Task        `json:"tasks"` // of the current phase or the final review
	Parallel    int                   `json:"parallel"`
	Waves       [][]string            `json:"waves"` // ids of tasks, as they would run at once
	FinalReview machine.ReviewedShown `json:"finalReview"`
	FinalTasks  []Task                `json:"finalTasks"` // its fixes

	Works []Running `json:"works"` // what runs now: the run's own working tree first, then lanes by task
	Gate  *Gate     `json:"gate"`
	Limit *Limit    `json:"limit,omitempty"`

	Clock       Clock                 `json:"clock"`
	Usage       machine.Usage         `json:"usage"`
	CostKnown   bool                  `json:"costKnown"` // false: no price is known, and Usage.CostUSD says nothing
	Budgets     []Budget              `json:"budgets,omitempty"`
	Forecast    *machine.Forecast     `json:"forecast,omitempty"` // of the rest of the phase
	Metrics     machine.MetricsShown  `json:"metrics"`
	TaskMetrics []machine.TaskMetrics `json:"taskMetrics"` // of all phases so far
	Targets     machine.Targets       `json:"targets"`     // of the rates
	Flakes      []machine.Flake       `json:"flakes"`      // tests that failed now and then, and were not blamed; phases count from 1

	Findings    machine.Register `json:"findings"`
	Criteria    []Criterion      `json:"criteria"`
	Decisions   []Decision       `json:"decisions"`
	Commits     []Commit         `json:"commits"`     // oldest first
	Assumptions []string         `json:"assumptions"` // of the plans, where the spec leaves something open

	StackedOn string `json:"stackedOn,omitempty"` // the branch of other work that it began on
	Base      string `json:"base,omitempty"`      // of such a branch: what its pull request goes into

	Limited    string    `json:"limited,omitempty"` // by what the last dispatch was stopped
	Waits      bool      `json:"waits,omitempty"`   // a run waits until that is over, and goes on
	Because    []string  `json:"because"`           // why it stands as it does
	Resume     string    `json:"resume"`            // what the next run does, or the one at work
	LastActive time.Time `json:"lastActive"`
	Footing    string    `json:"footing,omitempty"` // what it is stacked on, in words
}

// LastRun is how the session's last run was started.
type LastRun struct {
	Backend string   `json:"backend,omitempty"` // that all personas have; "": as the configuration says
	Model   string   `json:"model,omitempty"`
	Flags   []string `json:"flags,omitempty"` // as typed, without the spec
}

// Phase is one phase of the spec. Its Spent is in machine.Phase.
type Phase struct {
	machine.Phase
	Position int              `json:"position"`          // 1-based
	Steps    []PhaseStep      `json:"steps"`             // plan, build, check, review: the strip
	Tasks    []Task           `json:"tasks"`             // those of fix rounds too
	Outcome  string           `json:"outcome,omitempty"` // complete, skipped, failed; "" while it is not over
	Verified *bool            `json:"verified"`          // nil: not checked
	Ended    *time.Time       `json:"ended,omitempty"`
	Retries  int              `json:"retries"`
	Left     machine.Register `json:"left"` // its findings that are open or waived
}

// PhaseStep is one of the steps of a phase that people read.
type PhaseStep struct {
	Name  string `json:"name"` // plan, build, check, review
	Mark  Mark   `json:"mark"`
	Count string `json:"count,omitempty"` // of build: "1/5"
}

// Mark is how something stands.
type Mark string

// The marks.
const (
	Pending Mark = "pending"
	Active  Mark = "active"
	Asking  Mark = "asking" // it waits for a person
	Passed  Mark = "passed"
	Broken  Mark = "failed"
	Skipped Mark = "skipped"
)

// Task is a task of any phase, also of one that is over.
type Task struct {
	N        int       `json:"n"`  // 1-based in its phase
	ID       string    `json:"id"` // task-001
	Title    string    `json:"title"`
	Kind     string    `json:"kind"`
	Files    []string  `json:"files"`
	After    []int     `json:"after"` // the tasks of its phase that it waits for
	Mark     Mark      `json:"mark"`
	Attempts []Attempt `json:"attempts"`
	Limit    int       `json:"limit"` // how many attempts it may have
	Commit   string    `json:"commit,omitempty"`
	Seconds  float64   `json:"seconds"`
	USD      float64   `json:"usd"`
	Lane     bool      `json:"lane,omitempty"`     // it is worked on in a working tree of its own
	Unproven bool      `json:"unproven,omitempty"` // it is committed although old tests fail on it
	Summary  string    `json:"summary,omitempty"`  // of its agent, when it was committed

	Diagnosis string `json:"diagnosis,omitempty"` // why its attempts failed, as an agent found
}

// Attempt is one attempt of a task.
type Attempt struct {
	N            int             `json:"n"`
	Start        time.Time       `json:"start,omitzero"`
	End          time.Time       `json:"end,omitzero"`
	Mark         Mark            `json:"mark"`
	Error        string          `json:"error,omitempty"`
	Summary      string          `json:"summary,omitempty"` // of its agent
	Checks       []machine.Check `json:"checks,omitempty"`
	Output       string          `json:"output,omitempty"` // of its checks: the file in the session's folder
	OutputSHA256 string          `json:"outputSha256,omitempty"`
	Dispatch     string          `json:"dispatch,omitempty"` // id: the folder of its prompt, reply and output
	USD          float64         `json:"usd"`
}

// Running is one thing at work now.
type Running struct {
	Work
	N        int     `json:"n,omitempty"`     // of its task, 1-based; 0: it has none
	Of       int     `json:"of,omitempty"`    // tasks of the phase
	Title    string  `json:"title,omitempty"` // of its task
	Attempt  int     `json:"attempt,omitempty"`
	Limit    int     `json:"limit,omitempty"`    // of attempts
	USD      float64 `json:"usd,omitempty"`      // of its task so far
	LastTook float64 `json:"lastTook,omitempty"` // seconds that the same command took the last time
	Doing    string  `json:"doing"`              // Planning phase 2 (Rule engine); Task 2 of 5 · Parse the rules; Checking task 2 of 5
}

// Gate is an open question with all that helps to answer it.
type Gate struct {
	machine.Gate
	Headline string            `json:"headline"`           // where it stands: Phase 2 of 3 · Rule engine · the plan is ready
	Ask      string            `json:"ask"`                // the question in a few words: Approve this plan?
	Because  []string          `json:"because"`            // why a person is asked
	Notes    []string          `json:"notes"`              // what else helps to decide
	Plan     string            `json:"plan,omitempty"`     // path of the plan that it is about
	About    []Task            `json:"about,omitempty"`    // tasks of that plan, or the one that failed
	Blocking machine.Register  `json:"blocking,omitempty"` // the findings that it is about, blocking ones first
	Checks   []machine.Check   `json:"checks,omitempty"`
	Forecast *machine.Forecast `json:"forecast,omitempty"`
	Rounds   string            `json:"rounds,omitempty"` // Fix rounds used: 1 of 3
	Choices  []Choice          `json:"choices"`
	Commands map[string]string `json:"commands"` // the command of each option
}

// Choice is an option as a person sees it.
type Choice struct {
	Name        string `json:"name"`  // machine.Option.Name, which answer takes
	Word        string `json:"word"`  // that people read: approve for yes; machine.Gate.Meant takes both
	Label       string `json:"label"` // what it does
	NeedsReason bool   `json:"needsReason,omitempty"`
	Default     bool   `json:"default,omitempty"`     // never one that skips or overrides
	TakesReason bool   `json:"takesReason,omitempty"` // one helps, and need not be given
}

// Clock says where the time went.
type Clock struct {
	Work   float64 `json:"work"`   // seconds that a run was at work
	You    float64 `json:"you"`    // that questions stood open
	Limits float64 `json:"limits"` // that a run waited for limits
	Wall   float64 `json:"wall"`   // since the session began, to its end where it is done
}

// Criterion is an acceptance criterion of the spec, with what shows it.
type Criterion struct {
	Text     string `json:"text"`
	Mark     Mark   `json:"mark"`     // Pending: nobody judged it
	By       string `json:"by"`       // program, reviewer
	Evidence string `json:"evidence"` // a test, a command, a commit, or words
}

// Decision is what a person or a rule decided. Phases count from 1; 0 is none.
type Decision struct {
	Phase     int              `json:"phase"`
	State     machine.Name     `json:"state"`
	Decision  string           `json:"decision"` // as it is recorded: review_blocking: override
	Words     string           `json:"words"`    // override: the review of phase 2 (Rule engine) found 1 problem that blocks
	Reason    string           `json:"reason"`
	By        string           `json:"by"`
	Timestamp time.Time        `json:"timestamp,omitzero"`
	Signals   *machine.Signals `json:"signals,omitempty"`
	Gate      string           `json:"gate,omitempty"`
	PlanSHA   string           `json:"planSha256,omitempty"`
}

// Commit is one of the session's commits.
type Commit struct {
	SHA     string    `json:"sha"`
	Subject string    `json:"subject,omitempty"`
	Task    string    `json:"task,omitempty"`
	Phase   int       `json:"phase,omitempty"` // 1-based position; 0: of the final review
	At      time.Time `json:"at,omitzero"`
	Files   int       `json:"files,omitempty"`
	Added   int       `json:"added,omitempty"`
	Removed int       `json:"removed,omitempty"`
	Paths   []string  `json:"-"` // of its files
}
