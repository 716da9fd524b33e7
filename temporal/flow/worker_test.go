package flow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/sessions"
)

// worker does the acts of a session as a script says, and keeps its journal in a folder as one machine does.
type worker struct {
	script script
	dir    string
	lasts  time.Duration // of each event, but those that only announce
	kept   []machine.Event
	hub    machine.State // as it was kept

	env   *testsuite.TestWorkflowEnvironment
	send  func(ctx context.Context, name, id string, result, arg any) error // to a server; nil: env
	query func(ctx context.Context, rev int64) ([]machine.Event, error)     // a server; nil: env
	sent  atomic.Int64
	mu    sync.Mutex
	warm  bool                                   // the state of the last event is the hub's
	calls func(task string) []machine.Usage      // what those of a model cost, in each dispatch; nil: none
	every int                                    // how many of them are recorded together; 0: each by itself
	paid  machine.Usage                          // for all of them
	told  func(task string, e machine.EventType) // of each event, and with "" of each act that begins
	made  map[int64]made                         // how each event came about that a worker recorded, by revision; nil: nobody wants to know

	works   map[string]string                                 // the working trees of lanes as they were recorded, by task; nil: nobody looks
	took    func(a Act, want, got string)                     // the lane's tree with which an attempt begins; may be nil
	instead func(ctx context.Context, a Act) (*Played, error) // what happens instead of an act; nil, or giving nil: the act
	tip     string                                            // the commit that the hub's branch is at; "": nobody says
	keeping func(Keep)                                        // happens as the journal is kept; may be nil
	lost    func() bool                                       // whether the worker is lost before or after an event; nil: never
}

// play does a step: it records what is about to happen, and what did.
func (k *worker) play(ctx context.Context, a Act) (Played, error) {
	number := activity.GetInfo(ctx).Attempt
	if k.told != nil {
		k.told(a.Task, "")
	}
	k.mu.Lock()
	st := k.hub
	k.mu.Unlock()
	if err := k.take(ctx, &st, a, number); err != nil {
		return Played{}, err
	}
	if k.instead != nil {
		if p, err := k.instead(ctx, a); p != nil || err != nil {
			return *cmp.Or(p, &Played{}), err
		}
	}
	if a.Answer != nil && (st.Gate == nil || st.Gate.ID != a.Answer.Gate) {
		return Played{}, nil
	}
	if a.Answer != nil {
		return Played{}, k.record(ctx, &st, a, Record{Act: a.ID, Attempt: number, Event: st.AnswerEvent(*a.Answer)})
	}
	for {
		step := stepOf(st, a.Task)
		t, is := st.Task(a.Task)
		switch {
		case is && !t.Lane.Busy():
			return Played{}, nil
		case !is && (step.Name == machine.StepWait || step.Name == machine.StepLanes || step.Name == machine.StepEnd):
			return Played{}, nil
		}
		e := k.script.event(st, step, a.Task)
		announced := e.Type == machine.Dispatched || e.Type == machine.EffectIntended
		over := spent(st, a, step, e.Type == machine.Dispatched, machine.Usage{})
		if e.Type == machine.Dispatched && over != nil {
			return Played{Spent: over.Error()}, nil
		}
		if e.Type == machine.DispatchEnded && k.calls != nil {
			var err error
			if over, err = k.spend(ctx, &st, a, step, number); err != nil {
				return Played{}, err
			}
			if over != nil {
				e.Ended.Outcome, e.Ended.Reply = machine.OutcomeLimited, nil
			}
		}
		r := Record{Act: a.ID, Task: a.Task, Attempt: number, Event: e, Work: fmt.Sprint("work", st.Revision)}
		if !announced {
			r.Ran = k.lasts
		}
		if a.Task == "" {
			r.Tip = k.tip
		}
		if k.lost != nil && k.lost() {
			return Played{}, errors.New("the worker was lost before an event")
		}
		err := k.record(ctx, &st, a, r)
		if err == nil && k.lost != nil && k.lost() {
			return Played{}, errors.New("the worker was lost after an event")
		}
		if err == nil && over != nil {
			return Played{Spent: over.Error()}, nil
		}
		if err != nil || !announced {
			return Played{}, err
		}
	}
}

// spend has an agent call a model until its end, or until a budget is used up as far as its worker knows.
func (k *worker) spend(ctx context.Context, st *machine.State, a Act, step machine.Step, number int32) (over *budget.LimitError, err error) {
	var owed machine.Usage
	calls := k.calls(a.Task)
	for i, u := range calls {
		if over = spent(*st, a, step, false, owed); over != nil { // the act of a worker that was lost
			return over, nil
		}
		k.mu.Lock()
		k.paid, owed = k.paid.Plus(u), owed.Plus(u)
		k.mu.Unlock()
		over = spent(*st, a, step, false, owed)
		if over == nil && (i+1)%max(1, k.every) > 0 && i+1 < len(calls) {
			continue
		}
		used := owed
		owed = machine.Usage{}
		err := k.record(ctx, st, a, Record{Act: a.ID, Task: a.Task, Attempt: number, Event: machine.Event{Type: machine.Used, Task: step.Task, Usage: &used}})
		if err != nil || over != nil {
			return over, err
		}
	}
	return nil, nil
}

