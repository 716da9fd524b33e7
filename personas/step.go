package personas

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// stepLine is a line by which an executor reports a step of its task.
var stepLine = lazyregexp.New(`(?m)^\s*CHECKPOINT\s.*$`)

// maxStep is how much of such a line is passed on, in bytes.
const maxStep = 2000

// Steps passes on the steps that a text of the agent reports. A backend calls it with all that the agent says, whole: what
// people are told of that is shortened.
func (d Dispatch) Steps(text string) {
	if d.OnStep == nil {
		return
	}
	for _, line := range stepLine.FindAllString(text, -1) {
		line = strings.TrimSpace(line)
		d.OnStep(strings.ToValidUTF8(line[:min(len(line), maxStep)], ""))
	}
}
