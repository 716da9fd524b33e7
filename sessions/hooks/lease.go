package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"autopilot/sessions/taskfile"
)

// DefaultLease is how long a claim lasts, where HARNESS_LEASE_SECONDS says nothing else; a year is the most.
const (
	DefaultLease = 30 * time.Minute
	longestLease = 365 * 24 * time.Hour
)

// Lease reads HARNESS_LEASE_SECONDS. What is no positive number counts as not said.
func Lease(seconds string) time.Duration {
	n, err := strconv.ParseInt(seconds, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0, n > int64(longestLease/time.Second):
		return longestLease
	case err != nil || n <= 0:
		return DefaultLease
	}
	return time.Duration(n) * time.Second
}

// The errors of claim and renew that name a variable.
var (
	errNoRoot   = errors.New("state root not found")
	errNoWorker = errors.New("missing HARNESS_WORKER_ID")
	errNoTask   = errors.New("missing task_id")
)

// claimed is the answer of claim.
type claimed struct {
	Claimed bool       `json:"claimed"`
	Worker  string     `json:"worker_id,omitempty"`
	Task    string     `json:"task_id,omitempty"`
	Title   string     `json:"title,omitempty"`
	Lease   *time.Time `json:"lease_expires_at,omitempty"`
	Error   string     `json:"error,omitempty"`
}

// renewed is the answer of renew.
type renewed struct {
	Renewed bool       `json:"renewed"`
	Task    string     `json:"task_id,omitempty"`
	Lease   *time.Time `json:"lease_expires_at,omitempty"`
	Error   string     `json:"error,omitempty"`
}

// claim hands the next task to a worker. Leases that are past are reaped first, which stays also where there is nothing
// to hand out.
func (h *Hooks) claim(ctx context.Context, root string) Answer {
	if root == "" {
		return Answer{Out: line(claimed{Error: errNoRoot.Error()})}
	}
	var got taskfile.ListedTask
	worker, base := h.worker(), ""
	if h.Base != nil {
		base = h.Base(ctx)
	}
	refused := errNoWorker
	err := h.Open(root).Update(ctx, func(list *taskfile.TaskList) error {
		now := h.Now()
		list.Reap(now)
		if list.Config.IsConcurrent() && worker == "" {
			return nil
		}
		worker = cmp.Or(worker, h.Process)
		got, refused = list.Claim(taskfile.Claiming{Worker: worker, Base: base, Now: now, Lease: Lease(h.Getenv("HARNESS_LEASE_SECONDS"))})
		if t := list.Find(got.ID); refused == nil && t != nil && base == "" {
			t.StartedAtCommit = nil
		}
		return nil
	})
	switch {
	case err != nil:
		return Answer{Out: line(claimed{Error: err.Error()})}
	case errors.Is(refused, taskfile.ErrNothingToDo):
		return Answer{Out: line(claimed{})}
	case refused != nil:
		return Answer{Out: line(claimed{Error: refused.Error()})}
	}
	return Answer{Out: line(claimed{Claimed: true, Worker: worker, Task: got.ID, Title: got.Title, Lease: got.LeaseExpiresAt})}
}

// renew lets the lease of a worker's task start over.
func (h *Hooks) renew(ctx context.Context, in Input, root string) Answer {
	got, err := h.extend(ctx, root, cmp.Or(h.Getenv("HARNESS_TASK_ID"), in.TaskID), h.worker())
	if err != nil {
		return Answer{Out: line(renewed{Error: err.Error()})}
	}
	return Answer{Out: line(renewed{Renewed: true, Task: got.ID, Lease: got.LeaseExpiresAt})}
}

func (h *Hooks) extend(ctx context.Context, root, task, worker string) (got taskfile.ListedTask, err error) {
	switch {
	case root == "":
		return got, errNoRoot
	case task == "":
		return got, errNoTask
	case worker == "":
		return got, errNoWorker
	}
	err = h.Open(root).Update(ctx, func(list *taskfile.TaskList) (err error) {
		got, err = list.Renew(task, worker, h.Now(), Lease(h.Getenv("HARNESS_LEASE_SECONDS")))
		return err
	})
	return got, err
}

// Process names a worker that has no other name: "host:pid".
func Process(host string, pid int) string { return fmt.Sprintf("%s:%d", host, pid) }
