package sessions

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/format"
	"autopilot/sessions/storage"
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

// Project writes what other tools read of a state: the task file of its phase, and state.json in the older
// task-level shape. What did not change since the last call, but for the time, is not written again. They follow the
// snapshot and are never read back, so they are not synced. One that could not be written is tried again with the next call,
// in Settle and in Close: the session may have moved on to another file by then. The error may be that of an earlier call;
// see Settle.
func (s *Session) Project(state machine.State) error {
	s.follow(TasksName(state), func() { s.shown.failed(s.shown.projectState(state)) })
	return s.shown.failure()
}

// Settle waits for what Project began, and returns what failed of it and was not told yet.
func (s *Session) Settle() error {
	s.behind.wait()
	s.shown.settle()
	return s.shown.failure()
}

// projections are the files of a folder that follow the state for other tools.
type projections struct {
	dir         string
	disk        storage.Disk
	drawing     sync.Mutex            // guards written and owed
	written     map[string][]byte     // what told of a change when they were last written
	owed        map[string]projection // could not be written
	telling     sync.Mutex            // guards unprojected
	unprojected error                 // why one failed
}

// forget has nothing written any more.
func (p *projections) forget() {
	p.drawing.Lock()
	defer p.drawing.Unlock()
	clear(p.owed)
}

// settle writes the projections that are owed, as far as it can: that they could not be written was said then.
func (p *projections) settle() {
	p.drawing.Lock()
	defer p.drawing.Unlock()
	p.drawOwed()
}

func (p *projections) drawOwed() {
	for name, file := range p.owed {
		_ = p.draw(name, file)
	}
}

func (p *projections) failed(err error) {
	p.telling.Lock()
	defer p.telling.Unlock()
	p.unprojected = cmp.Or(p.unprojected, err)
}

// failure is told once.
func (p *projections) failure() error {
	p.telling.Lock()
	defer p.telling.Unlock()
	err := p.unprojected
	p.unprojected = nil
	return err
}

func (p *projections) projectState(state machine.State) error {
	p.drawing.Lock()
	defer p.drawing.Unlock()
	p.drawOwed()
	var wrong error
	if len(state.Tasks) > 0 {
		dated := TaskFileOf(state)
		undated := dated
		undated.LastSession = nil
		wrong = p.project(TasksName(state), undated, dated)
	}
	shown := HarnessStateOf(state)
	return errors.Join(wrong, p.project("state.json", shown, shown))
}

// projection is a file as it is to be, and what tells of a change of it.
type projection struct{ told, data []byte }

// project writes v, if what tells of a change is another than the last time.
func (p *projections) project(name string, tells, v any) error {
	told, err := format.Compact(tells)
	if err == nil && bytes.Equal(told, p.written[name]) {
		delete(p.owed, name) // what the file shows is true again
		return nil
	}
	data, wrong := indented(v)
	if err := errors.Join(err, wrong); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return p.draw(name, projection{told, data})
}

// draw writes a projection, or keeps it as owed.
func (p *projections) draw(name string, file projection) error {
	if err := replaced(p.disk, join(p.dir, name), file.data, false); err != nil {
		p.owed[name] = file
		return err
	}
	p.written[name] = file.told
	delete(p.owed, name)
	return nil
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
	machine.TaskCompleted: "complete", machine.TaskFailed: "pending",
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
		ID: t.ID, Title: t.Title, Status: t.Status, Priority: "P1", DependsOn: listed(t.DependsOn),
		Attempts: len(t.Attempts), MaxAttempts: taskAttempts + t.Extra, StartedAtCommit: orNil(t.Base),
		Validation: taskfile.ListedValidation{Command: t.Validation, TimeoutSeconds: 600},
		ErrorLog:   []string{}, Checkpoints: []taskfile.Milestone{},
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
