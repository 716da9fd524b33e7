package machine

import (
	"fmt"
	"strconv"
	"strings"
)

// The kinds of checkpoints.
const (
	CheckpointDecision = "decision"
	CheckpointVerify   = "human-verify"
	CheckpointAction   = "human-action"
)

// Checkpoint is a gate that a plan asks for.
type Checkpoint struct {
	Task    string   `json:"task"` // id
	Kind    string   `json:"kind"` // decision, human-verify, human-action
	Text    string   `json:"text"`
	Options []string `json:"options,omitempty"`
	Passed  bool     `json:"passed"`
	Answer  string   `json:"answer,omitempty"`
}

// checkpointOptions are the options of a checkpoint of a kind; the choices are a decision's own.
func checkpointOptions(kind string, choices ...string) []Option {
	switch kind {
	case CheckpointAction:
		return []Option{option("done", effectPass, "it is done"), stopOption}
	case CheckpointVerify:
		return []Option{option("yes", effectPass, "it is right"), withReason("fix", effectRedoFix, "say what is wrong"), stopOption}
	}
	var options []Option
	for n, text := range choices {
		options = append(options, option(strconv.Itoa(n+1), effectChoose, text))
	}
	return append(options, stopOption)
}

// askBefore opens the gate of a checkpoint that stands before the task, if one is left.
func (m tasking) askBefore(t *Task) bool {
	for i := range m.s.Checkpoints {
		c := &m.s.Checkpoints[i]
		if c.Task != t.ID || c.Passed || c.Kind == CheckpointVerify {
			continue
		}
		m.s.CurrentTask = t.ID
		if c.Kind == CheckpointAction {
			m.ask(GateCheckpoint, checkpointOptions(c.Kind),
				fmt.Sprintf("Before task %s you have something to do: %s", t.Title, c.Text))
			return true
		}
		g := m.ask(GateCheckpoint, checkpointOptions(c.Kind, c.Options...),
			fmt.Sprintf("Before task %s you have something to decide: %s", t.Title, c.Text))
		g.Free = true
		return true
	}
	return false
}

// askAfter opens the gate of a checkpoint that stands behind the task's commit, if one is left.
func (m tasking) askAfter(t *Task) bool {
	for _, c := range m.s.Checkpoints {
		if c.Task != t.ID || c.Passed || c.Kind != CheckpointVerify {
			continue
		}
		m.s.CurrentTask = t.ID
		m.ask(GateCheckpoint, checkpointOptions(c.Kind), fmt.Sprintf("Task %s is committed. Please look: %s Is it right?", t.Title, sentence(c.Text)))
		return true
	}
	return false
}

// sentence is a text that another one can follow.
func sentence(text string) string {
	if text = strings.TrimSpace(text); text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:;") {
		return text
	}
	return text + "."
}

// askLeft opens the gate of a checkpoint behind a task that was completed without it being asked: the plan gained it
// later, or the question was dropped when the spec changed.
func (m executing) askLeft() bool {
	for i := range m.s.Tasks {
		if tasking(m).askAfter(&m.s.Tasks[i]) {
			return true
		}
	}
	return false
}

// checkpointAnswered records the answer; it goes into every later prompt of the phase.
func (m tasking) checkpointAnswered(gate Gate, o Option) error {
	c := m.openCheckpoint(gate)
	if c == nil {
		return m.illegal("no checkpoint is open")
	}
	if o.Effect == effectRedoFix {
		fix := Task{
			ID: nextID(m.s.Tasks), Title: "Put right what a human found", Kind: KindHumanFix, Status: TaskPending,
			Finding: &Finding{Severity: Critical, Title: m.e.Answer.Reason, Source: "human"},
		}
		countOn(m.s, &fix)
		c.Task = fix.ID
		m.s.Tasks = append(m.s.Tasks, fix)
		m.s.CurrentTask, m.s.Step = fix.ID, StepPick // before anything that builds on what is wrong
		return nil
	}
	c.Passed = true
	c.Answer = orElse(m.e.Answer.Reason, o.Label)
	if o.Label != "" && m.e.Answer.Reason != "" {
		c.Answer = o.Label + " (" + m.e.Answer.Reason + ")"
	}
	if c.Kind == CheckpointDecision {
		m.s.Step = StepPick
		return nil
	}
	m.s.Step = StepCheckpointCommit
	return nil
}

func (m tasking) openCheckpoint(gate Gate) *Checkpoint {
	t := find(m.s.Tasks, gate.Task)
	behind := t != nil && t.Status == TaskCompleted
	for i := range m.s.Checkpoints {
		c := &m.s.Checkpoints[i]
		if c.Task == gate.Task && !c.Passed && behind == (c.Kind == CheckpointVerify) {
			return c
		}
	}
	return nil
}
