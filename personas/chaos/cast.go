package chaos

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
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
	ID        string
	Key       personas.Key
	Behaviour Behaviour // Honest: it does its work
	Form      string    // of Conduct.Forms
	Number    int       // of the dispatch, in the order in which they came, from 1
	Changed   []string  // what its deed changed: files, and "HEAD" or "the branch"
	Told      string    // the first thing that the agent was told it did wrong, by a tool or a notice; "": nothing
	deed      bool      // it does something besides what its model says
	nth       int       // of the persona's dispatches in the phase
	early     bool      // a deed comes before the work
}

// Shown says whether the dispatch misbehaved: a deed that found nothing to change was none.
func (p Part) Shown() bool { return p.Behaviour != Honest && (!p.deed || len(p.Changed) > 0) }

// Cast plays every persona. Its fields are set before the first dispatch.
type Cast struct {
	Seed    uint64
	Profile Profile
	Stage   Stage
	Agent   personas.Backend // the built-in agent, with Model for its ModelFor
	Now     func() time.Time
	Environ []string // of the git commands of a persona that tampers

	mu    sync.Mutex
	parts []Part
	tries map[personas.Key]int
	met   map[personas.Key]int
	work  map[string]Work
}

// Submits says that replies are handed in through a tool: the agent within does so.
func (c *Cast) Submits() bool { return personas.Submits(c.Agent) }

// Dispatch gives the dispatch its part, and has the agent play it.
func (c *Cast) Dispatch(ctx context.Context, d personas.Dispatch) (personas.Outcome, error) {
	part := c.assign(d)
	work, err := c.Stage.Work(d, part.nth)
	if err != nil {
		return personas.Outcome{}, fmt.Errorf("the work of %s: %w", d.Key, err)
	}
	c.remember(d.ID, work)
	switch part.Behaviour {
	case Staller, Partial:
		d.Idle = hush
	case SlowStream:
		d.Timeout = drip
	}
	d.OnEvent = c.listening(d)
	deed, here := deedOf(part), scene{part: part, d: d, props: work.Props, makes: work.files(), environ: c.Environ}
	if deed != nil && part.early {
		c.changed(d.ID, here.traced(ctx, deed))
	}
	out, err := c.Agent.Dispatch(ctx, d)
	if deed != nil && !part.early && ctx.Err() == nil {
		c.changed(d.ID, here.traced(ctx, deed))
	}
	return out, err
}

func (c *Cast) changed(id string, what []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parts[c.index(id)].Changed = what
}

// Model is the model of a dispatch that was given its part.
func (c *Cast) Model(d personas.Dispatch) *Model {
	c.mu.Lock()
	defer c.mu.Unlock()
	part := c.parts[c.index(d.ID)]
	conduct, _ := conductOf(part.Behaviour)
	m := &Model{part: part, work: c.work[d.ID], now: c.Now}
	m.turn = conduct.play(m)
	return m
}

// listening takes down what the agent is told while it plays a part.
func (c *Cast) listening(d personas.Dispatch) func(kind, text string) {
	pass := d.OnEvent
	return func(kind, text string) {
		if kind == "notice" || kind == "result" && strings.HasPrefix(text, "error: ") {
			c.tell(d.ID, strings.TrimPrefix(text, "error: "))
		}
		if pass != nil {
			pass(kind, text)
		}
	}
}

func (c *Cast) tell(id, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.index(id); c.parts[i].Told == "" {
		c.parts[i].Told = text
	}
}

func (c *Cast) index(id string) int {
	return slices.IndexFunc(c.parts, func(p Part) bool { return p.ID == id })
}

// Parts lists what was played so far, in the order of the dispatches.
func (c *Cast) Parts() []Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.parts)
}

func (c *Cast) remember(id string, w Work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.work == nil {
		c.work = map[string]Work{}
	}
	c.work[id] = w
}

// assign decides what a dispatch plays. Its place in the work decides, not when it comes: lanes may overtake each other.
func (c *Cast) assign(d personas.Dispatch) Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tries == nil {
		c.tries, c.met = map[personas.Key]int{}, map[personas.Key]int{}
	}
	who := personas.Key{Persona: d.Key.Persona, Phase: d.Key.Phase}
	c.tries[d.Key]++
	c.met[who]++
	part := Part{ID: d.ID, Key: d.Key, Number: len(c.parts) + 1, nth: c.met[who]}
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%d %s %d", c.Seed, d.Key, c.tries[d.Key])
	chance := rand.New(rand.NewPCG(c.Seed, hash.Sum64()))
	cue := c.Profile.choose(d, part.nth, chance)
	part.Behaviour, part.Form = cue.Behaviour, cue.Form
	part.deed, part.early = deedOf(part) != nil, cue.Early && canBeEarly(part)
	c.parts = append(c.parts, part)
	return part
}
