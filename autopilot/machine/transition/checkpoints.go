package transition

import (
	"cmp"
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
)

// askBefore opens the gate of a checkpoint that stands before the task, if one is left.
func (m tasking) askBefore(t *machine.Task) bool {
	for i := range m.s.Checkpoints {
		c := &m.s.Checkpoints[i]
		if c.Task != t.ID || c.Passed || c.Kind == machine.CheckpointVerify {
			continue
		}
		m.s.CurrentTask = t.ID
		if c.Kind == machine.CheckpointAction {
			m.ask(machine.GateCheckpoint, machine.CheckpointOptions(c.Kind),
				fmt.Sprintf("Before task %s you have something to do: %s", t.Title, c.Text))
			return true
		}
		g := m.ask(machine.GateCheckpoint, machine.CheckpointOptions(c.Kind, c.Options...),
			fmt.Sprintf("Before task %s you have something to decide: %s", t.Title, c.Text))
		g.Free = true
		return true
	}
	return false
}

// askAfter opens the gate of a checkpoint that stands behind the task's commit, if one is left.
func (m tasking) askAfter(t *machine.Task) bool {
	for _, c := range m.s.Checkpoints {
		if c.Task != t.ID || c.Passed || c.Kind != machine.CheckpointVerify {
			continue
		}
		m.s.CurrentTask = t.ID
		m.ask(machine.GateCheckpoint, machine.CheckpointOptions(c.Kind), fmt.Sprintf("Task %s is committed. Please look: %s Is it right?", t.Title, sentence(c.Text)))
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

// checkpointAnswered records the answer; it goes into every later prompt of the phase.
func (m tasking) checkpointAnswered(gate machine.Gate, o machine.Option) error {
	c := m.openCheckpoint(gate)
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

func (m tasking) openCheckpoint(gate machine.Gate) *machine.Checkpoint {
	t := machine.FindTask(m.s.Tasks, gate.Task)
	behind := t != nil && t.Status == machine.TaskCompleted
	for i := range m.s.Checkpoints {
		c := &m.s.Checkpoints[i]
		if c.Task == gate.Task && !c.Passed && behind == (c.Kind == machine.CheckpointVerify) {
			return c
		}
	}
	return nil
}
