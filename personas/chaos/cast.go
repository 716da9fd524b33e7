package chaos

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"autopilot/personas"
)

const (
	// hush is how long a dispatch that falls silent is waited for: nothing else would come of more.
	hush = 40 * time.Millisecond
	// drip is how long one is listened to that never ends.
	drip = 60 * time.Millisecond
)

// Part is what a dispatch was given to play.
type Part struct {
	Key     personas.Key
	Cue              // Honest: it does its work
	Number  int      // of the dispatch, in the order in which they came, from 1
	Changed []string // what its deed changed: files, and "HEAD" or "the branch"
	Told    string   // the first thing that the agent was told it did wrong, by a tool or a notice; "": nothing

	nth  int // of the persona's dispatches in the phase
	form Form
	work Work
}

// Shown says whether the dispatch misbehaved: a deed that found nothing to change was none.
func (p Part) Shown() bool {
	return p.Behaviour != Honest && (p.form.does == nil || len(p.Changed) > 0)
}

// Cast plays every persona. Its fields are set before the first dispatch.
type Cast struct {
	Seed    uint64
	Profile Profile
	Agent   personas.Backend // the built-in agent, with Model for its ModelFor
	Now     func() time.Time
	Environ []string // of the git commands of a persona that tampers

	// Work is the honest work of a dispatch; nth counts the dispatches of its persona in its phase, from 1. It is called for
	// several dispatches at once.
	Work func(d personas.Dispatch, nth int) (Work, error)

	mu    sync.Mutex
	parts map[string]*Part     // by the dispatch's id
	tries map[personas.Key]int // of dispatches, and without task and attempt of personas in a phase
}

// Submits says that replies are handed in through a tool: the agent within does so.
func (c *Cast) Submits() bool { return personas.Submits(c.Agent) }

// Dispatch gives the dispatch its part, and has the agent play it.
func (c *Cast) Dispatch(ctx context.Context, d personas.Dispatch) (personas.Outcome, error) {
	part := c.assign(d)
	work, err := c.Work(d, part.nth)
	if err != nil {
		return personas.Outcome{}, fmt.Errorf("the work of %s: %w", d.Key, err)
	}
	c.locked(func() { part.work = work })
	switch part.Behaviour {
	case Staller, Partial:
		d.Idle = hush
	case SlowStream:
		d.Timeout = drip
	}
	d.OnEvent = c.listening(part, d.OnEvent)
	misdo := func(now bool) {
		if part.form.does != nil && now {
			changed := scene{work, d, part.Number, c.Environ}.traced(ctx, part.form)
			c.locked(func() { part.Changed = changed })
		}
	}
	early := part.Early && !part.form.late
	misdo(early)
	out, err := c.Agent.Dispatch(ctx, d)
	misdo(!early && ctx.Err() == nil)
	return out, err
}

// listening takes down what the agent is told while it plays a part.
func (c *Cast) listening(part *Part, pass func(kind, text string)) func(kind, text string) {
	return func(kind, text string) {
		wrong, is := strings.CutPrefix(text, "error: ")
		if kind == "notice" || kind == "result" && is {
			c.locked(func() {
				if part.Told == "" {
					part.Told = wrong
				}
			})
		}
		if pass != nil {
			pass(kind, text)
		}
	}
}

func (c *Cast) locked(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
}

// Part is what a dispatch was given to play so far; one that never came is honest.
func (c *Cast) Part(id string) (part Part) {
	c.locked(func() {
		if p := c.parts[id]; p != nil {
			part = *p
		}
	})
	return part
}

// Model is the model of a dispatch that was given its part.
func (c *Cast) Model(d personas.Dispatch) *Model {
	return &Model{part: c.Part(d.ID), now: c.Now}
}

// assign decides what a dispatch plays. Its place in the work decides, not when it comes: lanes may overtake each other.
func (c *Cast) assign(d personas.Dispatch) *Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.parts == nil {
		c.parts, c.tries = map[string]*Part{}, map[personas.Key]int{}
	}
	who := personas.Key{Persona: d.Key.Persona, Phase: d.Key.Phase}
	c.tries[d.Key]++
	c.tries[who]++
	part := &Part{Key: d.Key, Number: len(c.parts) + 1, nth: c.tries[who]}
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%d %s %d", c.Seed, d.Key, c.tries[d.Key])
	part.Cue = c.Profile.choose(d, part.nth, rand.New(rand.NewPCG(c.Seed, hash.Sum64())))
	part.form = formOf(part.Cue)
	c.parts[d.ID] = part
	return part
}
