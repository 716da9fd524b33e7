package autopilot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/closing"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/undo"
	"autopilot/autopilot/workspace"
	"autopilot/spec"
)

// Engine drives one session.
type Engine struct {
	Parts

	main   *Engine // of an engine that works in a lane: the one that drives the session
	task   string  // the lane's
	lanes  *lanes
	atWork *guard.AtWork

	parsed   plans.Parsed
	saved    guard.Saved
	known    facts.Known   // of the engine that drives the session
	last     attempts.Look // of the working tree
	proved   proof.Last
	spec     *spec.Spec
	reread   bool   // the spec was compared with the session since this run began
	parkedAt string // the gate at which the working tree was noted
}

// New is an engine of these parts.
func New(p Parts) *Engine {
	e := &Engine{Parts: p, lanes: newLanes(), atWork: guard.NewAtWork(p.Seal, p.Journal)}
	e.Checks.Watch = p.Journal.Command
	e.Checks.Around = (&workspace.Tools{Repo: p.Repo, Tell: func(text string) { p.Journal.Note("info", text) }, Beside: func() bool { return e.Settings.Parallel > 1 }}).Around
	return e
}

// act does one step and reports what came of it as an event.
type act func(e *Engine, ctx context.Context, step machine.Step) error

// by has a value that an engine is made of do a step.
func by[T any](part func(*Engine) T, do func(T, context.Context, machine.Step) error) act {
	return func(e *Engine, ctx context.Context, step machine.Step) error { return do(part(e), ctx, step) }
}

// acts says who does which step of the machine. Every step of the table has its row.
var acts = map[machine.StepName]act{
	machine.StepBranch:           by((*Engine).starting, starting.newBranch),
	machine.StepBaseline:         by((*Engine).starting, starting.baseline),
	machine.StepLook:             by((*Engine).weighing, weighing.look),
	machine.StepSkeleton:         (*Engine).dispatch,
	machine.StepSkeletonReply:    (*Engine).resumeInterrupted,
	machine.StepPlan:             (*Engine).dispatch,
	machine.StepPlanReply:        (*Engine).resumeInterrupted,
	machine.StepFind:             by((*Engine).weighing, weighing.findPlan),
	machine.StepWeigh:            by((*Engine).weighing, weighing.weigh),
	machine.StepPlanCommit:       by((*Engine).committing, committing.commitPlan),
	machine.StepPick:             (*Engine).pick,
	machine.StepDiagnose:         (*Engine).dispatch,
	machine.StepDiagnosis:        (*Engine).resumeInterrupted,
	machine.StepDispatch:         (*Engine).dispatch,
	machine.StepReply:            (*Engine).resumeInterrupted,
	machine.StepValidate:         (*Engine).validate,
	machine.StepRollback:         (*Engine).rollback,
	machine.StepCommit:           by((*Engine).committing, committing.commitTask),
	machine.StepCheckpointCommit: by((*Engine).committing, committing.commitCheckpoint),
	machine.StepRecoveryCommit:   by((*Engine).committing, committing.commitRecovery),
	machine.StepRescue:           (*Engine).validate,
	machine.StepHumanCommit:      by((*Engine).committing, committing.commitHuman),
	machine.StepCommands:         by((*Engine).verifying, verifying.verify),
	machine.StepClean:            by((*Engine).verifying, verifying.verifyClean),
	machine.StepBlind:            (*Engine).dispatch,
	machine.StepBlindReply:       (*Engine).resumeInterrupted,
	machine.StepBlindChecks:      by((*Engine).verifying, verifying.blindChecks),
	machine.StepVerifier:         (*Engine).dispatch,
	machine.StepVerifierReply:    (*Engine).resumeInterrupted,
	machine.StepReview:           (*Engine).dispatch,
	machine.StepReviewReply:      (*Engine).resumeInterrupted,
	machine.StepRecord:           by((*Engine).closing, closing.Closing.Phase),
	machine.StepClose:            by((*Engine).closing, closing.Closing.Step),
	machine.StepWait:             (*Engine).wait,
	machine.StepLanes:            (*Engine).await,
	machine.StepAsk:              (*Engine).askHeld,
}

// Run takes the session from where it stands to its end, or to where it has to stop: the error says why. A limit of the
// backend is waited out, as far as the settings allow.
func (e *Engine) Run(ctx context.Context) error {
	patience := budget.Patience{Now: e.Now, Sleep: e.sleep, Longest: e.Settings.LongestWait, Say: func(text string, limit *budget.LimitError) {
		e.Journal.Report.Report(journal.Note{Event: "info", Text: text, Fields: limit.Fields()})
	}}
	for {
		before := e.Journal.State().Usage.Dispatches
		err := e.run(ctx)
		if e.Journal.State().Usage.Dispatches > before+1 {
			patience.Progress()
		}
		if again, err := patience.Wait(ctx, err); !again {
			return err
		}
	}
}

