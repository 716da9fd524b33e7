package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.temporal.io/sdk/activity"

	"autopilot/autopilot"
	"autopilot/autopilot/machine"
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
	free    func(whole bool)
	hub     *hub.Session
	session *sessions.Session // nil: the hub has none yet
	taken   flow.Taken
	began   time.Time

	mu      sync.Mutex                         // one at a time gives the hub something
	tree    hub.Tree                           // in which the act is done
	lost    string                             // the working tree that a lost worker gave the hub in the middle of the act; "": none did
	saves   atomic.Int64                       // how often the act's working tree was recorded, in all attempts
	updates int                                // how many this attempt sent
	since   time.Time                          // the last event was
	saving  atomic.Pointer[context.CancelFunc] // ends the saving of the working tree; nil: none began
	owed    atomic.Pointer[owed]               // nil: the workflow knows of each call
	counted atomic.Int64                       // how often what calls cost was recorded, in all attempts
	left    atomic.Pointer[flow.Left]          // the working tree that the hub got in the middle of the act
	ended   func() error                       // why the act was called off; nil: nobody can
	waits   atomic.Pointer[string]             // what the work of an agent waits for; nil: nothing
	ran     bool                               // an agent's run ended in this act
	paying  bool                               // the act is over, and what its calls cost is recorded
	refused *refusedError                      // the hub does not take what an agent did; nil: it does
	late    late                               // an event that others were faster than: it is made again at once
}

// late is an event that came too late, and the working tree that the hub got for it.
type late struct {
	machine.EventType
	work string
}

// open takes a clone, lays the session out in it, and begins the act.
func (w *Worker) open(ctx context.Context, a flow.Act) (*desk, error) {
	info, now := activity.GetInfo(ctx), w.Host.Now()
	d := &desk{worker: w, act: a, attempt: info.Attempt, id: info.WorkflowExecution.ID, run: info.WorkflowExecution.RunID, ended: ctx.Err, began: now, since: now}
	if err := d.fetch(ctx); err != nil {
		return nil, err
	}
	if err := d.take(ctx); err != nil {
		d.close()
		return nil, err
	}
	d.inherit(lastBeat(ctx))
	return d, nil
}

// fetch takes a clone, and lays the session out in it.
func (d *desk) fetch(ctx context.Context) (err error) {
	if d.clone, d.free, err = d.worker.clone(ctx, d.act.Job, d.act.Slug); err != nil {
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
	if d.refused != nil {
		_ = os.Rename(d.clone.Dir, d.refused.kept) // a clone that stays there is made anew
	}
	d.free(!cutOff)
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
	return d.enter(ctx, taken.Events)
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

// enter brings the session up to date with events of the workflow, and the clone with what they name.
func (d *desk) enter(ctx context.Context, events []machine.Event) (err error) {
	if slices.ContainsFunc(events, func(e machine.Event) bool { return len(commitsOf(e)) > 0 }) {
		if err := d.patiently(ctx, d.session != nil && d.flying(d.session.State()), d.hub.Objects); err != nil {
			return err
		}
	}
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

// commitsOf are the commits in which something was kept that other steps look at, as an event names them.
func commitsOf(e machine.Event) (all []string) {
	for _, s := range e.Snapshots {
		if s.Commit != "" {
			all = append(all, s.Commit)
		}
	}
	return all
}

// restore puts the working trees as the last step left them.
func (d *desk) restore(ctx context.Context) error {
	s := d.session.State()
	if err := d.hub.RequireCommit(ctx, s.Branch, s.Committed.SHA); err != nil {
		return err
	}
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
		its := hub.LaneOf(d.clone.Dir, t, d.taken.Works[t.ID])
		lane = &its
	}
	if d.act.Task != "" && lane != nil {
		d.tree = *lane
	}
	if left := leftOf(lastBeat(ctx), d.act); left != nil {
		d.lost = left.Current(d.taken.Saves)
	}
	if err := errors.Join(d.sweep(ctx, s), d.hub.Restore(ctx, run)); err != nil || lane == nil {
		return err
	}
	return d.hub.Restore(ctx, *lane)
}

// sweep removes the working trees of lanes that are over from the clone, also those of other sessions.
func (d *desk) sweep(ctx context.Context, s machine.State) error {
	open := map[string]bool{}
	for _, t := range s.Tasks {
		if t.Lane != nil {
			open[hub.LaneOf(d.clone.Dir, t, "").Dir] = true
		}
	}
	root := filepath.Join(d.clone.Dir, ".harness", autopilot.WorktreesDir)
	lanes, err := fs.Glob(os.DirFS(root), "*"+autopilot.LanesSuffix+"/*")
	for _, lane := range lanes {
		name, id, _ := strings.Cut(lane, autopilot.LanesSuffix+"/")
		if dir := filepath.Join(root, lane); !open[dir] {
			err = errors.Join(err, d.hub.Drop(ctx, hub.Tree{Dir: dir, Branch: "autopilot/" + name + "." + id}))
		}
	}
	return err
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
