package transition

import (
	"fmt"

	"autopilot/autopilot/machine"
)

// asksLarge asks about what is too much to be committed unasked, unless a person said commit to the same files. In a lane
// nobody is asked: its work is validated once more where it is committed.
func (m tasking) asksLarge(t *machine.Task) bool {
	large := m.e.Large
	if large == nil || m.lane != nil || t.Large.Approved() && t.Large.ID == large.ID {
		return false
	}
	var says []string
	for _, c := range t.Concerns {
		says = append(says, "Its agent says: "+c)
	}
	what := machine.Plural(large.Count, "file that no task of the plan names", "files that no task of the plan names")
	g := m.ask(machine.GateLargeChange, fmt.Sprintf("Task %s leaves %s: %s. Commit?", t.Title, what, large), says...)
	if large.Tracked {
		refuse(g, "ignore", "git tracks one of the files, so that .gitignore does not keep it out")
	}
	t.Large = large
	return true
}

// largeAnswered has the task's work looked at again: as it is, or without what is to be ignored or discarded.
func (m tasking) largeAnswered(gate machine.Gate, o machine.Option) error {
	t := machine.FindTask(m.s.Tasks, gate.Task)
	if t == nil || t.Large == nil {
		return m.illegal("the task is gone")
	}
	large := *t.Large
	large.Answer = o.Effect
	t.Large = &large
	return nil
}

// largeSettled forgets an answer by which files were kept out of the task: that is done by now.
func largeSettled(t *machine.Task) {
	if !t.Large.Approved() {
		t.Large = nil
	}
}
