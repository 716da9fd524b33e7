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

	"autopilot/autopilot/branches"
	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
	"autopilot/sessions/taskfile"
)

// recovery takes up what runs left that are gone.
type recovery struct {
	progress
	notes    notes
	own      ownCommits
	line     sharedLine
	claims   claims
	rollback rollback
	attempts attempts
	repo     *git.Repo
	killedAt time.Time
	ownTree  bool // the working tree is one of the program's
	run      *tally
}

// tally is what a run did so far.
type tally struct {
	done     int  // tasks that it tried
	recovers bool // it took up what another one left
}

// takeUp takes up what an earlier run left in progress: every such task of an exclusive list; of a concurrent one those
// that are this worker's, where they stand, and then those whose lease is past and whose worker is not at work.
func (r recovery) takeUp(ctx context.Context) error {
	if err := r.sweep(ctx); err != nil {
		return err
	}
	list, err := r.file.Read()
	if err != nil {
		return err
	}
	if err := r.recoverAll(ctx, list, r.claims.mine); err != nil {
		return err
	}
	if err := r.line.advance(ctx); err != nil {
		return err
	}
	return r.recoverOrphans(ctx)
}

// recoverAll recovers such tasks of a list as it was read, where the file has them as such when they are taken.
func (r recovery) recoverAll(ctx context.Context, list taskfile.TaskList, which func(*taskfile.TaskList, taskfile.ListedTask) bool) error {
	for _, t := range list.Tasks {
		if !which(&list, t) {
			continue
		}
		taken, err := r.take(ctx, t.ID, which)
		if err == nil && taken {
			err = branches.UnlockRefs(ctx, r.repo, refOf(t.ID), r.report)
		}
		if err == nil && taken {
			err = r.recover(ctx, t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take makes an interrupted task this worker's, so that nobody else recovers it too. It says false where somebody did.
func (r recovery) take(ctx context.Context, id string, which func(*taskfile.TaskList, taskfile.ListedTask) bool) (bool, error) {
	taken := false
	err := r.file.Update(ctx, func(list *taskfile.TaskList) error {
		t := list.Find(id)
		if taken = t != nil && which(list, *t); !taken {
			return nil
		}
		t.ClaimedBy = nil
		_, err := list.Renew(id, r.claims.worker, r.claims.now(), r.claims.lease)
		return err
	})
	return taken, err
}

// sparing leaves to the user what came since the run was called off, or since its agent was killed.
func (r recovery) sparing(ctx context.Context, t taskfile.ListedTask) error {
	b, known, err := r.notes.remembered(ctx, t)
	if err != nil || !known || b.ByHand || r.ownTree { // in a tree of its own no user works
		return err
	}
	b.Ended = r.ended(t, b)
	if !b.Stopped && b.Ended.IsZero() {
		return nil
	}
	work, err := r.notes.work(ctx, t)
	if err != nil {
		return err
	}
	since := slices.DeleteFunc(git.Paths(work), func(p string) bool {
		if b.Stopped {
			return slices.Contains(b.Left, p)
		}
		return !plainfile.ChangedAfter(filepath.Join(r.repo.Root(), filepath.FromSlash(p)), b.Ended)
	})
	b.Users, b.Stopped, b.Left = append(b.Users, since...), false, nil
	if len(since) > 0 {
		r.say("info", "You changed these files since the last run; they are left alone: %s", strings.Join(since, ", "))
	}
	return r.notes.write(ctx, b)
}

// ended is when nothing wrote into the tree any more for a task whose run was killed: when its agent, or a command for it,
// had ended; with no dispatch in flight when the program noted that. Zero: not known.
func (r recovery) ended(t taskfile.ListedTask, b before) time.Time {
	switch {
	case !b.Ended.IsZero():
		return b.Ended
	case !b.Noted.After(r.killedAt):
		return r.killedAt
	case b.Flight == nil || b.Noted.IsZero():
		return b.Noted
	}
	// The built-in agent dies with the run, and writes down each turn and what its tools did.
	told, err := os.Stat(filepath.Join(r.attempts.attemptDir(t), agentLog))
	if err != nil || !told.ModTime().After(b.Noted) {
		return time.Time{}
	}
	return told.ModTime().Add(time.Second)
}

// agentLog is the built-in agent's record of an attempt.
const agentLog = "transcript.jsonl"

// recover settles one interrupted task.
func (r recovery) recover(ctx context.Context, t taskfile.ListedTask) error {
	r.run.recovers = true
	if err := r.sparing(ctx, t); err != nil {
		return err
	}
	if returned, err := r.returned(ctx, t); err != nil || returned {
		return err
	}
	if err := r.attempts.unrebased(context.WithoutCancel(ctx), t); err != nil {
		return err
	}
	ended, err := r.cutOff(ctx, t)
	if err != nil {
		return err
	}
	if ended != nil {
		if err := r.recovered(t, taskfile.SettledFailed, words.FirstLine(ended.Why)); err != nil {
			return err
		}
		return r.rollback.fail(ctx, t, ended)
	}
	work, err := r.notes.work(ctx, t)
	if err != nil {
		return err
	}
	made, err := r.own.made(ctx, t)
	if err != nil {
		return err
	}
	if !t.Validation.Checks() {
		return r.unvalidated(ctx, t)
	}
	undone, err := r.own.undone(ctx, t, work)
	if err != nil {
		return err
	}
	traces := taskfile.Traces{Uncommitted: len(work) > 0 && !undone, Commits: len(made) > 0 && !undone, Checkpoints: len(t.Checkpoints) > 0}
	recovery, why := traces.Recovers()
	if recovery == taskfile.RecoverFail {
		if err := r.recovered(t, taskfile.SettledFailed, why); err != nil {
			return err
		}
		return r.rollback.fail(ctx, t, &failure{taskfile.CategorySessionTimeout, why})
	}
	failed, err := r.revalidate(ctx, t, work)
	if err != nil {
		return err
	}
	settled := recovery.Settle(failed == nil)
	if err := r.recovered(t, settled, why); err != nil {
		return err
	}
	switch settled {
	case taskfile.SettledFailed:
		return r.rollback.fail(ctx, t, failed)
	case taskfile.SettledResumed:
		r.run.done++
		return r.attempts.attempt(ctx, t)
	}
	again, err := r.attempts.commit(ctx, t)
	if err == nil && again {
		err = r.attempts.conclude(ctx, t)
	}
	return r.attempts.settle(ctx, t, err)
}

// returned gives a task back that was being given back when the run ended.
func (r recovery) returned(ctx context.Context, t taskfile.ListedTask) (bool, error) {
	b, _, err := r.notes.remembered(ctx, t)
	if err != nil || !b.Returning {
		return false, err
	}
	return true, errors.Join(r.recovered(t, "given back", "no attempt was to be spent"), r.rollback.giveBack(context.WithoutCancel(ctx), t))
}

// cutOff puts right what the agent of a killed run did to the repository, and returns why the attempt has failed already:
// what it did was worse than its work can be worth, or the kill came while the attempt was ended.
func (r recovery) cutOff(ctx context.Context, t taskfile.ListedTask) (*failure, error) {
	b, _, err := r.notes.remembered(ctx, t)
	if err != nil || b.Failing != nil {
		return b.Failing, err
	}
	if b.Flight == nil {
		return nil, nil
	}
	err = r.attempts.putRight(context.WithoutCancel(ctx), t, b.Flight.Dispatch, b.Flight.Was, b.Ended, nil)
	if err == nil || isFailure(err) {
		err = errors.Join(err, r.repo.Config.Record(ctx))
	}
	if failed, ok := errors.AsType[*failure](err); ok {
		return failed, nil
	}
	if err == nil {
		err = r.adopt(ctx, t, b.Ended)
	}
	return nil, err
}

// adopt lets every commit since the base count as the task's where the agent's stand below the user's, and could not be
// taken back.
func (r recovery) adopt(ctx context.Context, t taskfile.ListedTask, ended time.Time) error {
	_, foreign, err := r.own.commits(ctx, t)
	if err != nil || ended.IsZero() {
		return err
	}
	for _, c := range foreign {
		if !c.Made.After(ended) {
			return r.notes.change(ctx, t, func(b *before) { b.Adopted = true })
		}
	}
	return nil
}

// unvalidated is an interrupted task that nothing could show to be done. Passing over it means letting it go: while it is
// in progress, no other could be.
func (r recovery) unvalidated(ctx context.Context, t taskfile.ListedTask) error {
	if !r.attempts.settings.SkipUnvalidated {
		return r.withoutValidation(t.ID)
	}
	if err := r.recovered(t, "given back", "it has no validation"); err != nil {
		return err
	}
	return r.rollback.giveBack(ctx, t)
}

// revalidate runs the validation of an interrupted task on what is there. Nil is a pass.
func (r recovery) revalidate(ctx context.Context, t taskfile.ListedTask, work []git.Change) (*failure, error) {
	if err := r.notes.checking(ctx, t, work); err != nil {
		return nil, err
	}
	err := r.attempts.validate(ctx, t, work)
	if failed, ok := errors.AsType[*failure](err); ok {
		return failed, nil
	}
	return nil, err
}

func (r recovery) recovered(t taskfile.ListedTask, settled taskfile.Settled, why string) error {
	r.tell(t, string(settled), "%s was in progress: %s (%s).", t.ID, settled, why)
	return r.log("RECOVERY", t.ID, "", fmt.Sprintf("action=%q reason=%q", settled, why))
}
