package chaos

import (
	"math/rand/v2"
	"slices"

	"autopilot/personas"
)

// Profile is a mix of behaviours.
type Profile struct {
	Name  string
	Does  string      // for people
	Share float64     // of the dispatches that misbehave, from 0 to 1
	Of    []Behaviour // that they choose from
	Alone bool        // it is about one behaviour, which its first persona shows each time

	// Choose decides in place of Share and Of, where it is there; nth counts the dispatches of the persona in the phase.
	Choose func(d personas.Dispatch, nth int) Cue
}

// Cue has a dispatch misbehave in one way; the zero value is honest.
type Cue struct {
	Behaviour Behaviour
	Form      string // the name of one of Conduct.Forms
	Early     bool   // its deed comes before the work, where it can
}

// Profiles lists the mixes, then each single behaviour.
func Profiles() []Profile {
	var every []Behaviour
	var single []Profile
	for _, c := range Conducts() {
		every = append(every, c.Name)
		single = append(single, Profile{Name: string(c.Name), Does: c.Does, Share: 1, Of: []Behaviour{c.Name}, Alone: true})
	}
	mixes := []Profile{
		{Name: "honest", Does: "nobody misbehaves"},
		{Name: "calm", Does: "about one agent run in seven misbehaves, in any of these ways", Share: 0.15, Of: every},
		{Name: "hostile", Does: "more than half of the agent runs misbehave, in any of these ways", Share: 0.6, Of: every},
	}
	return append(mixes, single...)
}

// choose picks a behaviour that the dispatch can show, and its form.
func (p Profile) choose(d personas.Dispatch, nth int, chance *rand.Rand) Cue {
	if p.Choose != nil {
		return p.Choose(d, nth)
	}
	can := slices.DeleteFunc(Conducts(), func(c Conduct) bool { return !p.shows(c, d) })
	if len(can) == 0 || chance.Float64() >= p.Share {
		return Cue{}
	}
	conduct := can[chance.IntN(len(can))]
	return Cue{Behaviour: conduct.Name, Form: conduct.Forms[chance.IntN(len(conduct.Forms))].Name, Early: chance.IntN(2) == 0}
}

// shows says whether a dispatch can show a behaviour of the profile: a diagnosis is no review, and asks for nothing.
func (p Profile) shows(c Conduct, d personas.Dispatch) bool {
	by := c.By
	if p.Alone {
		by = by[:1]
	}
	return slices.Contains(p.Of, c.Name) && slices.Contains(by, d.Persona.Name) && (c.Name != Oscillating || d.Purpose != personas.Diagnosis)
}
