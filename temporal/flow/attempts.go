package flow

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
)

// Name is the workflow's.
const Name = "Session"

// The names of the activities, as workers register them. Each may be called twice for the same act.
const (
	PlayName = "Play" // with an Act; returns a Played
	KeepName = "Keep" // with a Keep
)

// The types of errors of the updates: none ends an act, which is tried again. AnswerErrorType is the core's *machine.AnswerError, in its
// words.
const (
	AnswerErrorType    = "AnswerError"
	IllegalErrorType   = "IllegalEvent"
	StaleErrorType     = "StaleEvent" // the event was made for another revision
	TakenOverErrorType = "TakenOver"  // somebody else does the act by now
	BehindErrorType    = "Behind"     // the hub has to be read again
)

// attempt is somebody at work on an act.
type attempt struct {
	act      string
	number   int32
	recorded int // events
	saves    int // of them those with the working tree
	counted  int // of them those with what calls of a model cost

	exhausted bool // it failed as often as it may
}

// Left is the work in the middle of an act that a lost attempt told with its heartbeat, which has these fields.
type Left struct {
	Work  string `json:"work,omitempty"` // the working tree on the hub
	Saves int    `json:"saves"`          // how often the tree had been recorded when it was given
}

// Current is the working tree to go on with, if none was recorded since.
func (l Left) Current(saves int) string {
	if l.Saves != saves {
		return ""
	}
	return l.Work
}

// leave takes the work in the middle of an act that ended, for the next one, unless a newer tree was recorded.
func (w *session) leave(task string, left *Left, err error) {
	var told Left
	app, failed := errors.AsType[*temporal.ApplicationError](err)
	lost, silent := errors.AsType[*temporal.TimeoutError](err)
	canceled, called := errors.AsType[*temporal.CanceledError](err)
	switch {
	case left != nil:
		told = *left
	case failed && app.HasDetails():
		_ = app.Details(&told) // of another version: nothing is carried over
	case called && canceled.HasDetails():
		_ = canceled.Details(&told) // the server's own are a text, where nobody had the act
	case silent && lost.HasLastHeartbeatDetails():
		_ = lost.LastHeartbeatDetails(&told)
	}
	if work := told.Current(w.acts[task].saves); work != "" {
		w.lost[task] = work
	}
}

// is says whether it is an attempt of an act.
func (a *attempt) is(act string, number int32) bool {
	return a != nil && a.act == act && a.number == number
}

// end lets nobody go on with an act: a worker that is slow may still be at work on one that another one did.
func (w *session) end(a *attempt) {
	if a.number > 0 {
		w.atWork--
	}
	a.number = math.MaxInt32
}

// checkTake refuses who was overtaken, or comes for an act that is over.
func (w *session) checkTake(t Take) error {
	at := w.acts[t.Task]
	switch {
	case at == nil || at.act != t.Act || at.number > t.Attempt:
		return takenOver(t.Act)
	case at.number == 0 && w.stopping != "":
		return temporal.NewApplicationError("the session is stopping", TakenOverErrorType)
	}
	return nil
}

// take has an act begin, or somebody else go on with it.
func (w *session) take(ctx workflow.Context, t Take) (Taken, error) {
	w.updates++
	at := w.acts[t.Task]
	if w.atWork == 0 || at.number > 0 { // somebody was lost: maybe all were
		w.since = workflow.Now(ctx)
	}
	if at.number == 0 {
		w.atWork++
	}
	at.number = t.Attempt
	events, err := w.after(t.Revision)
	if err == nil && t.Revision < w.s.Revision && (len(events) == 0 || events[0].Rev > t.Revision+1) {
		err = temporal.NewApplicationError(fmt.Sprintf("the remote has the session's journal up to revision %d, and revision %d is missing: it was read too early, or lost something", t.Revision, t.Revision+1), BehindErrorType)
	}
	return Taken{w.s.Revision, events, w.works, at.saves, at.counted}, err
}

// checkAdopt refuses events that do not follow from what the workflow has.
func (w *session) checkAdopt(a Adopt) error {
	if !w.acts[a.Task].is(a.Act, a.Attempt) {
		return takenOver(a.Act)
	}
	s := w.s
	for _, e := range a.Events {
		var err error
		if s, err = transition.Apply(s, e); err != nil {
			return temporal.NewApplicationError(err.Error(), IllegalErrorType, err)
		}
	}
	return nil
}

// adopt takes events as they are: they were journaled before.
func (w *session) adopt(_ workflow.Context, a Adopt) error {
	for _, e := range a.Events {
		if err := w.enter(e); err != nil {
			return err
		}
	}
	w.acts[a.Task].recorded += len(a.Events)
	w.tip = "" // both are of the backup
	clear(w.lost)
	if a.Works != nil {
		w.works = a.Works
	}
	return nil
}

// checkRecord refuses what somebody else does by now, and what was made for another state than there is.
func (w *session) checkRecord(r Record) error {
	if !w.acts[r.Task].is(r.Act, r.Attempt) {
		return takenOver(r.Act)
	}
	return w.legal(r.Event)
}

// legal is the error of an event that the core refuses.
func (w *session) legal(e machine.Event) error {
	if e.Rev != w.s.Revision+1 {
		stale := &machine.StaleEventError{State: w.s.Revision, Event: e.Rev}
		return temporal.NewApplicationError(stale.Error(), StaleErrorType, stale)
	}
	if _, err := transition.Apply(w.s, e); err != nil {
		return temporal.NewApplicationError(err.Error(), IllegalErrorType, err)
	}
	return nil
}

// record journals an event of an act.
func (w *session) record(ctx workflow.Context, r Record) (machine.Event, error) {
	w.updates++
	ran := r.Ran
	if w.atWork > 1 { // others were at work all the while
		ran = max(ran, w.meanwhile(ctx))
	}
	if err := w.apply(ctx, r.Event, ran); err != nil {
		return machine.Event{}, err
	}
	at := w.acts[r.Task]
	if at.recorded++; r.Work != "" {
		at.saves++
		w.works[r.Task] = r.Work
		delete(w.lost, r.Task)
	}
	if r.Event.Type == machine.Used {
		at.counted++
	}
	if t, is := w.s.Task(r.Event.Task); is && t.Lane == nil {
		delete(w.works, t.ID)
		delete(w.lost, t.ID)
	}
	w.tip = cmp.Or(r.Tip, w.tip)
	made := w.tail[len(w.tail)-1]
	if len(w.going) == 0 { // else somebody may have to catch up from there
		w.kept(r.Kept)
	}
	return made, nil
}

// kept forgets events that the hub has.
func (w *session) kept(rev int64) {
	w.tail = slices.DeleteFunc(w.tail, func(e machine.Event) bool { return e.Rev <= rev })
}

func takenOver(act string) error {
	return temporal.NewApplicationError("another worker took over act "+act, TakenOverErrorType)
}
