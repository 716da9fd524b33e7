package chaos

import (
	"slices"

	"autopilot/personas"
)

// Behaviour is a way in which a persona fails its dispatch.
type Behaviour string

// The behaviours. Honest is none of them.
const (
	Honest      Behaviour = ""
	Liar        Behaviour = "liar"
	Tamperer    Behaviour = "tamperer"
	Staller     Behaviour = "staller"
	Crasher     Behaviour = "crasher"
	Flapper     Behaviour = "flapper"
	Loop        Behaviour = "loop"
	Oscillating Behaviour = "oscillating"
	WrongSchema Behaviour = "wrong-schema"
	Limit       Behaviour = "limit"
	SlowStream  Behaviour = "slow-stream"
	Overflow    Behaviour = "overflow"
	Partial     Behaviour = "partial"
)

// Conduct describes a behaviour.
type Conduct struct {
	Name  Behaviour
	Does  string          // in a few words, for people
	By    []personas.Name // who can show it; the first does where a run is about it alone
	Forms []string        // the ways in which it shows; the seed chooses one for each dispatch
	play  func(*Model) turn
}

var (
	anybody  = []personas.Name{personas.Executor, personas.Planner, personas.Verifier, personas.Reviewer}
	makers   = []personas.Name{personas.Executor, personas.Planner}
	executor = []personas.Name{personas.Executor}
	judges   = []personas.Name{personas.Reviewer, personas.Verifier}
)

// Conducts lists every behaviour.
func Conducts() []Conduct {
	return []Conduct{
		{Liar, "says done and changes nothing", makers, []string{"says done"}, lying},
		{Tamperer, "touches what is not its work: checks, tests, git, the user's files", anybody, deedNames(), working},
		{Staller, "says nothing more", anybody, []string{"silent from the start"}, stalling},
		{Crasher, "ends in the middle", anybody, []string{"at once", "after half of the work"}, crashing},
		{Flapper, "passes its check, then breaks what passed", executor, []string{"breaks its own work", "breaks earlier work"}, working},
		{Loop, "does the same again and again", anybody, []string{"the same call", "only words"}, looping},
		{Oscillating, "wants the opposite in each review", judges, []string{"the opposite"}, oscillating},
		{WrongSchema, "hands in replies that are none", anybody, wrongNames(), wronging},
		{Limit, "meets a limit of its provider", anybody, limitNames(), limiting},
		{SlowStream, "speaks on for ever, a little at a time", anybody, []string{"never ends"}, dripping},
		{Overflow, "meets a model whose window is too small", anybody, []string{"for ever", "once"}, overflowing},
		{Partial, "does half of its work and says nothing more", makers, []string{"half, then silent"}, halving},
	}
}

// conductOf finds a behaviour by its name.
func conductOf(name Behaviour) (Conduct, bool) {
	all := Conducts()
	i := slices.IndexFunc(all, func(c Conduct) bool { return c.Name == name })
	if i < 0 {
		return Conduct{play: working}, false
	}
	return all[i], true
}
