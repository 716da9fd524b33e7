package autopilot

import (
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// remedy is that of the backend that plays the persona of a step.
func (e *Engine) remedy(step machine.Step) string {
	backend, _, err := e.Backends.For(e.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step)))
	if err != nil {
		return ""
	}
	return personas.RemedyOf(backend)
}

// refused is the error of a dispatch whose backend refused the credentials; nil for any other.
func refused(out personas.Outcome, backend, remedy string) error {
	if out.Kind != personas.Auth {
		return nil
	}
	return &halt.CredentialsError{Backend: backend, Detail: out.Detail, Remedy: remedy}
}
