package flow

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
)

const (
	// longest is how many events a history may have before the workflow goes on as a new run. Temporal ends one of 51,200.
	longest = 10_000
	// mostUpdates is how many updates of acts a run takes before that, but for those of steps at work. Temporal allows 2,000.
	mostUpdates = 500
	// atOnce is how many events of the journal one activity keeps: a payload has a limit.
	atOnce = 500
	// largest is how large a state may be when a new run begins with it, in bytes as it is sent. Temporal ends a workflow at 2 MB.
	largest = 1_500_000
	// nowhere is how long the workflow waits after an act that recorded nothing, before it has it done again.
	nowhere = time.Minute
	// leastWait is how long it waits at least for the end of a limit: the clock of a worker may be behind.
	leastWait = 10 * time.Second
)

// session is one run of the workflow.
type session struct {
	job   Job
	s     machine.State
	tail  []machine.Event
	works map[string]string
	tip   string              // the commit that the hub's branch is at
	lost  map[string]string   // the working trees that acts left in their middle, by task
	acts  map[string]*attempt // the last one, by task
	made  int                 // how many acts there were in this run

	atWork  int       // how many acts somebody took
	since   time.Time // when the first of them began
	updates int       // how many of acts this run took

	began    int64                    // the revision that this run began with
	phase    int                      // the phase that it began with
	going    lanes                    // the lanes that are at work
	own      bool                     // an agent is at work in the run's own working tree, or waits there to begin
	leaving  bool                     // none is begun any more, and those at work end after their step
	stopping string                   // why the session stops before its end
	now      bool                     // and that steps at work are stopped
	reserved map[string]*reservation  // what is set aside for agents at work, by task
	short    int                      // how many used up their part of a budget, or found nothing left, and wait
	last     map[string]bool          // lanes that waited until everybody did, by task
	limited  int                      // how many wait for the end of a limit
	waited   map[string]budget.Waited // the limits that were met in a row, by task
	ends     int                      // how many lanes ended

	shown  [2]string // the search attributes
	failed error     // the first that a lane ended with

	seen    string          // the question that a worker looked at
	given   *machine.Answer // that a person gave to it, and no worker took yet
	refused string          // why the last answer was none
}

// lanes are tasks at work beside the run's own working tree, by id.
type lanes map[string]bool

// Session is the workflow: it ends at the end of the session, and where a person stops it.
func Session(ctx workflow.Context, in Input) (Result, error) {
	w := &session{
		job: in.Job, s: in.State, tail: in.Tail, works: in.Works, tip: in.Tip, acts: map[string]*attempt{}, waited: in.Waited,
		began: in.State.Revision, seen: in.Seen, phase: in.State.CurrentPhase, going: lanes{},
		reserved: map[string]*reservation{}, last: map[string]bool{},
	}
	if w.works == nil {
		w.works = map[string]string{}
	}
	if w.lost = in.Lost; w.lost == nil {
		w.lost = map[string]string{}
	}
	if w.waited == nil {
		w.waited = map[string]budget.Waited{}
	}
	canceled := ctx.Done()
	ctx, _ = workflow.NewDisconnectedContext(ctx) // a cancellation is a stop: what was done is kept
	if err := w.handle(ctx, canceled); err != nil {
		return Result{}, err
	}
	if in.First != nil {
		if err := w.apply(ctx, machine.Event{Type: machine.Created, Initial: in.First}, 0); err != nil {
			return Result{}, err
		}
	}
	return w.run(ctx)
}

// apply applies what happened, at the workflow's time: of the time since the last event, what nobody worked in is none that runs.
func (w *session) apply(ctx workflow.Context, e machine.Event, ran time.Duration) error {
	e.Time = workflow.Now(ctx)
	if !w.s.UpdatedAt.IsZero() {
		e.Slept = max(0, (e.Time.Sub(w.s.UpdatedAt) - ran).Truncate(time.Second).Seconds())
	}
	return w.enter(w.s.Stamp(e))
}