// spent is the budget that is used up, with what the workflow does not know yet.
func spent(st machine.State, a Act, step machine.Step, begins bool, owed machine.Usage) *budget.LimitError {
	if is, _ := step.Dispatching(); !is || a.Job.Limits == nil {
		return nil
	}
	if after, err := transition.Apply(st, st.Stamp(machine.Event{Type: machine.Used, Task: step.Task, Usage: &owed})); err == nil {
		st = after
	}
	limits := *a.Job.Limits
	if !begins { // an agent run counts as it begins
		limits.Session.Dispatches, limits.Phase.Dispatches, limits.Task.Dispatches = 0, 0, 0
	}
	return budget.Spent(budget.Budgets(st, limits, step.Task))
}

// stepOf is the step that a task's lane is at, or with "" the run's own working tree.
func stepOf(st machine.State, task string) machine.Step {
	if t, is := st.Task(task); is && t.Lane.Busy() {
		return machine.InLane(st, t)
	}
	return machine.Next(st)
}

// made is what an event was made for. Where others were faster, it is about an earlier state than the one it was recorded in.
type made struct {
	at   int64 // the revision
	task string
	step machine.StepName
}

// record records an event. Where somebody else was faster, it is made for the state that there is.
func (k *worker) record(ctx context.Context, st *machine.State, a Act, r Record) error {
	m := made{at: st.Revision, task: a.Task, step: stepOf(*st, a.Task).Name}
	for {
		r.Event.Rev = st.Revision + 1
		if k.warm {
			r.Kept = st.Revision
		}
		var e machine.Event
		err := k.update(ctx, RecordUpdate, fmt.Sprint(r.Act, r.Event.Rev, r.Attempt), &e, r)
		app, is := errors.AsType[*temporal.ApplicationError](err)
		if is && app.Type() == StaleErrorType {
			if err = k.catchUp(ctx, st, a, r.Attempt); err == nil {
				continue
			}
		}
		if err != nil {
			return err
		}
		if k.told != nil {
			k.told(r.Task, e.Type)
		}
		*st, err = transition.Apply(*st, e)
		k.mu.Lock()
		if k.warm && err == nil && st.Revision > k.hub.Revision {
			k.hub = *st
		}
		if k.made != nil {
			k.made[e.Rev] = m
		}
		if k.works != nil && r.Task != "" {
			k.works[r.Task] = r.Work
		}
		if t, is := st.Task(e.Task); is && t.Lane == nil {
			delete(k.works, t.ID)
		}
		k.mu.Unlock()
		return err
	}
}

// catchUp learns what others recorded. A query is no update, of which a server takes so many.
func (k *worker) catchUp(ctx context.Context, st *machine.State, a Act, attempt int32) error {
	if k.query == nil {
		return k.take(ctx, st, a, attempt)
	}
	events, err := k.query(ctx, st.Revision)
	for _, e := range events {
		if err == nil {
			*st, err = transition.Apply(*st, e)
		}
	}
	return err
}

// update sends an update from an activity, and waits for its result.
func (k *worker) update(ctx context.Context, name, id string, result, arg any) error {
	id = fmt.Sprint(id, " ", k.sent.Add(1)) // else it is another one that was sent before
	if k.send != nil {
		return k.send(ctx, name, id, result, arg)
	}
	done := make(chan error, 1)
	callbacks := &testsuite.TestUpdateCallback{
		OnReject: func(err error) { done <- err },
		OnAccept: func() {},
		OnComplete: func(got any, err error) {
			if err == nil {
				err = as(got, result)
			}
			done <- err
		},
	}
	k.env.RegisterDelayedCallback(func() { k.env.UpdateWorkflow(name, id, callbacks, arg) }, 0) // from its own goroutine
	return <-done
}

// keep is the activity that keeps the journal.
func (k *worker) keep(_ context.Context, t Keep) error {
	if k.keeping != nil {
		k.keeping(t)
	}
	opts := sessions.Options{Now: time.Now}
	se, err := sessions.Open(k.dir, opts)
	if errors.Is(err, sessions.ErrNoSession) {
		se, err = sessions.Create(k.dir, t.Tail[0], opts)
	}
	if err != nil {
		return err
	}
	for _, e := range t.Tail {
		if e.Rev > se.State().Revision {
			if _, err := se.Apply(e); err != nil {
				return err
			}
		}
	}
	for _, e := range t.Tail {
		if int(e.Rev) > len(k.kept) {
			k.kept = append(k.kept, e)
		}
	}
	k.hub = se.State()
	return se.Close()
}

// take begins an act, or catches up with the others.
func (k *worker) take(ctx context.Context, st *machine.State, a Act, attempt int32) error {
	var taken Taken
	err := k.update(ctx, TakeUpdate, fmt.Sprint(a.ID, "take", attempt, st.Revision), &taken, Take{Act: a.ID, Task: a.Task, Attempt: attempt, Revision: st.Revision})
	if err == nil && taken.Revision < st.Revision {
		return k.update(ctx, AdoptUpdate, fmt.Sprint(a.ID, "adopt", attempt), new(any), Adopt{Act: a.ID, Task: a.Task, Attempt: attempt, Events: k.kept[taken.Revision:st.Revision]})
	}
	for _, e := range taken.Events {
		if err == nil {
			*st, err = transition.Apply(*st, e)
		}
	}
	if k.took != nil && err == nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.took(a, k.works[a.Task], taken.Works[a.Task])
	}
	return err
}
