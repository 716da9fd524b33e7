package autopilot

import (
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// remedied is a backend that knows what a person does about credentials that it refuses; "" where it does not.
type remedied interface{ Remedy() string }

// RemedyOf is what a person does about credentials that a backend refuses.
func RemedyOf(b personas.Backend) string {
	if knows, ok := b.(remedied); ok {
		return knows.Remedy()
	}
	return ""
}

// remedy is that of the backend that plays the persona of a step.
func (e *Engine) remedy(step machine.Step) string {
	backend, _, err := e.Backends.For(e.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step)))
	if err != nil {
		return ""
	}
	return RemedyOf(backend)
}

// refused is the error of a dispatch whose backend refused the credentials; nil for any other.
func refused(out personas.Outcome, backend, remedy string) error {
	if out.Kind != personas.Auth {
		return nil
	}
	return &CredentialsError{Backend: backend, Detail: out.Detail, Remedy: remedy}
}
