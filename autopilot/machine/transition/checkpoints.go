package transition

import (
	"cmp"
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
)

// askBefore opens the gate of a checkpoint that stands before the task, if one is left.
func (m tasking) askBefore(t *machine.Task) bool {
	c := openCheckpoint(m.s, t.ID, false)
	if c == nil {
		return false
	}
	m.s.CurrentTask = t.ID
	what, free := "decide", true
	if c.Kind == machine.CheckpointAction {
		what, free = "do", false
	}
	g := m.ask(machine.GateCheckpoint, fmt.Sprintf("Before task %s you have something to %s: %s", t.Title, what, c.Text))
	g.Options, g.Free = machine.CheckpointOptions(c.Kind, c.Options...), free
	return true
}

// askAfter opens the gate of a checkpoint that stands behind the task's commit, if one is left.
func (m tasking) askAfter(t *machine.Task) bool {
	c := openCheckpoint(m.s, t.ID, true)
	if c == nil {
		return false
	}
	m.s.CurrentTask = t.ID
	m.ask(machine.GateCheckpoint, fmt.Sprintf("Task %s is committed. Please look: %s Is it right?", t.Title, sentence(c.Text))).Options = machine.CheckpointOptions(c.Kind)
	return true
}

// sentence is a text that another one can follow.
func sentence(text string) string {
	if text = strings.TrimSpace(text); text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:;") {
		return text
	}
	return text + "."
}

// checkpointAnswered records the answer; it goes into every later prompt of the phase.
func (m tasking) checkpointAnswered(gate machine.Gate, o machine.Option) error {
	t := machine.FindTask(m.s.Tasks, gate.Task)
	c := openCheckpoint(m.s, gate.Task, t != nil && t.Status == machine.TaskCompleted)
	if c == nil {
		return m.illegal("no checkpoint is open")
	}
	if o.Effect == machine.EffectRedoFix {
		fix := machine.Task{
			ID: nextID(m.s.Tasks), Title: "Put right what a human found", Kind: machine.KindHumanFix, Status: machine.TaskPending,
			Finding: &machine.Finding{Severity: machine.Critical, Title: m.e.Answer.Reason, Source: "human"},
		}
		countOn(m.s, &fix)
		c.Task = fix.ID
		m.s.Tasks = append(m.s.Tasks, fix)
		m.s.CurrentTask, m.s.Step = fix.ID, machine.StepPick // before anything that builds on what is wrong
		return nil
	}
	c.Passed = true
	c.Answer = cmp.Or(m.e.Answer.Reason, o.Label)
	if o.Label != "" && m.e.Answer.Reason != "" {
		c.Answer = o.Label + " (" + m.e.Answer.Reason + ")"
	}
	if c.Kind == machine.CheckpointDecision {
		m.s.Step = machine.StepPick
		return nil
	}
	m.s.Step = machine.StepCheckpointCommit
	return nil
}

// openCheckpoint is the first that is left before a task, or behind its commit; nil where none is.
func openCheckpoint(s *machine.State, task string, behind bool) *machine.Checkpoint {
	for i := range s.Checkpoints {
		if c := &s.Checkpoints[i]; c.Task == task && !c.Passed && behind == (c.Kind == machine.CheckpointVerify) {
			return c
		}
	}
	return nil
}
