package taskfile

import (
	"fmt"
	"slices"
	"time"

	"autopilot/autopilot/machine"
)

// ListError is why a task of a list cannot be had, or is not the worker's (any more).
type ListError string

// The values of ListError.
const (
	ErrNothingToDo ListError = "no task can begin"
	ErrNoTask      ListError = "task not found"
	ErrNotRunning  ListError = "task not in_progress"
	ErrNotYours    ListError = "task owned by other worker"
)

func (e ListError) Error() string { return string(e) }

// BusyError says that the list is worked through one task at a time, and one is in progress.
type BusyError struct{ ID, By string }

func (e *BusyError) Error() string {
	if e.By == "" {
		return e.ID + " is in progress"
	}
	return fmt.Sprintf("%s is in progress, claimed by %s", e.ID, e.By)
}

// Holder is the worker that has the task; "" where nobody claimed it by name.
func (t ListedTask) Holder() string {
	if t.ClaimedBy == nil {
		return ""
	}
	return *t.ClaimedBy
}

// Claiming is a worker's wish for a task.
type Claiming struct {
	Worker string
	Task   string // "": the next one
	Base   string // the commit that the work starts at; "" where there is none
	Now    time.Time
	Lease  time.Duration
}

// Claim gives a task to a worker. Errors: *BusyError, ErrNothingToDo, ErrNoTask.
func (l *TaskList) Claim(c Claiming) (ListedTask, error) {
	if !l.Config.IsConcurrent() {
		for _, t := range l.Tasks {
			if t.Status == machine.TaskRunning {
				return ListedTask{}, &BusyError{t.ID, t.Holder()}
			}
		}
	}
	t := l.view().best(c.Task)
	switch {
	case t == nil && c.Task != "" && l.Find(c.Task) == nil:
		return ListedTask{}, fmt.Errorf("%s: %w", c.Task, ErrNoTask)
	case t == nil:
		return ListedTask{}, ErrNothingToDo
	}
	t.Status, t.ClaimedBy, t.ClaimedAt = machine.TaskRunning, nameOf(c.Worker), second(c.Now)
	t.LeaseExpiresAt = end(c.Now, c.Lease)
	// What an earlier attempt started from, or reached, says nothing of this one.
	t.StartedAtCommit, t.Checkpoints, t.CompletedAt = nameOf(c.Base), nil, nil
	return *t, nil
}

// Held is a running task that a worker has; an unnamed claim is everybody's. Errors: ErrNoTask, ErrNotRunning,
// ErrNotYours. A lease that is past is still the worker's until somebody takes or reaps the task.
func (l *TaskList) Held(id, worker string) (*ListedTask, error) {
	t := l.Find(id)
	switch {
	case t == nil:
		return nil, ErrNoTask
	case t.Status != machine.TaskRunning:
		return nil, ErrNotRunning
	case t.Holder() != "" && t.Holder() != worker:
		return nil, ErrNotYours
	}
	return t, nil
}

// Renew lets a worker's lease start over. Errors are those of Held.
func (l *TaskList) Renew(id, worker string, now time.Time, lease time.Duration) (ListedTask, error) {
	t, err := l.Held(id, worker)
	if err != nil {
		return ListedTask{}, err
	}
	t.ClaimedBy, t.LeaseExpiresAt = nameOf(worker), end(now, lease)
	return *t, nil
}

// Reach notes a step inside a worker's task, and renews its lease. Errors are those of Held.
func (l *TaskList) Reach(id, worker string, m Milestone, lease time.Duration) error {
	t, err := l.Held(id, worker)
	if err != nil {
		return err
	}
	t.LeaseExpiresAt = end(m.Timestamp, lease)
	m.Timestamp = *second(m.Timestamp)
	t.Checkpoints = append(t.Checkpoints, m)
	return nil
}

// Past says whether a task is in progress under a lease that is over, and not for one of the workers that are known to
// be at work.
func (t ListedTask) Past(now time.Time, atWork ...string) bool {
	return t.Status == machine.TaskRunning && t.LeaseExpiresAt != nil && !t.LeaseExpiresAt.After(now) && !slices.Contains(atWork, t.Holder())
}

// Reap fails the tasks whose lease is past: whoever had them is gone, unless known to be at work. It returns them.
func (l *TaskList) Reap(now time.Time, atWork ...string) []ListedTask {
	var reaped []ListedTask
	for i := range l.Tasks {
		if t := &l.Tasks[i]; t.Past(now, atWork...) {
			t.Attempts, t.Outages = t.Attempts+1, 0
			t.fail(CategorySessionTimeout, fmt.Sprintf("Lease expired (claimed_by=%s)", t.Holder()), now)
			reaped = append(reaped, *t)
		}
	}
	return reaped
}

// Complete ends a worker's task as done. Errors are those of Held.
func (l *TaskList) Complete(id, worker, commit string, now time.Time) error {
	t, err := l.Held(id, worker)
	if err != nil {
		return err
	}
	t.Status, t.CompletedAt, t.Commit = machine.TaskCompleted, second(now), commit
	t.release()
	return nil
}

// Fail ends a worker's attempt at a task. With usedUp it is the last one: there is nothing that another could start from.
// Errors are those of Held.
func (l *TaskList) Fail(id, worker, category, message string, usedUp bool, now time.Time) error {
	t, err := l.Held(id, worker)
	if err != nil {
		return err
	}
	t.Attempts, t.Outages = t.Attempts+1, 0
	if usedUp {
		t.Attempts = max(t.Attempts, t.MaxAttempts)
	}
	t.fail(category, message, now)
	return nil
}

// Heard counts an outage of which the words of a worker's agent alone tell, and says whether that is one too many. Errors
// are those of Held.
func (l *TaskList) Heard(id, worker string) (enough bool, err error) {
	t, err := l.Held(id, worker)
	if err != nil {
		return false, err
	}
	if enough = t.Outages >= machine.MaxHeard; !enough {
		t.Outages++
	}
	return enough, nil
}

// GiveBack lets a worker's task go without an attempt spent, as after a limit: it waits again as it did before. Errors are
// those of Held.
func (l *TaskList) GiveBack(id, worker string) error {
	t, err := l.Held(id, worker)
	if err != nil {
		return err
	}
	t.Status = machine.TaskPending
	if t.Attempts > 0 && !t.exhausted() { // with none left it was pending: somebody had set it back by hand
		t.Status = machine.TaskFailed
	}
	t.release()
	return nil
}

func (t *ListedTask) fail(category, message string, now time.Time) {
	t.Status, t.FailedAt = machine.TaskFailed, second(now)
	t.ErrorLog = append(t.ErrorLog, fmt.Sprintf("[%s] %s", category, message))
	t.release()
}

func (t *ListedTask) release() { t.ClaimedBy, t.ClaimedAt, t.LeaseExpiresAt = nil, nil, nil }

// second is a time as the format writes it: in UTC, without fractions.
func second(t time.Time) *time.Time { return new(t.UTC().Truncate(time.Second)) }

// end is when a lease ends; rounded up, so that it is never shorter than it was wanted.
func end(begin time.Time, lease time.Duration) *time.Time {
	return second(begin.Add(lease + time.Second - 1))
}

// nameOf is a text that may be absent: "" is.
func nameOf(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
