package chaos

import (
	"slices"

	"autopilot/personas"
)

// Cue has a persona misbehave in one way, whatever the seed says.
type Cue struct {
	By        personas.Name
	At        int // which of its dispatches in a phase, from 1; 0: each
	Behaviour Behaviour
	Form      string // of Conduct.Forms
	Early     bool   // its deed comes before the work
}

// cued finds the cue of a dispatch, the nth of its persona in the phase; one that has none is honest.
func (p Profile) cued(d personas.Dispatch, nth int) Cue {
	i := slices.IndexFunc(p.Cues, func(c Cue) bool {
		return c.By == d.Persona.Name && (c.At == 0 || c.At == nth) && fits(c.Behaviour, d)
	})
	if i < 0 {
		return Cue{}
	}
	return p.Cues[i]
}
