package dispatch

import (
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/halt"
	"autopilot/personas"
)

// Backends finds the backend that plays a persona, and the name it has in the configuration.
type Backends interface {
	For(p personas.Persona) (backend personas.Backend, name string, err error)
	// Limited notes that a backend reports a limit until a time, zero: an unknown one. It names the backend that plays the
	// persona next: at once where it is free, else at a time, zero: an unknown one.
	Limited(p personas.Persona, name string, until time.Time) (next string, at time.Time, free bool)
}

// GoOn says who plays a persona after a backend reported a limit, in a line that tells it; the limit is why nobody does at
// once.
func GoOn(all Backends, p personas.Persona, out personas.Outcome, backend string) (next, told string, limit *budget.LimitError) {
	next, at, free := all.Limited(p, backend, out.Until)
	if !free {
		return next, "", budget.LimitedUntil(out, backend, next, at)
	}
	return next, personas.Sentences(budget.Reported(out, backend), "Going on with backend "+next), nil
}

// Refused is the error of a dispatch whose backend refused the credentials; nil for any other.
func Refused(out personas.Outcome, backend, remedy string) error {
	if out.Kind != personas.Auth {
		return nil
	}
	return &halt.CredentialsError{Backend: backend, Detail: out.Detail, Remedy: remedy}
}
