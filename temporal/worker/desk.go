package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/grpc/codes"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/cmd/app"
	"autopilot/sessions"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

// desk is a session in a clone, for one act. It is the journal's store.
type desk struct {
	worker  *Worker
	act     flow.Act
	attempt int32
	run     string // of the workflow
	id      string // of the workflow
	clone   *hub.Clone
	give    func(whole bool)
	hub     *hub.Session
	session *sessions.Session // nil: the hub has none yet
	taken   flow.Taken
	began   time.Time

	mu      sync.Mutex           // one at a time gives the hub something
	tree    hub.Tree             // in which the act is done
	lost    string               // the working tree that a lost worker gave the hub in the middle of the act; "": none did
	saves   atomic.Int64         // how often the act's working tree was recorded, in all attempts
	updates int                  // how many this attempt sent
	since   time.Time            // the last event was
	owed    atomic.Pointer[owed] // nil: the workflow knows of each call
}

// open takes a clone, lays the session out in it, and begins the act.
func (w *Worker) open(ctx context.Context, a flow.Act) (*desk, error) {
	info, now := activity.GetInfo(ctx), w.Host.Now()
	d := &desk{worker: w, act: a, attempt: info.Attempt, id: info.WorkflowExecution.ID, run: info.WorkflowExecution.RunID, began: now, since: now}
	if err := d.fetch(ctx); err != nil {
		return nil, err
	}
	if err := d.take(ctx); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// fetch takes a clone, and lays the session out in it.
func (d *desk) fetch(ctx context.Context) (err error) {
	if d.clone, d.give, err = d.worker.clone(ctx, d.act.Job, d.act.Slug); err != nil {
		return err
	}
	if d.hub, err = d.clone.Session(ctx, d.act.Slug); err == nil {
		d.session, err = sessions.Open(d.hub.Dir(), app.SessionOptions(d.worker.Host))
	}
	if errors.Is(err, sessions.ErrNoSession) {
		d.session, err = nil, nil
	}
	if err != nil {
		d.close()
	}
	return err
}

// close frees the clone.
func (d *desk) close() {
	cutOff := d.session != nil && d.flying(d.session.State())
	if d.session != nil {
		_ = d.session.Close() // what it owes is on the hub, or is made again
	}
	d.give(!cutOff)
}

// take begins the act, or takes it over, and brings the session up to date.
func (d *desk) take(ctx context.Context) error {
	rev := stateOf(d.session).Revision
	taken, err := update[flow.Taken](ctx, d, flow.TakeUpdate, flow.Take{Act: d.act.ID, Task: d.act.Task, Attempt: d.attempt, Revision: rev})
	if err != nil {
		return err
	}
	d.taken = taken
	d.saves.Store(int64(taken.Saves))
	if rev > taken.Revision {
		return d.adopt(ctx, taken.Revision)
	}
	return d.enter(taken.Events)
}

// adopt gives the workflow the events that the hub has and it has not.
func (d *desk) adopt(ctx context.Context, after int64) error {
	lines, err := sessions.Events(d.hub.Dir(), after, math.MaxInt, math.MaxInt, app.SessionOptions(d.worker.Host))
	if err != nil {
		return err
	}
	a := flow.Adopt{Act: d.act.ID, Task: d.act.Task, Attempt: d.attempt, Events: make([]machine.Event, len(lines))}
	for i, line := range lines {
		if err := json.Unmarshal(line, &a.Events[i]); err != nil {
			return err
		}
	}
	if a.Works, err = d.hub.Works(ctx); err != nil {
		return err
	}
	d.taken.Works = a.Works
	_, err = update[any](ctx, d, flow.AdoptUpdate, a)
	return err
}

// enter brings the session up to date with events of the workflow.
func (d *desk) enter(events []machine.Event) (err error) {
	for _, e := range events {
		switch {
		case d.session == nil:
			d.session, err = sessions.Create(d.hub.Dir(), e, app.SessionOptions(d.worker.Host))
		case e.Rev > d.session.State().Revision:
			_, err = d.session.Apply(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// restore puts the working trees as the last step left them.
func (d *desk) restore(ctx context.Context) error {
	s := d.session.State()
	run := hub.Tree{Dir: d.clone.Dir, Branch: s.Branch, Work: d.taken.Works[""]}
	if run.At = d.hub.Branch(s.Branch); s.Branch == "" || run.At == "" {
		run.Branch, run.At = d.act.Job.From, s.StartingCommit
	}
	if d.act.Task != "" {
		run.Work = ""
	}
	d.tree = run
	var lane *hub.Tree
	if t, is := s.Task(d.laneTask(s)); is && t.Lane != nil {
		lane = &hub.Tree{Task: t.ID, Dir: filepath.Join(d.clone.Dir, filepath.FromSlash(t.Lane.Dir)), Branch: t.Lane.Branch, At: t.Lane.Base, Work: d.taken.Works[t.ID]}
	}
	if d.act.Task != "" && lane != nil {
		d.tree = *lane
	}
	d.lost = lastBeat(ctx).work(d.taken.Saves)
	if err := d.hub.Restore(ctx, run); err != nil || lane == nil {
		return err
	}
	return d.hub.Restore(ctx, *lane)
}

// bring lays out what a lost worker had given the hub of a dispatch that is in flight. Of an agent that may not write, nothing counts.
func (d *desk) bring(ctx context.Context) error {
	if d.lost == "" {
		return nil
	}
	tree := d.tree
	tree.Work = d.lost
	return d.hub.Restore(ctx, tree)
}

// laneTask is the task whose lane the step is about.
func (d *desk) laneTask(s machine.State) string {
	if step := machine.Next(s); d.act.Task == "" && step.Bring {
		return step.Task
	}
	return d.act.Task
}

// State is the store's, with what calls cost that the workflow does not know yet.
func (d *desk) State() machine.State {
	s := d.session.State()
	if o := d.owed.Load(); o != nil {
		if after, err := transition.Apply(s, s.Stamp(o.Event)); err == nil {
			return after
		}
	}
	return s
}

// Apply records an event. Where somebody else was faster, it is a *machine.StaleEventError, and the session is up to date.
func (d *desk) Apply(e machine.Event) (machine.State, error) {
	if e.Type == machine.Used && e.Dispatch == nil {
		return d.used(e), nil
	}
	before := d.State().Revision
	if err := d.settle(); err != nil {
		return d.State(), err
	}
	if s := d.State(); s.Revision != before {
		return s, &machine.StaleEventError{State: s.Revision, Event: before + 1}
	}
	return d.record(e)
}

// record gives the hub what an event names, then the workflow journals it, then the folder here.
func (d *desk) record(e machine.Event) (machine.State, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	before := d.session.State()
	e.Rev = before.Revision + 1
	after, err := transition.Apply(before, before.Stamp(e))
	if err != nil {
		return before, err
	}
	r := flow.Record{Act: d.act.ID, Task: d.act.Task, Attempt: d.attempt, Event: e, Ran: d.worker.Host.Now().Sub(d.since)}
	if !d.flying(before) || e.Type == machine.DispatchEnded {
		if r.Work, err = d.saveFor(ctx, e, after.Branch); err != nil {
			return before, err
		}
		r.Kept = before.Revision
	}
	made, err := update[machine.Event](ctx, d, flow.RecordUpdate, r)
	if app, is := errors.AsType[*temporal.ApplicationError](err); is && app.Type() == flow.StaleErrorType {
		if err := d.catchUp(ctx); err != nil {
			return before, err
		}
		now := d.session.State()
		return now, &machine.StaleEventError{State: now.Revision, Event: e.Rev}
	}
	if err != nil && d.paid(ctx, e, err) {
		return before, nil
	}
	if err != nil {
		return before, err
	}
	if d.since = d.worker.Host.Now(); r.Work != "" {
		d.saves.Add(1)
	}
	return d.session.Apply(made)
}

// catchUp brings the session up to date with what others recorded since. A query is no update, of which a run takes 2,000.
func (d *desk) catchUp(ctx context.Context) error {
	value, err := d.worker.Client.QueryWorkflow(ctx, d.id, d.run, flow.EventsQuery, d.session.State().Revision)
	var events []machine.Event
	if err == nil {
		err = value.Get(&events)
	}
	if err != nil {
		return err
	}
	return d.enter(events)
}

// paid tells the session what a call of a model cost, though somebody else took the act over. It says whether the session knows.
func (d *desk) paid(ctx context.Context, e machine.Event, refused error) bool {
	if app, is := errors.AsType[*temporal.ApplicationError](refused); !is || app.Type() != flow.TakenOverErrorType || e.Type != machine.Used {
		return false
	}
	_, err := update[int64](ctx, d, flow.NoteUpdate, machine.Event{Type: machine.Used, Task: e.Task, Usage: e.Usage})
	if err != nil {
		fmt.Fprintf(d.worker.Host.Err, "An agent run that another worker took over isn't counted: %v\n", err)
	}
	return err == nil
}

// patience is how long hub and server may take to record an event.
const patience = 5 * time.Minute

// flying says whether an agent is at work in the act's tree: until what it did to the repository is put right, nothing of it goes
// to the hub but its working tree.
func (d *desk) flying(s machine.State) bool {
	if t, is := s.Task(d.act.Task); is && t.Lane != nil {
		return t.Lane.Flight != nil
	}
	return len(s.InFlight) > 0 && s.InFlight[0].Dispatch != nil
}

// saveFor is save before an event. With the end of an agent's run it waits for a hub that is away: the run was paid for.
func (d *desk) saveFor(ctx context.Context, e machine.Event, branch string) (work string, err error) {
	for {
		work, err = d.save(ctx, branch)
		_, moved := errors.AsType[*hub.MovedError](err)
		if err == nil || moved || e.Type != machine.DispatchEnded || d.worker.Host.Pause(ctx, time.Second) != nil {
			return work, err
		}
	}
}

// save gives the hub what changed: the working tree of the act, and of the run's own also its branch.
func (d *desk) save(ctx context.Context, branch string) (work string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.act.Task != "" {
		branch = ""
	}
	works := map[string]string{}
	if _, none := os.Stat(filepath.Join(d.tree.Dir, ".git")); none == nil { // else the lane is not made yet
		if work, err = d.hub.Keep(ctx, d.tree); err != nil {
			return "", err
		}
		works[d.tree.Name()] = work
	}
	return work, d.hub.Save(ctx, works, branch)
}

// saveWork gives the hub the working tree in the middle of the act.
func (d *desk) saveWork(ctx context.Context) (work string, saves int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience) // the end of the agent's run waits for it
	defer cancel()
	saves = int(d.saves.Load()) // before it: what is recorded meanwhile has a newer tree
	work, err = d.hub.SaveWork(ctx, d.tree)
	return work, saves, err
}

// update sends the workflow an update, and waits for its result. While the server is away it is sent again, until the context ends: the
// server takes it once, by its id.
func update[T any](ctx context.Context, d *desk, name string, arg any) (result T, err error) {
	d.updates++
	o := client.UpdateWorkflowOptions{
		WorkflowID: d.id, RunID: d.run, UpdateName: name, UpdateID: fmt.Sprintf("%s.%d.%d", d.act.ID, d.attempt, d.updates), Args: []any{arg}, WaitForStage: client.WorkflowUpdateStageCompleted,
	}
	for {
		handle, err := d.worker.Client.UpdateWorkflow(ctx, o)
		if err == nil {
			err = handle.Get(ctx, &result)
		}
		if !away(err) || d.worker.Host.Pause(ctx, time.Second) != nil {
			return result, err
		}
	}
}

// away says whether an error means that the server could not be reached, or did not answer in time.
func away(err error) bool {
	_, lost := errors.AsType[*client.WorkflowUpdateServiceTimeoutOrCanceledError](err)
	code := serviceerror.ToStatus(err).Code()
	return lost || code == codes.Unavailable || code == codes.DeadlineExceeded
}
