package attempts

import (
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// remedy is that of the backend that plays the persona of a step.
func (ats Attempts) remedy(step machine.Step) string {
	backend, _, err := ats.Backends.For(ats.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step)))
	if err != nil {
		return ""
	}
	return personas.RemedyOf(backend)
}
