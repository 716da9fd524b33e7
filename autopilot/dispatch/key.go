package dispatch

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// KeyOf names a dispatch by its place in the work.
func KeyOf(step machine.Step) personas.Key {
	return personas.Key{Persona: step.Persona, Phase: step.Phase, Task: cmp.Or(step.Task, step.Purpose), Attempt: step.Attempt}
}

// FolderOf names a dispatch's folder in attempts/<phase>.
func FolderOf(step machine.Step) string {
	return machine.Dispatch{Persona: step.Persona, Purpose: step.Purpose, Task: step.Task}.Place()
}

// PurposeOf is what the dispatch of a step is for: a fix is the executor's plain work, on a task of another kind.
func PurposeOf(step machine.Step) personas.Purpose {
	if slices.Contains([]string{"fix", "draft", "interactive"}, step.Purpose) {
		return personas.Work
	}
	return personas.Purpose(step.Purpose)
}

// WasCutOff says whether the attempt was dispatched before and came to no reply: it was interrupted, or met a limit.
// An attempt that was spent without a reply has a folder of its own.
func WasCutOff(attempt string) bool {
	_, sent := os.Stat(filepath.Join(attempt, "prompt.md"))
	_, replied := os.Stat(filepath.Join(attempt, "reply.json"))
	return sent == nil && replied != nil
}
