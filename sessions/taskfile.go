package sessions

import (
	"fmt"
	"time"

	"autopilot/autopilot/machine"
)

// taskAttempts are one run and three retries: what a task of a session has.
const taskAttempts = 4

// taskFile is the harness-tasks.json format, version 2. In a session it is a projection and never read back.
type taskFile struct {
	Version       int           `json:"version"`
	Created       *time.Time    `json:"created"`
	SessionConfig sessionConfig `json:"session_config"`
	Tasks         []fileTask    `json:"tasks"`
	SessionCount  int           `json:"session_count"`
	LastSession   *time.Time    `json:"last_session"`
}

type sessionConfig struct {
	ConcurrencyMode    string `json:"concurrency_mode"`
	MaxTasksPerSession int    `json:"max_tasks_per_session"`
	MaxSessions        int    `json:"max_sessions"`
}

type fileTask struct {
	ID              string          `json:"id"`
	Title           string          `json:"title"`
	Status          string          `json:"status"`
	Priority        string          `json:"priority"`
	DependsOn       []string        `json:"depends_on"`
	Attempts        int             `json:"attempts"`
	MaxAttempts     int             `json:"max_attempts"`
	StartedAtCommit *string         `json:"started_at_commit"`
	Validation      fileValidation  `json:"validation"`
	OnFailure       fileOnFailure   `json:"on_failure"`
	ErrorLog        []string        `json:"error_log"`
	Checkpoints     []fileMilestone `json:"checkpoints"`
	CompletedAt     *time.Time      `json:"completed_at"`
	ClaimedBy       *string         `json:"claimed_by"`
	LeaseExpiresAt  *time.Time      `json:"lease_expires_at"`
}

type fileValidation struct {
	Command        string `json:"command"`
	TimeoutSeconds int    `json:"timeout_seconds"`
}

type fileOnFailure struct {
	Cleanup *string `json:"cleanup"`
}

// fileMilestone is a step inside a task; a session's tasks have none.
type fileMilestone struct {
	Step        int       `json:"step"`
	Total       int       `json:"total"`
	Description string    `json:"description"`
	Timestamp   time.Time `json:"timestamp"`
}

// taskFileOf shows the tasks of the current phase.
func taskFileOf(s machine.State) taskFile {
	f := taskFile{
		Version: 2, SessionConfig: sessionConfig{ConcurrencyMode: "exclusive", MaxTasksPerSession: 20, MaxSessions: 50},
		Tasks: []fileTask{}, SessionCount: s.Runs, LastSession: timeOrNil(s.UpdatedAt),
	}
	if s.CurrentPhase >= 0 && s.CurrentPhase < len(s.Phases) {
		f.Created = s.Phases[s.CurrentPhase].StartedAt
	}
	for _, t := range s.Tasks {
		f.Tasks = append(f.Tasks, fileTaskOf(t, s))
	}
	return f
}

func fileTaskOf(t machine.Task, s machine.State) fileTask {
	out := fileTask{
		ID: t.ID, Title: t.Title, Status: t.Status, Priority: "P1", DependsOn: listed(t.DependsOn),
		Attempts: len(t.Attempts), MaxAttempts: taskAttempts + t.Extra, StartedAtCommit: textOrNil(t.Base),
		Validation: fileValidation{Command: t.Validation, TimeoutSeconds: 600}, ErrorLog: []string{}, Checkpoints: []fileMilestone{},
	}
	for _, a := range t.Attempts {
		if a.Error != "" {
			out.ErrorLog = append(out.ErrorLog, fmt.Sprintf("[%s] %s", orElse(a.Category, "TASK_EXEC"), fold(a.Error)))
		}
	}
	switch {
	case t.Status == machine.TaskCompleted && len(t.Attempts) > 0:
		out.CompletedAt = timeOrNil(t.Attempts[len(t.Attempts)-1].Timestamp)
	case t.Status == machine.TaskRunning:
		out.ClaimedBy = textOrNil(fmt.Sprintf("SESSION-%d", s.Runs))
	}
	return out
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
