package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// takeUp takes up what an earlier run left in progress: every such task of an exclusive list; of a concurrent one those
// that are this worker's, where they stand, and then those whose lease is past and whose worker is not at work.
func (l *Loop) takeUp(ctx context.Context) error {
	if err := l.sweep(ctx); err != nil {
		return err
	}
	list, err := l.File.Read()
	if err != nil {
		return err
	}
	if err := l.recoverAll(ctx, list, l.mine); err != nil {
		return err
	}
	if err := l.advance(ctx); err != nil {
		return err
	}
	return l.recoverOrphans(ctx)
}

// mine says whether a task is in progress for this worker.
func (l *Loop) mine(_ *taskfile.TaskList, t taskfile.ListedTask) bool {
	return t.Status == machine.TaskRunning && t.ClaimedBy != nil && *t.ClaimedBy == l.Worker
}

// recoverAll recovers such tasks of a list as it was read, where the file has them as such when they are taken.
func (l *Loop) recoverAll(ctx context.Context, list taskfile.TaskList, which func(*taskfile.TaskList, taskfile.ListedTask) bool) error {
	for _, t := range list.Tasks {
		if !which(&list, t) {
			continue
		}
		taken, err := l.take(ctx, t.ID, which)
		if err == nil && taken {
			err = autopilot.UnlockRefs(ctx, l.Repo, l.ref(t.ID), l.Report)
		}
		if err == nil && taken {
			err = l.recover(ctx, t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take makes an interrupted task this worker's, so that nobody else recovers it too. It says false where somebody did.
func (l *Loop) take(ctx context.Context, id string, which func(*taskfile.TaskList, taskfile.ListedTask) bool) (bool, error) {
	taken := false
	err := l.File.Update(ctx, func(list *taskfile.TaskList) error {
		t := list.Find(id)
		if taken = t != nil && which(list, *t); !taken {
			return nil
		}
		t.ClaimedBy = nil
		_, err := list.Renew(id, l.Worker, l.Now(), l.Settings.Lease)
		return err
	})
	return taken, err
}

// sparing leaves to the user what came since the run was called off, or since its agent was killed.
func (l *Loop) sparing(ctx context.Context, t taskfile.ListedTask) error {
	b, known, err := l.remembered(t)
	if err != nil || !known || b.ByHand || l.Own { // in a tree of its own no user works
		return err
	}
	b.Ended = l.ended(t, b)
	if !b.Stopped && b.Ended.IsZero() {
		return nil
	}
	work, err := l.work(ctx, t)
	if err != nil {
		return err
	}
	since := slices.DeleteFunc(git.Paths(work), func(p string) bool {
		if b.Stopped {
			return slices.Contains(b.Left, p)
		}
		return !git.ChangedAfter(filepath.Join(l.Repo.Root(), filepath.FromSlash(p)), b.Ended)
	})
	b.Users, b.Stopped, b.Left = append(b.Users, since...), false, nil
	if len(since) > 0 {
		l.say("info", "Changed since the last run, and left alone: %s", strings.Join(since, ", "))
	}
	return l.write(b)
}

// ended is when nothing wrote into the tree any more for a task whose run was killed: when its agent, or a command for it,
// had ended; with no dispatch in flight when the program noted that. Zero: not known.
func (l *Loop) ended(t taskfile.ListedTask, b before) time.Time {
	note, err := os.Stat(l.beforeFile(b.Task))
	if err != nil || !b.Ended.IsZero() {
		return b.Ended
	}
	if !git.ChangedAfter(l.beforeFile(b.Task), l.KilledAt) {
		return l.KilledAt
	}
	if git.ChangedAfter(l.beforeFile(b.Task), note.ModTime().Add(time.Second)) {
		return time.Time{} // a copy of the repository: its files show when it was made, not who wrote them
	}
	if b.Flight == nil {
		return note.ModTime()
	}
	// The built-in agent dies with the run, and writes down each turn and what its tools did.
	told, err := os.Stat(filepath.Join(l.attemptDir(t), agentLog))
	if err != nil || !told.ModTime().After(note.ModTime()) {
		return time.Time{}
	}
	return told.ModTime().Add(time.Second)
}

// agentLog is the built-in agent's record of an attempt.
const agentLog = "transcript.jsonl"

// recover settles one interrupted task.
func (l *Loop) recover(ctx context.Context, t taskfile.ListedTask) error {
	l.recovers = true
	if err := l.sparing(ctx, t); err != nil {
		return err
	}
	if returned, err := l.returned(ctx, t); err != nil || returned {
		return err
	}
	if err := l.unrebased(context.WithoutCancel(ctx), t); err != nil {
		return err
	}
	ended, err := l.cutOff(ctx, t)
	if err != nil {
		return err
	}
	if ended != nil {
		if err := l.recovered(t, taskfile.SettledFailed, firstLine(ended.Why)); err != nil {
			return err
		}
		return l.fail(ctx, t, ended)
	}
	work, err := l.work(ctx, t)
	if err != nil {
		return err
	}
	made, err := l.made(ctx, t)
	if err != nil {
		return err
	}
	if !t.Validation.Checks() {
		return l.unvalidated(ctx, t)
	}
	undone, err := l.undone(ctx, t, work)
	if err != nil {
		return err
	}
	traces := taskfile.Traces{Uncommitted: len(work) > 0 && !undone, Commits: len(made) > 0 && !undone, Checkpoints: len(t.Checkpoints) > 0}
	recovery, why := traces.Recovers()
	if recovery == taskfile.RecoverFail {
		if err := l.recovered(t, taskfile.SettledFailed, why); err != nil {
			return err
		}
		return l.fail(ctx, t, &failure{taskfile.CategorySessionTimeout, why})
	}
	failed, err := l.revalidate(ctx, t, work)
	if err != nil {
		return err
	}
	settled := recovery.Settle(failed == nil)
	if err := l.recovered(t, settled, why); err != nil {
		return err
	}
	switch settled {
	case taskfile.SettledFailed:
		return l.fail(ctx, t, failed)
	case taskfile.SettledResumed:
		l.done++
		return l.attempt(ctx, t)
	}
	again, err := l.commit(ctx, t)
	if err == nil && again {
		err = l.conclude(ctx, t)
	}
	return l.settle(ctx, t, err)
}

// returned gives a task back that was being given back when the run ended.
func (l *Loop) returned(ctx context.Context, t taskfile.ListedTask) (bool, error) {
	b, _, err := l.remembered(t)
	if err != nil || !b.Returning {
		return false, err
	}
	return true, errors.Join(l.recovered(t, "given back", "no attempt was to be spent"), l.giveBack(context.WithoutCancel(ctx), t))
}

// cutOff puts right what the agent of a killed run did to the repository, and returns why the attempt has failed already:
// what it did was worse than its work can be worth, or the kill came while the attempt was ended.
func (l *Loop) cutOff(ctx context.Context, t taskfile.ListedTask) (*failure, error) {
	b, _, err := l.remembered(t)
	if err != nil || b.Failing != nil {
		return b.Failing, err
	}
	if b.Flight == nil {
		return nil, nil
	}
	err = l.putRight(context.WithoutCancel(ctx), t, b.Flight.Dispatch, b.Flight.Was, b.Ended)
	if err == nil || isFailure(err) {
		err = errors.Join(err, l.Repo.Config.Record(ctx))
	}
	if failed, ok := errors.AsType[*failure](err); ok {
		return failed, nil
	}
	if err == nil {
		err = l.adopt(ctx, t, b.Ended)
	}
	return nil, err
}

// adopt lets every commit since the base count as the task's where the agent's stand below the user's, and could not be
// taken back.
func (l *Loop) adopt(ctx context.Context, t taskfile.ListedTask, ended time.Time) error {
	_, foreign, err := l.commits(ctx, t)
	if err != nil || ended.IsZero() {
		return err
	}
	for _, c := range foreign {
		made, err := l.Repo.History.Made(ctx, c.SHA)
		if err != nil || made.After(ended) {
			continue
		}
		b, _, err := l.remembered(t)
		if err != nil {
			return err
		}
		b.Adopted = true
		return l.write(b)
	}
	return nil
}

// unvalidated is an interrupted task that nothing could show to be done. Passing over it means letting it go: while it is
// in progress, no other could be.
func (l *Loop) unvalidated(ctx context.Context, t taskfile.ListedTask) error {
	if !l.Settings.SkipUnvalidated {
		return l.withoutValidation(t.ID)
	}
	if err := l.recovered(t, "given back", "it has no validation"); err != nil {
		return err
	}
	return l.giveBack(ctx, t)
}

// revalidate runs the validation of an interrupted task on what is there. Nil is a pass.
func (l *Loop) revalidate(ctx context.Context, t taskfile.ListedTask, work []git.Change) (*failure, error) {
	if err := l.checking(ctx, t, work); err != nil {
		return nil, err
	}
	err := l.validate(ctx, t, work)
	if failed, ok := errors.AsType[*failure](err); ok {
		return failed, nil
	}
	return nil, err
}

func (l *Loop) recovered(t taskfile.ListedTask, settled taskfile.Settled, why string) error {
	l.tell(t, string(settled), "%s was in progress: %s (%s).", t.ID, settled, why)
	return l.log("RECOVERY", t.ID, "", fmt.Sprintf("action=%q reason=%q", settled, why))
}
