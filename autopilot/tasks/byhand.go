package tasks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/sessions/taskfile"
)

// What a person, or an agent that works through the list by itself, does by commands: the same steps as those of a run.

// Claim takes a task for the worker: the one with an id, else the next. It says false when it cannot begin.
func (l *Loop) Claim(ctx context.Context, id string) (taskfile.ListedTask, bool, error) {
	l.only = id
	if err := l.beginByHand(ctx); err != nil {
		return taskfile.ListedTask{}, false, err
	}
	if err := l.parts().line.abreast(ctx); err != nil {
		return taskfile.ListedTask{}, false, err
	}
	list, err := l.File.Read()
	if err == nil {
		l.late, err = l.parts().recovery.whoIsLate(ctx, list)
	}
	if err != nil {
		return taskfile.ListedTask{}, false, err
	}
	t, ok, err := l.claim(ctx)
	if err != nil || ok || id == "" {
		return t, ok, err
	}
	return t, false, l.unable(id)
}

// unable says why a named task cannot be claimed.
func (l *Loop) unable(id string) error {
	list, err := l.File.Read()
	if err != nil {
		return err
	}
	t, what := list.Find(id), ""
	switch {
	case t == nil:
		what = "is not in the list"
	case t.Status != machine.TaskPending && t.Status != machine.TaskFailed:
		what = "is " + strings.ReplaceAll(t.Status, "_", " ")
	case t.Attempts >= t.MaxAttempts:
		what = "has no attempt left: raise its max_attempts in harness-tasks.json"
	default:
		what = "waits for tasks that are not completed: " + strings.Join(t.DependsOn, ", ")
	}
	return &halt.UsageError{Message: fmt.Sprintf("%s %s. See: autopilot tasks status", id, what)}
}

// Validate runs a task's validation on what is there.
func (l *Loop) Validate(ctx context.Context, id string) (validate.Evidence, error) {
	list, err := l.File.Read()
	if err != nil {
		return validate.Evidence{}, err
	}
	t := list.Find(id)
	if t == nil {
		return validate.Evidence{}, taskfile.ErrNoTask
	}
	if !t.Validation.Checks() {
		return validate.Evidence{Outcome: validate.NothingToRun}, nil
	}
	return l.validateByHand(ctx, *t)
}

// validateByHand runs the validation of a task. What that leaves behind is not taken for the work of a person who has it.
func (l *Loop) validateByHand(ctx context.Context, t taskfile.ListedTask) (ev validate.Evidence, err error) {
	b, _, err := l.parts().notes.remembered(ctx, t)
	if err == nil && b.ByHand {
		err = l.parts().notes.trace(ctx, t, true)
	}
	if err != nil {
		return ev, err
	}
	ev = l.parts().commands.check(ctx, t)
	l.known.Clear() // another command may have claimed the task again during the check
	if b.ByHand {
		err = l.parts().notes.trace(context.WithoutCancel(ctx), t, false)
	}
	return ev, errors.Join(err, ctx.Err())
}

// Complete validates a task that the worker has, commits what was done and completes it. What does not pass stays in
// the tree, and in progress.
func (l *Loop) Complete(ctx context.Context, id string) error {
	t, err := l.held(ctx, id)
	if err != nil {
		return err
	}
	if err := l.parts().line.abreast(ctx); err != nil {
		return err
	}
	if !t.Validation.Checks() {
		return l.progress().withoutValidation(id)
	}
	if err := l.parts().notes.refused(ctx, t); err != nil { // by one that was killed
		return err
	}
	err = l.parts().attempts.conclude(ctx, t)
	if noted := l.parts().notes.refused(context.WithoutCancel(ctx), t); noted != nil {
		return errors.Join(err, noted)
	}
	if failed, ok := errors.AsType[*failure](err); ok {
		return fmt.Errorf("%s is not done: %s\nFix it and try again, or give it up: autopilot tasks fail %s", id, failed.Why, id)
	}
	if lost, ok := errors.AsType[*lostError](err); ok {
		return &halt.UsageError{Err: err, Message: fmt.Sprintf("%s: %v\nWhat was done stays as it is. See who has what: autopilot tasks status", id, lost)}
	}
	l.closeAtEnd(ctx)
	return err
}

// Fail gives up an attempt that the worker has: cleanup, the work is kept under a ref and taken out of the tree.
func (l *Loop) Fail(ctx context.Context, id, reason string) error {
	t, err := l.held(ctx, id)
	if err != nil {
		return err
	}
	defer l.closeAtEnd(ctx)
	return l.parts().rollback.fail(ctx, t, &failure{taskfile.CategoryTaskExec, reason})
}

// Reach records a step of a task that the worker has.
func (l *Loop) Reach(ctx context.Context, id string, step, total int, description string) error {
	if err := l.number(); err != nil {
		return err
	}
	return l.parts().claims.reached(ctx, id, step, total, description)
}

// held is a task of the worker's.
func (l *Loop) held(ctx context.Context, id string) (taskfile.ListedTask, error) {
	if err := l.beginByHand(ctx); err != nil {
		return taskfile.ListedTask{}, err
	}
	list, err := l.File.Read()
	if err != nil {
		return taskfile.ListedTask{}, err
	}
	t, err := list.Held(id, l.Worker)
	if err != nil {
		return taskfile.ListedTask{}, &halt.UsageError{Err: err, Message: fmt.Sprintf("%s: %v. See who has what: autopilot tasks status", id, err)}
	}
	return *t, nil
}

func (l *Loop) beginByHand(ctx context.Context) error {
	l.byHand = true
	return errors.Join(l.number(), branches.UnlockRefs(ctx, l.Repo, snapshotsOf(l.Repo).Refs, l.Report))
}

// number takes the number of the run at work, for the log.
func (l *Loop) number() error {
	list, err := l.File.Read()
	l.session = list.SessionCount
	return err
}
