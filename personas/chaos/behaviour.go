package chaos

import (
	"context"
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
	Forms []Form          // the ways in which it shows; the seed chooses one for each dispatch
}

// Form is a way in which a behaviour shows: in what the model says, or in a deed.
type Form struct {
	Name string
	says turn // nil: the honest work
	does deed // nil for most
	late bool // the deed comes to nothing before the work

	state bool // the deed is done to the program's own file
}

// turn is what a model says next.
type turn func(ctx context.Context, m *Model) (personas.Message, error)

var (
	anybody  = []personas.Name{personas.Executor, personas.Planner, personas.Verifier, personas.Reviewer}
	makers   = []personas.Name{personas.Executor, personas.Planner}
	executor = []personas.Name{personas.Executor}
	judges   = []personas.Name{personas.Reviewer, personas.Verifier}
)

// Conducts lists every behaviour.
func Conducts() []Conduct {
	return []Conduct{
		{Liar, "says that it's done, and changes nothing", makers, []Form{{Name: "says done", says: lying}}},
		{Tamperer, "changes what it isn't allowed to: checks, tests, git, your files", anybody, deeds},
		{Staller, "stops answering", anybody, []Form{{Name: "silent from the start", says: stalling}}},
		{Crasher, "exits before it's done", anybody, []Form{{Name: "at once", says: crash}, {Name: "after half of the work", says: half(crash)}}},
		{Flapper, "passes its check, then breaks it again", executor, breaches},
		{Loop, "repeats the same step forever", anybody, []Form{{Name: "the same call", says: looping}, {Name: "only words", says: talking}}},
		{Oscillating, "contradicts its last review each time", judges, []Form{{Name: "the opposite", says: oscillating}}},
		{WrongSchema, "sends replies that don't have the required form", anybody, wrongReplies},
		{Limit, "hits a rate limit", anybody, limitTexts},
		{SlowStream, "never stops sending, a little at a time", anybody, []Form{{Name: "never ends", says: dripping}}},
		{Overflow, "hits a context window that is too small", anybody, []Form{{Name: "for ever", says: overflow}, {Name: "once", says: once(overflow)}}},
		{Partial, "does half of the work, then stops answering", makers, []Form{{Name: "half, then silent", says: half(stalling)}}},
	}
}

// formOf finds a form of a behaviour; the zero value is the honest work.
func formOf(cue Cue) Form {
	for _, c := range Conducts() {
		if i := slices.IndexFunc(c.Forms, func(f Form) bool { return f.Name == cue.Form }); c.Name == cue.Behaviour && i >= 0 {
			return c.Forms[i]
		}
	}
	return Form{}
}
