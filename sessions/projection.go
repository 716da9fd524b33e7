package sessions

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
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
	s.follow(TasksName(state), func() { s.failed(s.projectState(state)) })
	return s.failure()
}

// Settle waits for what Project began, and returns what failed of it and was not told yet.
func (s *Session) Settle() error {
	s.behind.wait()
	s.settleOwed()
	return s.failure()
}

// settleOwed writes the projections that are owed, as far as it can: that they could not be written was said then.
func (s *Session) settleOwed() {
	s.drawing.Lock()
	defer s.drawing.Unlock()
	s.drawOwed()
}

func (s *Session) drawOwed() {
	for name, p := range s.owed {
		_ = s.draw(name, p)
	}
}

func (s *Session) failed(err error) {
	s.wrote.Lock()
	defer s.wrote.Unlock()
	s.unprojected = cmp.Or(s.unprojected, err)
}

// failure is told once.
func (s *Session) failure() error {
	s.wrote.Lock()
	defer s.wrote.Unlock()
	err := s.unprojected
	s.unprojected = nil
	return err
}

func (s *Session) projectState(state machine.State) error {
	s.drawing.Lock()
	defer s.drawing.Unlock()
	s.drawOwed()
	var wrong error
	if len(state.Tasks) > 0 {
		dated := TaskFileOf(state)
		undated := dated
		undated.LastSession = nil
		wrong = s.project(TasksName(state), undated, dated)
	}
	shown := HarnessStateOf(state)
	return errors.Join(wrong, s.project("state.json", shown, shown))
}

// projection is a file as it is to be, and what tells of a change of it.
type projection struct{ told, data []byte }

// project writes v, if what tells of a change is another than the last time.
func (s *Session) project(name string, tells, v any) error {
	told, err := compact(tells)
	if err == nil && bytes.Equal(told, s.written[name]) {
		delete(s.owed, name) // what the file shows is true again
		return nil
	}
	data, wrong := indented(v)
	if err := errors.Join(err, wrong); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return s.draw(name, projection{told, data})
}

// draw writes a projection, or keeps it as owed.
func (s *Session) draw(name string, p projection) error {
	path := join(s.dir, name)
	err := storage.Plain(s.opts.Disk, path)
	if err == nil {
		err = s.replaced(path, p.data, false)
	}
	if err != nil {
		s.owed[name] = p
		return err
	}
	s.written[name] = p.told
	delete(s.owed, name)
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
