package live

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/cmd/app"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// Follower reads a session by its files, as it goes on.
type Follower struct {
	dir     string
	options sessions.Options
	Facts   func(machine.State) view.Facts // all but the transcript
	sizes   func(sha string) (view.Commit, bool)
	also    []Also

	mu    sync.Mutex
	state machine.State
	past  *view.Transcript
}

// Also hears each event of a session, with the states before and after it.
type Also func(before machine.State, e machine.Event, after machine.State)

// Follow reads a session up to now, and tells the lines of its transcript so far, those of one event at a time: a long session has
// more than anybody keeps. s is its state, or an earlier one.
func Follow(ctx context.Context, w *app.Workspace, s machine.State, facts func(machine.State) view.Facts, tell func([]view.Line), also ...Also) (*Follower, error) {
	f := &Follower{dir: w.Session, options: w.SessionOptions(ctx), Facts: facts, sizes: w.Sizes(ctx, s), also: also}
	return f, f.replay(tell)
}

func (f *Follower) replay(tell func([]view.Line)) error {
	f.past, f.state = &view.Transcript{Sizes: f.sizes}, machine.State{}
	_, err := sessions.Replay(f.dir, f.options, func(before machine.State, e machine.Event, after machine.State) {
		tell(f.takes(before, e, after))
	})
	if errors.Is(err, sessions.ErrNoJournal) { // of an older program, which no run took up yet
		f.past = nil
		f.state, _, err = sessions.Read(f.dir, f.options)
	}
	return err
}

// What is read of a journal at once.
const (
	manyEvents = 1000
	manyBytes  = 8 << 20
)

// Look gives the session as it is, and the lines that were added since the last look.
func (f *Follower) Look() (view.Session, []view.Line, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var lines []view.Line
	for {
		events, err := sessions.Events(f.dir, f.state.Revision, manyEvents, manyBytes, f.options)
		if err != nil {
			return view.Session{}, lines, err
		}
		for _, event := range events {
			added, err := f.take(event)
			if err != nil {
				return view.Session{}, lines, err
			}
			lines = append(lines, added...)
		}
		if len(events) < manyEvents {
			break
		}
	}
	facts := f.Facts(f.state)
	facts.Past = f.past
	return view.Of(facts), lines, nil
}

func (f *Follower) take(event []byte) ([]view.Line, error) {
	var e machine.Event
	if err := json.Unmarshal(event, &e); err != nil {
		return nil, err
	}
	after, err := transition.Apply(f.state, e)
	if err != nil {
		return nil, err
	}
	if f.past == nil {
		f.past = &view.Transcript{Sizes: f.sizes}
	}
	return f.takes(f.state, e, after), nil
}

// takes goes on by an event.
func (f *Follower) takes(before machine.State, e machine.Event, after machine.State) []view.Line {
	f.state = after
	for _, also := range f.also {
		also(before, e, after)
	}
	return f.past.Take(before, e, after)
}
