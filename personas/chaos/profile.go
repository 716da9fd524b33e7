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
	Cues  []Cue       // who misbehaves, when and how, in place of Share and Of
}

// The mixes that a name stands for, besides the behaviours themselves.
const (
	calmShare    = 0.15
	hostileShare = 0.6
)

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
		{Name: "calm", Does: "about one dispatch in seven misbehaves, in any way", Share: calmShare, Of: every},
		{Name: "hostile", Does: "more than half of the dispatches misbehave, in any way", Share: hostileShare, Of: every},
	}
	return append(mixes, single...)
}

// ProfileOf finds a profile by its name.
func ProfileOf(name string) (Profile, bool) {
	all := Profiles()
	i := slices.IndexFunc(all, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return all[i], true
}

// choose picks a behaviour that the dispatch can show, and its form; nth counts the dispatches of its persona in the phase.
func (p Profile) choose(d personas.Dispatch, nth int, chance *rand.Rand) Cue {
	if len(p.Cues) > 0 {
		return p.cued(d, nth)
	}
	can := p.possible(d)
	if len(can) == 0 || chance.Float64() >= p.Share {
		return Cue{}
	}
	conduct := can[chance.IntN(len(can))]
	return Cue{Behaviour: conduct.Name, Form: conduct.Forms[chance.IntN(len(conduct.Forms))], Early: chance.IntN(2) == 0}
}

// fits says whether a dispatch is one in which a behaviour can show: a diagnosis is no review, and asks for nothing.
func fits(b Behaviour, d personas.Dispatch) bool {
	return b != Oscillating || d.Purpose != personas.Diagnosis
}

// possible are the behaviours of a profile that a dispatch can show.
func (p Profile) possible(d personas.Dispatch) []Conduct {
	var can []Conduct
	for _, name := range p.Of {
		conduct, _ := conductOf(name)
		by := conduct.By
		if p.Alone {
			by = by[:1]
		}
		if slices.Contains(by, d.Persona.Name) && fits(name, d) {
			can = append(can, conduct)
		}
	}
	return can
}
