package sessions

import (
	"cmp"
	"fmt"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
	"autopilot/sessions/taskfile"
)

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
		ID: t.ID, Title: t.Title, Status: t.Status, Priority: "P1", DependsOn: listed(t.DependsOn),
		Attempts: len(t.Attempts), MaxAttempts: taskAttempts + t.Extra, StartedAtCommit: orNil(t.Base),
		Validation: taskfile.ListedValidation{Command: t.Validation, TimeoutSeconds: 600},
		ErrorLog:   []string{}, Checkpoints: []taskfile.Milestone{},
	}
	for _, a := range t.Attempts {
		if a.Error != "" {
			out.ErrorLog = append(out.ErrorLog, fmt.Sprintf("[%s] %s", cmp.Or(a.Category, "TASK_EXEC"), storage.Fold(a.Error)))
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
