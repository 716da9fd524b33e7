package chaos

import "slices"

// Profile is a mix of behaviours.
type Profile struct {
	Name  string
	Does  string      // for people
	Share float64     // of the dispatches that misbehave, from 0 to 1
	Of    []Behaviour // that they choose from
	Alone bool        // it is about one behaviour, which its first persona shows each time
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
