package sessions

import (
	"strings"

	"autopilot/autopilot/machine"
)

// toVersion5 adds the rigor. Sessions before it followed the standard method.
func (o *older) toVersion5() {
	was := text(o.doc["rigorLevel"])
	switch rigor := machine.Rigor(strings.ToLower(strings.TrimSpace(was))); rigor {
	case machine.Fast, machine.Standard, machine.Thorough:
		o.doc["rigorLevel"] = string(rigor)
		return
	}
	if o.doc["rigorLevel"] != nil {
		o.aside(o.doc, "rigorLevel", "")
	}
	o.fill("rigorLevel", string(machine.Standard), "standard")
}