// sleep waits, unless the run is stopped meanwhile.
func (e *Engine) sleep(ctx context.Context, d time.Duration) error {
	waiting, wake := context.WithCancel(ctx)
	defer wake()
	go func() {
		if untilStop(waiting, e.Inbox) {
			wake()
		}
	}()
	switch err := e.Sleep(waiting, d); {
	case ctx.Err() != nil:
		return &halt.InterruptedError{Cause: context.Cause(ctx)}
	case err != nil:
		return &halt.StoppedError{Where: Where(e.Journal.State())}
	}
	return nil
}

func (e *Engine) run(ctx context.Context) error {
	e.lanes, e.atWork = newLanes(), guard.NewAtWork(e.Seal, e.Journal)
	defer e.Repo.Leave()
	defer e.gates().Park(e.Journal.State().Runs)
	if err := e.Repo.Config.Pin(ctx); err != nil {
		return err
	}
	if err := e.finishUndo(ctx); err != nil {
		return err
	}
	if err := e.starting().start(ctx); err != nil {
		return err
	}
	beside, stop := context.WithCancel(ctx)
	defer stop()
	err := e.loop(ctx, beside)
	e.lanes.drain(err, stop)
	if e.Journal.State().CurrentState == machine.Done {
		e.Trees().removeProof(ctx, "")
	}
	return err
}

// finishUndo finishes an undo that was cut off: until then nothing else may happen.
func (e *Engine) finishUndo(ctx context.Context) error {
	done, was, err := undo.Undo{Repo: e.Repo, Store: e.Journal.Store}.Finish(ctx)
	if was && err == nil {
		e.Journal.Note("info", "Finished the interrupted step: "+done.String())
	}
	return err
}

// loop does step after step; lanes run beside it.
func (e *Engine) loop(ctx, beside context.Context) error {
	for {
		if ctx.Err() != nil {
			return &halt.InterruptedError{Cause: context.Cause(ctx)}
		}
		if err := e.starting().follow(ctx); err != nil {
			return err
		}
		if err := errors.Join(e.fill(beside), e.lanes.trouble()); err != nil {
			return err
		}
		step := machine.Next(e.Journal.State())
		if step.Name == machine.StepEnd {
			return nil
		}
		if step.Name != machine.StepWait && e.Inbox.Wished(machine.WishStop) {
			return &halt.StoppedError{Where: Where(e.Journal.State())}
		}
		if err := perform(ctx, e, step); err != nil {
			return err
		}
	}
}

// perform does a step, and says where it failed.
func perform(ctx context.Context, e *Engine, step machine.Step) error {
	do, ok := acts[step.Name]
	if !ok {
		return fmt.Errorf("no act for step %s of %s", step.Name, step.State)
	}
	return stopped(ctx, e, step, e.do(ctx, step, do))
}

// stopped is the error of a step: that of a run that was stopped meanwhile, or with the place where it failed.
func stopped(ctx context.Context, e *Engine, step machine.Step, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return &halt.InterruptedError{Cause: err}
	}
	return e.placed(step, err)
}

// do does a step. What it says it saw of the working tree is for the next one, and for no other.
func (e *Engine) do(ctx context.Context, step machine.Step, do act) error {
	if err := e.guard().OwnFolders(); err != nil {
		return err
	}
	before := e.last.Seen
	err := do(e, ctx, step)
	if err != nil || e.last.Seen == before {
		e.last.Seen = nil
	}
	return err
}

// placed adds to an error what the session was at.
func (e *Engine) placed(step machine.Step, err error) error {
	s := e.Journal.State()
	s.CurrentTask = step.Task
	return fmt.Errorf("%s: %w", Where(s), err)
}

// dispatch has a persona work. A task whose announced files a human changed since it was picked is picked once more.
func (e *Engine) dispatch(ctx context.Context, step machine.Step) error {
	if again, err := e.pickedAgain(ctx, step, true); again || err != nil {
		return err
	}
	if t, ok := e.Journal.State().Task(step.Task); ok && step.Name == machine.StepDispatch {
		if err := e.checks().Before(ctx, t); err != nil {
			return err
		}
	}
	return e.attempts().Dispatch(ctx, step)
}

func (e *Engine) resumeInterrupted(ctx context.Context, step machine.Step) error {
	return e.attempts().ResumeInterrupted(ctx, step)
}

// wait is the step of an open question. The spec may be another by the time it is answered.
func (e *Engine) wait(ctx context.Context, _ machine.Step) error {
	defer func() { e.reread = false }()
	return e.gates().Wait(ctx)
}

// Answer takes an answer to the open question, and does not go on with the run.
func (e *Engine) Answer(ctx context.Context, a machine.Answer) error { return e.gates().Answer(ctx, a) }
