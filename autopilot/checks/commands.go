package checks

import (
	"fmt"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
)

// Project are the project's validation commands, found anew each time: configured ones, else those of its files.
func (cs Checks) Project() []validate.Validation {
	if cs.None {
		return nil
	}
	found, err := validate.Find(cs.Repo.Root(), cs.Configured...)
	return cs.told(found, err)
}

// OfTask are the commands that decide on a task: its own, else the project's, else those of the nearest
// manifest above each changed file.
func (cs Checks) OfTask(t machine.Task, changes []git.Change) []validate.Validation {
	switch {
	case t.ValidationNone || cs.None:
		return nil
	case t.Validation != "":
		return cs.Limit([]validate.Validation{{Command: t.Validation, Dir: cs.dirOf(t), Source: t.ID}})
	}
	if found := cs.Project(); len(found) > 0 {
		return found
	}
	return cs.near(changes)
}

// near are the commands of the nearest manifest above each changed file.
func (cs Checks) near(changes []git.Change) []validate.Validation {
	found, err := validate.FindNear(cs.Repo.Root(), git.Paths(changes))
	return cs.told(found, err)
}

// told gives commands their time, and says where some could not be found.
func (cs Checks) told(found []validate.Validation, err error) []validate.Validation {
	if err != nil {
		cs.Journal.Note("warning", "The validation commands could not be found: "+err.Error())
	}
	return cs.Limit(found)
}

// dirOf is the folder in which a task's own command runs: a fix has to pass it where it failed. The finding of an older
// program does not name that: then it is the first in which the phase ran the command.
func (cs Checks) dirOf(t machine.Task) string {
	if t.Finding != nil && t.Finding.Dir != "" {
		return t.Finding.Dir
	}
	var dirs []string
	for _, c := range cs.Journal.Phase().Checks {
		if c.Command == t.Validation {
			dirs = append(dirs, c.Dir)
		}
	}
	if len(dirs) == 0 || slices.Contains(dirs, "") {
		return ""
	}
	return dirs[0]
}

// OfPhase are the project's commands, then what the tasks bring; where there are neither, those of the
// nearest manifest above each changed file.
func (cs Checks) OfPhase(changes []git.Change) []validate.Validation {
	if cs.None {
		return nil
	}
	list := cs.Project()
	for _, t := range cs.Journal.State().Tasks {
		if t.Validation != "" && t.Kind == machine.KindPlan && t.Status != machine.TaskSkipped {
			list = append(list, cs.Limit([]validate.Validation{{Command: t.Validation, Source: t.ID}})...)
		}
	}
	if len(list) > 0 {
		return list
	}
	return cs.near(changes)
}

// PassedBefore are the commands that passed in earlier phases.
func (cs Checks) PassedBefore(s machine.State) []validate.Validation {
	if cs.None {
		return nil
	}
	var list []validate.Validation
	for _, c := range s.PassedBefore() {
		list = append(list, validate.Validation{Command: c.Command, Dir: c.Dir, Source: c.Source})
	}
	return cs.Limit(list)
}

// ProofsOf are the commands that decide on a task, and the project's linters where the task has a validation of its own:
// a phase is held against those, too, and the agent that wrote the code can fix it best.
func (cs Checks) ProofsOf(t machine.Task, changes []git.Change) []validate.Validation {
	list := cs.OfTask(t, changes)
	if len(list) == 0 || t.Validation == "" {
		return list
	}
	return append(list, slices.DeleteFunc(cs.Project(), func(v validate.Validation) bool { return !v.Lints() })...)
}

// VerifyLog is the file in the session's folder that has the output of the phase's commands, or of those of the final review.
func VerifyLog(s machine.State) string { return VerifyFile(s) + ".log" }

// VerifyFile is its name without the ending.
func VerifyFile(s machine.State) string {
	if s.CurrentState == machine.FinalReview {
		return "final-verify"
	}
	return fmt.Sprintf("phase-%d-verify", s.CurrentPhase+1)
}
