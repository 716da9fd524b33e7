package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/taskfile"
)

// TasksName is the name of the task file that shows the state's tasks: its phase's, counted from 1, or those of the
// final review's fixes.
func TasksName(s machine.State) string {
	final := func(t machine.Task) bool { return t.Kind == machine.KindFinalFix }
	if len(s.Tasks) > 0 && slices.ContainsFunc(s.Tasks, final) {
		return "final-tasks.json"
	}
	return fmt.Sprintf("phase-%d-tasks.json", s.CurrentPhase+1)
}

// harnessState is the older task-level shape.
type harnessState struct {
	SchemaVersion int `json:"schemaVersion"`
	Position      struct {
		Phase string `json:"phase,omitempty"`
		Task  string `json:"task,omitempty"`
	} `json:"position"`
	Decisions   []harnessDecision `json:"decisions"`
	Blockers    []harnessBlocker  `json:"blockers"`
	Progress    map[string]string `json:"progress"`
	LastSession *harnessSession   `json:"lastSession,omitempty"`
}

type harnessDecision struct {
	Date     string `json:"date"`
	Decision string `json:"decision"`
	Context  string `json:"context"`
}

type harnessBlocker struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Status      string `json:"status"`
}

type harnessSession struct {
	Date         string   `json:"date"`
	Summary      string   `json:"summary"`
	LastSkill    string   `json:"lastSkill"`
	PendingTasks []string `json:"pendingTasks"`
}

// harnessStatus is the older shape's word for a task's status; a failed task is one that still has to be done.
var harnessStatus = map[string]string{
	machine.TaskPending: "pending", machine.TaskRunning: "in_progress",
	machine.TaskCompleted: "complete", machine.TaskFailed: "pending", machine.TaskSkipped: "pending",
}

// HarnessStateOf is what state.json says of a state.
func HarnessStateOf(s machine.State) any {
	out := harnessState{
		SchemaVersion: 1, Decisions: []harnessDecision{}, Blockers: []harnessBlocker{}, Progress: map[string]string{},
		LastSession: &harnessSession{Date: s.UpdatedAt.UTC().Format(time.DateOnly), LastSkill: "autopilot", PendingTasks: []string{}},
	}
	if s.CurrentPhase >= 0 && s.CurrentPhase < len(s.Phases) {
		out.Position.Phase = s.Phases[s.CurrentPhase].Name
	}
	out.Position.Task = s.CurrentTask
	for _, d := range s.Decisions {
		out.Decisions = append(out.Decisions, harnessDecision{d.Timestamp.UTC().Format(time.DateOnly), d.Decision, d.Reason})
	}
	if g := s.Gate; g != nil {
		out.Blockers = append(out.Blockers, harnessBlocker{g.ID, g.Question, "open"})
	}
	for _, t := range s.Tasks {
		out.Progress[t.ID] = harnessStatus[t.Status]
		if t.Status != machine.TaskCompleted {
			out.LastSession.PendingTasks = append(out.LastSession.PendingTasks, t.ID)
		}
	}
	out.LastSession.Summary = fmt.Sprintf("%s, phase %d of %d", s.CurrentState, s.CurrentPhase+1, len(s.Phases))
	return out
}

// taskAttempts are one run and three retries: what a task of a session has.
const taskAttempts = 4

// TaskFileOf shows the tasks of the current phase in the format of a task file, which a session never reads back.
func TaskFileOf(s machine.State) taskfile.TaskList {
	f := taskfile.TaskList{
		Version: 2, Tasks: []taskfile.ListedTask{}, SessionCount: s.Runs, LastSession: orNil(s.UpdatedAt),
		Config: taskfile.ListConfig{
			ConcurrencyMode: taskfile.Exclusive, MaxTasksPerSession: taskfile.DefaultTasksPerSession, MaxSessions: taskfile.DefaultSessions,
		},
	}
	if s.CurrentPhase >= 0 && s.CurrentPhase < len(s.Phases) {
		f.Created = s.Phases[s.CurrentPhase].StartedAt
	}
	for _, t := range s.Tasks {
		f.Tasks = append(f.Tasks, listedTaskOf(t, s))
	}
	return f
}

func listedTaskOf(t machine.Task, s machine.State) taskfile.ListedTask {
	out := taskfile.ListedTask{
		ID: t.ID, Title: t.Title, Status: t.Status, Priority: "P1", DependsOn: append([]string{}, t.DependsOn...),
		Attempts: len(t.Attempts), MaxAttempts: taskAttempts + t.Extra, StartedAtCommit: orNil(t.Base),
		Validation: taskfile.ListedValidation{Command: t.Validation, TimeoutSeconds: 600},
		ErrorLog:   []string{}, Checkpoints: []taskfile.Milestone{},
	}
	if t.Status == machine.TaskSkipped { // a task file knows no such status
		out.Status = machine.TaskFailed
	}
	for _, a := range t.Attempts {
		if a.Error != "" {
			out.ErrorLog = append(out.ErrorLog, fmt.Sprintf("[%s] %s", cmp.Or(a.Category, "TASK_EXEC"), words.OneLine(a.Error)))
		}
	}
	switch {
	case t.Status == machine.TaskCompleted && len(t.Attempts) > 0:
		out.CompletedAt = orNil(t.Attempts[len(t.Attempts)-1].Timestamp)
	case t.Status == machine.TaskRunning:
		out.ClaimedBy = orNil(fmt.Sprintf("SESSION-%d", s.Runs))
	}
	return out
}

// orNil is where a value lies; nil for an empty one.
func orNil[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
