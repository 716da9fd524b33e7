package budget

import (
	"fmt"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// LimitError says that a budget or a backend's limit is reached; the session can be resumed.
type LimitError struct {
	What    string
	Until   time.Time // zero: not known, or no matter of time
	Backend string    // whose limit it is; "": a budget, or not known
	Down    bool      // its server is out of order: Until is when to look again
	Gone    bool      // and cannot even be reached
	Begun   bool      // it went out of order in the middle of a dispatch
	Raise   string    // of a budget: the flag that raises it, with its value
}

func (e *LimitError) Error() string {
	if e.Until.IsZero() || e.Down { // nobody knows when an outage ends
		return e.What
	}
	return fmt.Sprintf("%s (until %s)", e.What, e.Until.Format(time.RFC3339))
}

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
	return out.As(personas.Crashed, "it tells of an outage once more, and nothing but its own words shows one: "+out.Detail)
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

// KnownLimit is the limit of a backend that still holds; nil where none is known. One that an older program noted counts
// for every backend. An outage is none: nobody said when it ends, and whoever starts a run may have ended it.
func KnownLimit(s machine.State, backend string, now time.Time) *LimitError {
	known, ok := s.LimitOf(backend)
	if ok && known.Outage {
		return nil
	}
	if ok && now.Before(known.Until) {
		s.LimitedUntil, s.QuotaUsedUp, s.LimitedBackend = &known.Until, known.UsedUp, backend
	}
	if s.LimitedUntil == nil || !now.Before(*s.LimitedUntil) || s.LimitedBackend != "" && s.LimitedBackend != backend {
		return nil
	}
	limit := &LimitError{What: "the backend reported a limit", Until: *s.LimitedUntil, Backend: s.LimitedBackend}
	switch {
	case s.QuotaUsedUp && limit.Backend != "":
		limit.What = "the quota of backend " + limit.Backend + " is used up"
	case s.QuotaUsedUp:
		limit.What = "the backend's quota is used up"
	case limit.Backend != "":
		limit.What = "backend " + limit.Backend + " reported a limit"
	}
	return limit
}
