package autopilot

import (
	"fmt"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// Reported says why a backend makes no dispatch for now.
func Reported(out personas.Outcome, backend string) string {
	if out.Outage != "" {
		return fmt.Sprintf("backend %s is out of order: %s", backend, out.Detail)
	}
	return fmt.Sprintf("backend %s reports a limit: %s", backend, out.Detail)
}

// Limited is the error of a dispatch that met a limit of its backend. What it says tells a quota that is used up from a
// rate that passes.
func Limited(out personas.Outcome, backend string) *LimitError {
	switch {
	case out.Outage != "":
		return &LimitError{
			What: Reported(out, backend), Until: out.Until, Backend: backend,
			Down: true, Gone: out.Outage == personas.NoServer, Begun: out.Turns > 0,
		}
	case !out.UsedUp:
		return &LimitError{What: Reported(out, backend), Until: out.Until, Backend: backend}
	case out.Until.IsZero():
		return &LimitError{What: fmt.Sprintf("the quota or balance of backend %s is used up: %s. Raise it at its provider, or name another backend with --backend; then run the same command again", backend, out.Detail)}
	}
	return &LimitError{What: fmt.Sprintf("the quota of backend %s is used up: %s", backend, out.Detail), Until: out.Until, Backend: backend}
}

// Doubted takes an outage for a crash of which the agent's words alone tell, and that too often in one attempt.
func Doubted(out personas.Outcome) personas.Outcome {
	return endedAs(out, personas.Crashed, "it tells of an outage once more, and nothing but its own words shows one: "+out.Detail)
}

// LimitedUntil is that error where another backend of the persona may be free before; at is when.
func LimitedUntil(out personas.Outcome, backend, next string, at time.Time) *LimitError {
	limit := Limited(out, backend)
	if next == backend || at.IsZero() {
		return limit
	}
	limit.What, limit.Until, limit.Backend = fmt.Sprintf("%s; backend %s, which reported one too, is free first", limit, next), at, next
	return limit
}

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
	backend, _, err := e.Backends.For(e.Personas.For(personas.Name(step.Persona), briefPurpose(step)))
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
