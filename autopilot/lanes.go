package autopilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
)

// lanes are the tasks that are at work beside the run's own working tree, each in a goroutine. The core says which may
// be; what happens in a lane reaches it through the same events as everything else.
type lanes struct {
	front sync.Mutex // one dispatch at a time is begun or ended, over all working trees

	mu     sync.Mutex
	all    sync.WaitGroup
	going  map[string]bool // by task
	used   bool            // there were lanes
	closed bool            // none is started any more
	err    error           // the first that a lane ended with
	ending bool            // those at work end after their step
	wake   chan struct{}   // gets a value when a lane ended
}

func newLanes() *lanes {
	return &lanes{going: map[string]bool{}, wake: make(chan struct{}, 1)}
}

// fill starts what may be started: lanes that have to go on, and tasks that may run beside the others.
func (e *Engine) fill(ctx context.Context) error {
	l := e.lanes
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || ctx.Err() != nil {
		return nil
	}
	if e.Journal.State().CurrentState != machine.Execute {
		return e.leave(ctx)
	}
	for _, id := range machine.Startable(e.Journal.State()) {
		l.used = true
		if err := e.startLane(ctx, id); err != nil {
			return err
		}
	}
	for _, t := range e.Journal.State().Tasks {
		if t.Lane.Busy() && !l.going[t.ID] && len(l.going) < max(1, e.Settings.Parallel) {
			l.used, l.going[t.ID] = true, true
			l.all.Go(func() { e.runLane(ctx, t.ID) })
		}
	}
	return nil
}

// leave removes what is left of the lanes once EXECUTE is left.
func (e *Engine) leave(ctx context.Context) error {
	if !e.lanes.used {
		return nil
	}
	e.lanes.used = false
	return e.Trees().sweep(ctx)
}

// startLane begins an attempt of a task beside the others. Meanwhile a question may have come up: then it waits.
func (e *Engine) startLane(ctx context.Context, id string) error {
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if err := e.branch().Is(ctx, position); err != nil {
		return err
	}
	if err := e.changes().SaveUsersFiles(ctx); err != nil {
		return err
	}
	place := e.Trees().laneOf(id)
	err = e.Journal.Apply(machine.Event{Type: machine.TaskStarted, Task: id, Base: position.Head, Lane: &place})
	if _, ok := errors.AsType[*machine.IllegalEventError](err); ok {
		return nil
	}
	return err
}

// runLane works on a task in its lane until it is done there, or has to wait.
func (e *Engine) runLane(ctx context.Context, id string) {
	err := e.laneSteps(ctx, id)
	l := e.lanes
	l.mu.Lock()
	delete(l.going, id)
	l.mu.Unlock()
	if err == nil {
		err = e.fill(ctx) // the run's own tree may be busy for long
	}
	if err != nil {
		l.mu.Lock()
		l.err, l.closed = cmp.Or(l.err, err), true
		l.mu.Unlock()
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// laneActs says who does which step of a lane. Every step of the table of lanes has its row, but those at which it
// waits.
var laneActs = map[machine.StepName]act{
	machine.StepDiagnose:  (*Engine).dispatch,
	machine.StepDiagnosis: (*Engine).resumeInterrupted,
	machine.StepDispatch:  (*Engine).dispatch,
	machine.StepReply:     (*Engine).resumeInterrupted,
	machine.StepValidate:  (*Engine).validate,
	machine.StepRollback:  (*Engine).rollback,
}

func (e *Engine) laneSteps(ctx context.Context, id string) error {
	var lane *Engine
	for ctx.Err() == nil && !e.lanes.isEnding() {
		s := e.Journal.State()
		t, ok := s.Task(id)
		if !ok || !t.Lane.Busy() {
			return nil
		}
		if lane == nil || !lane.Repo.Stands() {
			var err error
			if lane, err = e.openLane(ctx, t); err != nil || lane == nil {
				return err // a human is asked, the run ends, or the task starts over
			}
		}
		step := machine.InLane(s, t)
		if err := lane.do(ctx, step, laneActs[step.Name]); err != nil {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // the run ends, and says so
			}
			if step.Name == machine.StepValidate && !lane.Repo.Stands() {
				continue // it cannot be said what failed
			}
			return lane.placed(step, err)
		}
		if after, _ := e.Journal.State().Task(id); reflect.DeepEqual(t, after) {
			return lane.placed(step, fmt.Errorf("%s led nowhere. Please report it, with the session's events.jsonl", id))
		}
	}
	return nil
}

// await waits until a lane ended, or the run is to stop.
func (e *Engine) await(ctx context.Context, _ machine.Step) error {
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	wished := make(chan struct{})
	go func() {
		if untilStop(waiting, e.Inbox) {
			close(wished)
		}
	}()
	select {
	case <-e.lanes.wake:
	case <-wished:
	case <-ctx.Done():
	}
	return nil
}

// isEnding says whether the lanes end after the step that they are at.
func (l *lanes) isEnding() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ending
}

// trouble is what a lane ended with.
func (l *lanes) trouble() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// drain waits for the lanes at the end of a run. Where the backend reported a limit the others come to their end, since
// what they do is paid for; where a person wished to stop, each ends its step; after any other error they are stopped.
func (l *lanes) drain(err error, stop func()) {
	var limit *budget.LimitError
	var waiting *halt.WaitingError
	var stopped *halt.StoppedError
	l.mu.Lock()
	l.closed, l.ending = true, errors.As(err, &stopped)
	l.mu.Unlock()
	if !errors.As(err, &limit) && !errors.As(err, &waiting) && !l.ending {
		stop()
	}
	l.all.Wait()
}

// askHeld opens the question that waited until the lanes were quiet.
func (e *Engine) askHeld(context.Context, machine.Step) error {
	return e.Journal.Apply(machine.Event{Type: machine.Drained})
}
