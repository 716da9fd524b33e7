package tasks

import (
	"context"
	"errors"
	"fmt"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/sessions/taskfile"
)

// claim takes the next task, once everything that can never run is failed. It says false when none can begin.
func (l *Loop) claim(ctx context.Context) (taskfile.ListedTask, bool, error) {
	position, err := l.Repo.Position(ctx)
	if err != nil {
		return taskfile.ListedTask{}, false, err
	}
	note, err := l.parts().notes.look(ctx, position)
	if err != nil {
		return taskfile.ListedTask{}, false, err
	}
	var c claimed
	err = l.File.Update(ctx, func(list *taskfile.TaskList) (err error) {
		if c, err = l.claimIn(list, position.Head); err == nil && c.task.ID != "" {
			note.Task = c.task.ID
			err = l.parts().notes.write(ctx, note) // before the claim is written: a run that finds it knows the user's files
		}
		return err
	})
	if busy, ok := errors.AsType[*taskfile.BusyError](err); ok {
		named := shell.QuoteWord(busy.ID)
		if busy.By != "" && busy.By != l.Worker {
			named += " --worker " + shell.QuoteWord(busy.By)
		}
		return c.task, false, &halt.UsageError{Err: err, Message: fmt.Sprintf(
			"%v, and the list is worked through one task at a time\nFinish it: autopilot tasks complete %s\nGive it up: autopilot tasks fail %s\nOr let several be worked on: session_config.concurrency_mode \"concurrent\" in harness-tasks.json", busy, named, named)}
	}
	if err != nil {
		return c.task, false, err
	}
	if err := l.progress().logFailures(c.failed); err != nil {
		return c.task, false, err
	}
	l.passOver(c.passed)
	if c.unvalidated != "" {
		return c.task, false, l.progress().withoutValidation(c.unvalidated)
	}
	if c.task.ID == "" {
		return c.task, false, nil
	}
	l.progress().tell(c.task, machine.TaskRunning, "%s, attempt %d of %d: %s", c.task.ID, c.task.Attempts+1, c.task.MaxAttempts, c.task.Title)
	return c.task, true, l.progress().log("Starting", c.task.ID, "", fmt.Sprintf("%s (base=%s)", c.task.Title, short(position.Head)))
}

// claimed is what a look for the next task came to.
type claimed struct {
	task        taskfile.ListedTask   // without an id: none can begin
	failed      []taskfile.ListedTask // that can never run, or whose worker is gone
	unvalidated string                // the id of a task at which the loop has to stop
	passed      []string              // ids of tasks without a validation that are passed over
}

// claimIn claims the next task of a list.
func (l *Loop) claimIn(list *taskfile.TaskList, base string) (claimed, error) {
	var c claimed
	if list.Config.IsConcurrent() && l.byHand {
		c.failed = list.Reap(l.late.at, l.late.atWork...)
	}
	c.failed = append(c.failed, list.FailUnrunnable(l.Now())...)
	id := l.choose(list, &c)
	if id == "" {
		return c, nil
	}
	var err error
	c.task, err = list.Claim(taskfile.Claiming{Worker: l.Worker, Task: id, Base: base, Now: l.Now(), Lease: l.Settings.Lease})
	return c, err
}

// choose picks the next task; "" is that there is none.
func (l *Loop) choose(list *taskfile.TaskList, c *claimed) (id string) {
	for _, t := range list.Eligible() {
		switch {
		case l.only != "" && t.ID != l.only:
		case t.Validation.Checks(), l.byHand:
			return t.ID
		case !l.Settings.SkipUnvalidated:
			c.unvalidated = t.ID
			return ""
		default:
			c.passed = append(c.passed, t.ID)
		}
	}
	return ""
}

// passOver tells once of tasks that nothing could show to be done.
func (l *Loop) passOver(ids []string) {
	for _, id := range ids {
		if !l.passedOver[id] {
			l.passedOver[id] = true
			l.progress().say("warning", "%s has no validation, and is passed over.", id)
		}
	}
}