// meanwhile is how long somebody worked since the last event, for one that is no worker's.
func (w *session) meanwhile(ctx workflow.Context) time.Duration {
	if w.atWork == 0 {
		return 0
	}
	return min(workflow.Now(ctx).Sub(w.s.UpdatedAt), workflow.Now(ctx).Sub(w.since)) // before that, nobody may have worked for hours
}

// enter applies an event that has its time.
func (w *session) enter(e machine.Event) error {
	next, err := transition.Apply(w.s, e)
	if err != nil {
		return fmt.Errorf("applying %s: %w", e.Type, err)
	}
	w.spent(e, next.Usage.Minus(w.s.Usage))
	w.s, w.tail = next, append(w.tail, e)
	return nil
}

// run has one step done after the other.
func (w *session) run(ctx workflow.Context) (Result, error) {
	for {
		if err := errors.Join(w.fill(ctx), w.show(ctx)); err != nil {
			return Result{}, err
		}
		w.overtaken()
		step := machine.Next(w.s)
		var err error
		switch {
		case w.failed != nil:
			err = w.failed
		case step.Name == machine.StepEnd || w.stopping != "":
			err = w.settle(ctx)
			if step.Name == machine.StepEnd {
				w.stopping = ""
			}
			return Result{w.s.Revision, w.s.CurrentState, w.stopping}, err
		case w.due(ctx, step):
			err = w.continueAsNew(ctx)
		case step.Name == machine.StepWait:
			err = w.wait(ctx, step)
		case step.Name == machine.StepLanes:
			rev, ends := w.s.Revision, w.ends // a lane may end without an event
			err = workflow.Await(ctx, func() bool { return w.s.Revision > rev || w.ends > ends || w.failed != nil || w.stopping != "" })
		default:
			err = w.do(ctx, "", step)
		}
		if err != nil {
			return Result{}, err
		}
	}
}

// stopped is why a session that stops takes no answer.
const stopped = "the session is stopping; answer it where it continues"

// overtaken refuses an answer that no worker takes any more: the session stops, or its question was answered otherwise.
func (w *session) overtaken() {
	if w.given != nil && w.stopping != "" {
		w.given, w.refused = nil, stopped
	}
	if w.given == nil || w.s.Gate != nil && w.s.Gate.ID == w.given.Gate {
		return
	}
	w.given, w.refused = nil, "it was answered meanwhile"
	if n := len(w.s.Decisions); n > 0 {
		w.refused = fmt.Sprintf("it was answered meanwhile: %s, by %s", w.s.Decisions[n-1].Decision, w.s.Decisions[n-1].By)
	}
}

// wait has a worker look at a question first: it may need no person. Then it has an answer taken.
func (w *session) wait(ctx workflow.Context, step machine.Step) error {
	if w.seen != w.s.Gate.ID && w.given == nil {
		gate := w.s.Gate.ID
		w.seen = gate
		p, err := w.play(ctx, w.act("", step), step)
		if w.acts[""].exhausted && w.seen == gate {
			w.seen = "" // nobody could look
			return cmp.Or(err, w.pause(ctx, p, "", false))
		}
		w.stopping = cmp.Or(w.stopping, p.Stop)
		return err
	}
	if err := workflow.Await(ctx, func() bool { return w.given != nil || w.stopping != "" }); err != nil || w.given == nil {
		return err
	}
	a := w.act("", step)
	a.Answer = w.given
	p, err := w.play(ctx, a, step)
	w.stopping = cmp.Or(w.stopping, p.Stop)
	w.given, w.refused = nil, cmp.Or(p.Refused, p.Stop)
	if w.refused == "" && w.s.Gate != nil && w.s.Gate.ID == a.Answer.Gate {
		w.refused = "no worker took it: answer again"
		if w.stopping != "" {
			w.refused = stopped
		}
	}
	return err
}
