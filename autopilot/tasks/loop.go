// Package tasks works through a task file (harness-tasks.json): task by task an executor is dispatched, the program
// validates what it did, and commits it or takes it back. The rules of selection, leases and recovery are those of
// package machine; what is kept is kept in the file, so that a run can end anywhere and another goes on.
package tasks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/validate"
	"autopilot/personas"
	"autopilot/sessions/taskfile"
)

// Loop is one run over a task file.
type Loop struct {
	File     File
	Repo     *git.Repo
	Checks   validate.Runner
	Persona  personas.Persona // the executor
	Backends dispatch.Backends
	Mask     *personas.Mask // takes secrets out of what is sent and written; may be nil
	Report   journal.Reporter
	Now      func() time.Time
	NewID    func() string
	// After returns a channel that gets a value once the time has passed.
	After func(time.Duration) <-chan time.Time
	Sleep func(context.Context, time.Duration) error // returns early, with an error, when the context ends
	// KilledAt is when the last command ended whose run was killed while it was at work; zero: none is known of.
	KilledAt time.Time
	Worker   string // who claims: its name in claimed_by
	Root     string // the folder of the task file
	Dir      string // .harness/tasks: attempts, and what has to be known of the time before a task
	LockFile *os.File
	Live     io.Writer // the output of commands; may be nil
	Settings Settings
	Line     *Line // of a concurrent list; nil: the loop is the only worker
	Own      bool  // Repo is a working tree that the program made for this worker

	session    int
	run        tally // what was done so far
	spent      spent
	last       before          // that the user's files were saved for
	known      sync.Map        // notes, as JSON by ref
	awaited    string          // tasks of others that were told to be waited for
	takenOut   []string        // files of which it was said that a hook put them into a commit
	warned     sync.Map        // what was said of the clean working tree
	asked      proof.Last      // of it
	passedOver map[string]bool // tasks without a validation
	seen       firstSeen
	only       string // the one task to claim; "": the next
	late       late   // that a person's claim found
	byHand     bool   // by a person: a task without a validation can be claimed
}

// Run works until nothing can be done any more, or a limit is reached. Errors: *FailedError, *budget.LimitError,
// *halt.UsageError, *halt.CredentialsError, *halt.InterruptedError, *NotReadyError, those of File.
func (l *Loop) Run(ctx context.Context) error {
	l.passedOver, l.last = map[string]bool{}, before{} // that was of another tree where the run goes on as another worker
	l.known.Clear()
	l.parts().spending.beginSpending()
	if err := l.number(); err != nil {
		return err
	}
	l.session++
	if l.Line != nil { // beside others the next number is this run's only once it is counted
		if err := l.count(ctx); err != nil {
			return l.interrupted(ctx, err)
		}
	}
	if err := l.progress().log("LOCK", "", "", fmt.Sprintf("acquired (pid=%d)", os.Getpid())); err != nil {
		return err
	}
	err := l.together(ctx)
	if _, goesOn := errors.AsType[*LeftError](err); !goesOn {
		if l.spent.how.all.Ended > 0 {
			l.progress().say("metrics", "%s", l.Metrics())
		}
		err = errors.Join(err, l.progress().stats())
	}
	return errors.Join(l.interrupted(ctx, err), l.progress().log("LOCK", "", "", "released"))
}

// together works through the list beside others.
func (l *Loop) together(ctx context.Context) error {
	leave, err := l.parts().line.join(ctx)
	if err != nil {
		return err
	}
	return errors.Join(l.through(ctx), leave())
}

// through works through the list.
func (l *Loop) through(ctx context.Context) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	patience := budget.Patience{Now: l.Now, Sleep: l.Sleep, Longest: l.Settings.LongestWait, Say: func(text string, limit *budget.LimitError) {
		l.Report.Report(journal.Note{Event: "info", Text: text, Fields: limit.Fields()})
	}}
	for {
		before := l.spent.used.Dispatches
		more, err := l.next(ctx)
		if err != nil {
			more, err = l.parts().spending.waitOut(ctx, &patience, err)
		} else if l.spent.used.Dispatches > before {
			patience.Progress()
		}
		if err != nil || !more {
			return err
		}
	}
}

