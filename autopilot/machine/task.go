package machine

import (
	"fmt"
	"slices"
	"time"
)

// The kinds of a task.
const (
	KindPlan      = "plan"
	KindVerifyFix = "verify-fix"
	KindReviewFix = "review-fix"
	KindFinalFix  = "final-fix"
	KindHumanFix  = "checkpoint-fix"
)

// The statuses of a task.
const (
	TaskPending   = "pending"
	TaskRunning   = "in_progress"
	TaskCompleted = "completed"
	TaskFailed    = "failed"
	TaskSkipped   = "skipped" // it failed, and a human has the phase go on without it
)

// Task is one task of the current phase, or of a fix round.
type Task struct {
	ID             string    `json:"id"`               // task-001, in plan order, and kept once it is begun; fix tasks are numbered on
	Number         string    `json:"number,omitempty"` // as the plan writes it
	Title          string    `json:"title"`
	Kind           string    `json:"kind"`
	DependsOn      []string  `json:"dependsOn"` // ids
	Files          []string  `json:"files"`
	FilesNone      bool      `json:"filesNone,omitempty"`
	Owns           []string  `json:"owns,omitempty"`
	ChangesTests   []string  `json:"changesTests,omitempty"`
	Validation     string    `json:"validation,omitempty"`
	ValidationNone bool      `json:"validationNone,omitempty"`
	Finding        *Finding  `json:"finding,omitempty"` // of a fix task
	Also           []Finding `json:"also,omitempty"`    // the others that it is to fix
	Status         string    `json:"status"`
	Attempts       []Attempt `json:"attempts"`
	Extra          int       `json:"extraAttempts,omitempty"` // granted by a human
	Interruptions  int       `json:"interruptions"`
	Cuts           int       `json:"cuts,omitempty"`    // how often the attempt at hand was cut off
	Outages        int       `json:"outages,omitempty"` // how often the attempt at hand met an outage of which its agent's words alone tell
	Lost           int       `json:"lost,omitempty"`    // how often the attempt at hand lost its lane's working tree
	Base           string    `json:"base,omitempty"`    // the commit before its first attempt
	Before         *Check    `json:"before,omitempty"`  // its own validation there, where that was run
	Commit         string    `json:"commit,omitempty"`  // of its present attempt
	Dispatches     int       `json:"dispatches,omitempty"`
	Diagnoses      int       `json:"diagnoses,omitempty"`
	Diagnosis      string    `json:"diagnosis,omitempty"`
	DiagnosedAfter int       `json:"diagnosedAfter,omitempty"` // how many attempts had failed when the diagnosis was made
	Remark         string    `json:"remark,omitempty"`
	Unverified     bool      `json:"unverified,omitempty"`
	Unproven       bool      `json:"unproven,omitempty"` // it is committed although old tests fail on it
	Warned         bool      `json:"warned,omitempty"`   // its agent was warned that old tests fail; it is warned once
	Summary        string    `json:"summary,omitempty"`  // its agent's last word on it, for the commit
	Account        string    `json:"account,omitempty"`  // what its agent said once it was told, or where its validation passed before
	Concerns       []string  `json:"concerns,omitempty"` // of its executor, since it was first begun
	Proofs         []string  `json:"proofs,omitempty"`   // what running old and new tests showed, a line each
	Findings       []Finding `json:"findings,omitempty"` // not blocking, for the reviewer
	Large          *Large    `json:"large,omitempty"`    // what a person was asked about before its commit
	Leftover       []Left    `json:"leftover,omitempty"` // what other tasks had left uncommitted when it was first begun
	Claimed        []string  `json:"claimed,omitempty"`  // untracked files that it announces, and made or changed: its work, whoever left them there before
	ByHuman        bool      `json:"byHuman,omitempty"`
	Lane           *Lane     `json:"lane,omitempty"`  // of a wave, while the task has one
	Alone          bool      `json:"alone,omitempty"` // it met others in a wave, and runs without them now
	Spent          Spent     `json:"spent,omitzero"`
	Metrics        Metrics   `json:"metrics,omitzero"` // of its dispatches; none ended: not recorded
}

// Left is a file of the working tree as a task that failed for good left it. It is no other task's work, as long as it
// stays as it is.
type Left struct {
	Path string `json:"path"`
	Mode string `json:"mode,omitempty"` // git's; "": there is nothing
	Blob string `json:"blob,omitempty"` // git's id of the bytes
	Size int64  `json:"size,omitempty"`
}

// Attempt is one spent attempt of a task.
type Attempt struct {
	Timestamp time.Time `json:"timestamp"`
	Error     string    `json:"error,omitempty"`
	Category  string    `json:"category,omitempty"`  // of progress.txt: TASK_EXEC, TEST_FAIL, TIMEOUT …
	Fix       string    `json:"fix,omitempty"`       // the agent's summary
	Signature string    `json:"signature,omitempty"` // of the failure: the same for two that failed alike; none where nobody can tell
	Result    string    `json:"result"`              // passed, failed
}

// RetryBudget shows the first running task's retries; it is derived from Tasks for those who read the file.
type RetryBudget struct {
	MaxAttempts int           `json:"maxAttempts"`
	CurrentTask *BudgetedTask `json:"currentTask"`
}

// BudgetedTask is the task that RetryBudget shows.
type BudgetedTask struct {
	Name         string    `json:"name"`
	AttemptsUsed int       `json:"attemptsUsed"`
	Attempts     []Attempt `json:"attempts"`
}

// TaskID is the id of the n-th task, 1-based: task-001.
func TaskID(n int) string { return fmt.Sprintf("task-%03d", n) }

// Fixes are the findings that a fix task is about.
func (t Task) Fixes() []Finding {
	if t.Finding == nil {
		return nil
	}
	return append([]Finding{*t.Finding}, t.Also...)
}

// Failures lists the attempts that failed.
func (t Task) Failures() []Attempt {
	return slices.DeleteFunc(slices.Clone(t.Attempts), func(a Attempt) bool { return a.Result != "failed" })
}

// Needed says whether a phase cannot be complete without the task: it is of the plan, or mends what blocks.
func (t Task) Needed(rigor Rigor) bool {
	return t.Kind == KindPlan || len(Blocking(t.Fixes(), rigor)) > 0
}

// Over says whether nothing is left to do for a task.
func (t Task) Over() bool { return t.Status == TaskCompleted || t.Status == TaskSkipped }

// Retries is how many attempts its agent made after the first. What a human did by hand is none.
func (t Task) Retries() int {
	n := len(t.Attempts)
	if t.ByHuman && t.Status == TaskCompleted {
		n--
	}
	return max(0, n-1)
}

// Lane is where a task of a wave is worked on: a working tree and a branch of its own, beside the run's. What was done
// there comes into the run's working tree once it passed, is validated again, and committed there.
type Lane struct {
	Dir    string    `json:"dir"`    // relative to the repository, slashes
	Branch string    `json:"branch"` // stays at Base: nothing is committed in a lane
	Base   string    `json:"base"`   // the commit that it was made of
	Step   StepName  `json:"step"`
	Flight *Dispatch `json:"flight,omitempty"` // the dispatch that was begun and has no result yet
	Held   bool      `json:"held,omitempty"`   // it waits for a human's answer
}

// Busy says whether something goes on in the lane, or has to go on after a stop.
func (l *Lane) Busy() bool { return l != nil && !l.Held && l.Step != StepPick && l.Step != StepCommit }
