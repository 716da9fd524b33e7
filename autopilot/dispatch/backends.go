package dispatch

import (
	"context"
	"fmt"
	"strings"
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

// NoDraft is why a dispatch that was to bring a draft brought no reply; nil is that it did.
func NoDraft(ctx context.Context, out personas.Outcome, backend, remedy string) error {
	switch {
	case ctx.Err() != nil && out.Kind != personas.GotReply:
		return &halt.InterruptedError{Cause: context.Cause(ctx)}
	case out.Kind == personas.RateLimited:
		return fmt.Errorf("%w\nThe same command goes on once it is over", budget.Limited(out, backend))
	case out.Kind == personas.Auth:
		return Refused(out, backend, remedy)
	case out.Reply == nil:
		return fmt.Errorf("the planner made no draft: %s: %s\nThe same command tries again", strings.ReplaceAll(string(out.Kind), "_", " "), out.Detail)
	}
	return nil
}