// interrupted gives an error its name where the run was called off from outside.
func (l *Loop) interrupted(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return &halt.InterruptedError{Cause: cause}
	}
	return err
}

// next works on one task, and says whether to go on.
func (l *Loop) next(ctx context.Context) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	list, err := l.File.Read()
	if err != nil {
		return false, err
	}
	if most := orDefault(list.Config.MaxTasksPerSession, taskfile.DefaultTasksPerSession); l.run.done >= most && (l.more(list) || list.Counts().Running > 0) {
		return false, &budget.LimitError{What: fmt.Sprintf("this run tried %s, as many as session_config.max_tasks_per_session allows\nGo on: autopilot tasks run", machine.Plural(l.run.done, "task", "tasks"))}
	}
	if err := l.parts().line.advance(ctx); err != nil {
		return false, err
	}
	if l.Line != nil { // what a worker that is gone had brought already is seen from the line's end
		if err := l.parts().recovery.recoverOrphans(ctx); err != nil {
			return false, err
		}
	}
	t, ok, err := l.claim(ctx)
	if err != nil {
		return false, err
	}
	if !ok {
		return l.waitOrEnd(ctx)
	}
	l.run.done++
	if err := branches.UnlockRefs(ctx, l.Repo, refOf(t.ID), l.Report); err != nil {
		return false, err
	}
	return true, l.parts().attempts.attempt(ctx, t)
}

// more says whether a task could begin.
func (l *Loop) more(list taskfile.TaskList) bool {
	return slices.ContainsFunc(list.Eligible(), func(t taskfile.ListedTask) bool {
		return t.Validation.Checks() || !l.Settings.SkipUnvalidated
	})
}

// waitOrEnd waits where other workers' tasks may still free some, and ends the loop where nothing can come any more.
func (l *Loop) waitOrEnd(ctx context.Context) (bool, error) {
	list, err := l.File.Read()
	if err != nil {
		return false, err
	}
	if list.Counts().Running == 0 || !list.Config.IsConcurrent() {
		return false, l.end(ctx, list)
	}
	if err := l.parts().line.left(ctx, list); err != nil {
		return false, err
	}
	if err := leaseless(list); err != nil {
		return false, err
	}
	l.await(list)
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-l.After(patience):
		return true, nil
	}
}

// leaseless refuses to wait for tasks of which nobody will ever know that their worker is gone.
func leaseless(list taskfile.TaskList) error {
	var ids []string
	for _, t := range list.Tasks {
		if t.Status == machine.TaskRunning && t.LeaseExpiresAt != nil {
			return nil
		} else if t.Status == machine.TaskRunning {
			ids = append(ids, t.ID)
		}
	}
	return &halt.UsageError{Message: fmt.Sprintf("in progress, but no worker has claimed it: %s\nIf nobody is working on it, set its \"status\" to \"pending\" in harness-tasks.json, then: autopilot tasks run", strings.Join(ids, ", "))}
}

// await tells once for which tasks of others the worker waits.
func (l *Loop) await(list taskfile.TaskList) {
	var ids, claims []string
	for _, t := range list.Tasks {
		if t.Status != machine.TaskRunning {
			continue
		}
		claim := t.ID
		if t.LeaseExpiresAt != nil {
			claim += t.LeaseExpiresAt.Local().Format(" (claimed until 15:04)")
		}
		ids, claims = append(ids, t.ID), append(claims, claim)
	}
	if text := strings.Join(ids, ", "); text != l.awaited {
		l.awaited = text
		l.progress().say("info", "Waiting for tasks of other workers: %s", strings.Join(claims, ", "))
	}
}

// patience is how long a worker that finds nothing to do waits before it looks again.
const patience = 200 * time.Millisecond

func orDefault(n, other int) int {
	if n <= 0 {
		return other
	}
	return n
}
