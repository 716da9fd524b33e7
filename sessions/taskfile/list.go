package taskfile

import (
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/machine"
)

// TaskList is a task file: harness-tasks.json, version 2 (DESIGN §6). Stand-alone it is its own truth, and other programs
// and hooks write it too, so that its rules are methods of the list: pure, with the time handed in.
type TaskList struct {
	Version      int          `json:"version"`
	Created      *time.Time   `json:"created"`
	Config       ListConfig   `json:"session_config"`
	Tasks        []ListedTask `json:"tasks"`
	SessionCount int          `json:"session_count"`
	LastSession  *time.Time   `json:"last_session"`
	NoTasks      []int        `json:"-"` // where a file has, among its tasks, what is none; ascending
}

// ListConfig says how a list is worked through.
type ListConfig struct {
	ConcurrencyMode    string `json:"concurrency_mode"` // exclusive, or concurrent
	MaxTasksPerSession int    `json:"max_tasks_per_session"`
	MaxSessions        int    `json:"max_sessions"`
}

// The values of ListConfig that a list has where it names none.
const (
	Exclusive, Concurrent  = "exclusive", "concurrent"
	DefaultTasksPerSession = 20
	DefaultSessions        = 50
	DefaultListedAttempts  = 3
)

// IsConcurrent says whether several workers may have a task at the same time.
func (c ListConfig) IsConcurrent() bool { return c.ConcurrencyMode == Concurrent }

// NoDependencyList is the one dependency of a task whose depends_on is no list: no list has a task with that id, so that
// it is never met.
const NoDependencyList = "(depends_on is no list)"

// ListedTask is a task of a task file. Its status is one of TaskPending, TaskRunning, TaskCompleted, TaskFailed.
type ListedTask struct {
	ID              string           `json:"id"`
	Title           string           `json:"title"`
	Description     string           `json:"description,omitempty"`
	Steps           []string         `json:"steps,omitempty"`
	Status          string           `json:"status"`
	Priority        string           `json:"priority"` // P0 P1 P2
	DependsOn       []string         `json:"depends_on"`
	Attempts        int              `json:"attempts"`
	MaxAttempts     int              `json:"max_attempts"`
	StartedAtCommit *string          `json:"started_at_commit"`
	Validation      ListedValidation `json:"validation"`
	OnFailure       ListedCleanup    `json:"on_failure"`
	ChangesTests    []string         `json:"changes_tests,omitempty"` // paths of tests that the task may change
	ErrorLog        []string         `json:"error_log"`               // "[CATEGORY] message", the newest last
	Checkpoints     []Milestone      `json:"checkpoints"`
	CompletedAt     *time.Time       `json:"completed_at"`
	ClaimedBy       *string          `json:"claimed_by"`
	LeaseExpiresAt  *time.Time       `json:"lease_expires_at"`
	ClaimedAt       *time.Time       `json:"claimed_at,omitempty"`
	FailedAt        *time.Time       `json:"failed_at,omitempty"`
	Commit          string           `json:"commit,omitempty"`  // that completed it
	Outages         int              `json:"outages,omitempty"` // that the attempt at hand met, and of which its agent's words alone tell
}

// ListedValidation is the command that decides whether a task is done.
type ListedValidation struct {
	Command        string `json:"command"`
	TimeoutSeconds int    `json:"timeout_seconds"`
}

// Checks says whether the command can show anything: one of white space and comments alone passes whatever was done.
func (v ListedValidation) Checks() bool {
	for line := range strings.Lines(v.Command) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return true
		}
	}
	return false
}

// ListedCleanup is what runs after a failure.
type ListedCleanup struct {
	Cleanup *string `json:"cleanup"`
}

// Milestone is a step inside a task that its worker reported (the format calls it a checkpoint).
type Milestone struct {
	Step        int       `json:"step"`
	Total       int       `json:"total"`
	Description string    `json:"description"`
	Timestamp   time.Time `json:"timestamp"`
}

// The categories of an error in error_log and in the log.
const (
	CategoryEnvSetup       = "ENV_SETUP"
	CategoryConfig         = "CONFIG"
	CategoryTaskExec       = "TASK_EXEC"
	CategoryTestFail       = "TEST_FAIL"
	CategoryTimeout        = "TIMEOUT"
	CategoryDependency     = "DEPENDENCY"
	CategorySessionTimeout = "SESSION_TIMEOUT"
)

// Find is the task with an id, to be changed in place; nil where there is none. Where several have that id, which no
// program makes but hands do, it is the one in progress, else the first.
func (l *TaskList) Find(id string) *ListedTask {
	var first *ListedTask
	for i := range l.Tasks {
		switch t := &l.Tasks[i]; {
		case t.ID != id:
		case t.Status == machine.TaskRunning:
			return t
		case first == nil:
			first = t
		}
	}
	return first
}

// maxNumbered is the highest number of an id that new ids are numbered on from: higher ones are no count.
const maxNumbered = 1_000_000_000

// NextID numbers a new task on from the highest task-NNN.
func (l *TaskList) NextID() string {
	highest := 0
	for _, t := range l.Tasks {
		if number, ok := strings.CutPrefix(t.ID, "task-"); ok {
			if n, err := strconv.Atoi(digits(number)); err == nil && n <= maxNumbered {
				highest = max(highest, n)
			}
		}
	}
	return machine.TaskID(highest + 1)
}

// exhausted says whether a task has no attempt left.
func (t ListedTask) exhausted() bool { return t.Attempts >= t.MaxAttempts }

// circular begins what error_log has of a task that waits for itself.
const circular = "Circular dependency detected: "

// Spent says whether a task failed with its last attempt.
func (t ListedTask) Spent() bool { return t.Status == machine.TaskFailed && t.exhausted() }

// InCircle says whether a task failed because it waits for itself.
func (t ListedTask) InCircle() bool {
	return t.Status == machine.TaskFailed && t.heldBack() && strings.Contains(t.ErrorLog[len(t.ErrorLog)-1], circular)
}

// heldBack says whether the last thing that happened to a failed task was that its dependencies could not be met.
func (t ListedTask) heldBack() bool {
	return len(t.ErrorLog) > 0 && strings.HasPrefix(t.ErrorLog[len(t.ErrorLog)-1], "["+CategoryDependency+"]")
}
