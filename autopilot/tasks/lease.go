package tasks

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// claims are a worker's: renewed while it is at work, with the steps that it reached.
type claims struct {
	progress
	worker string
	lease  time.Duration
	alone  bool
	now    func() time.Time
	after  func(time.Duration) <-chan time.Time
}

// hold runs something and renews the claim meanwhile. A claim that is no longer this worker's ends it.
func (c claims) hold(ctx context.Context, t taskfile.ListedTask, run func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if err := c.renewing(ctx, t.ID, ended); err != nil {
			cancel(&lostError{err})
		}
	}()
	err := run(ctx)
	close(ended)
	<-gone
	defer cancel(nil)
	if lost, ok := context.Cause(ctx).(*lostError); ok { //nolint:errorlint // it is the cause itself
		return lost
	}
	return err
}

// renewalLook is how often the clock is looked at to renew a claim. A lease goes on while the machine is suspended, and a
// timer does not: after a wake-up the next look renews it.
const renewalLook = 5 * time.Second

// renewing renews a claim each third of its lease, until ended. The error says that it is another worker's.
func (c claims) renewing(ctx context.Context, id string, ended <-chan struct{}) error {
	third := c.lease / 3
	for last := c.now(); ; {
		select {
		case <-ended:
			return nil
		case <-c.after(min(third, renewalLook)):
		}
		now := c.now()
		if passed(last, now) < third {
			continue
		}
		if err := c.renew(ctx, id); taken(err) && !c.alone { // else nobody can take it: an agent wrote that
			return err
		}
		last = now
	}
}

// passed is the time between two readings of the clock: on the wall, or where that was set back, while the machine ran.
func passed(from, to time.Time) time.Duration {
	return max(to.Round(0).Sub(from.Round(0)), to.Sub(from))
}

func (c claims) renew(ctx context.Context, id string) error {
	err := c.file.Update(context.WithoutCancel(ctx), func(list *taskfile.TaskList) error {
		_, err := list.Renew(id, c.worker, c.now(), c.lease)
		return err
	})
	if err != nil && !taken(err) {
		c.say("warning", "The claim on %s could not be renewed: %v", id, err)
	}
	return err
}

// checkpointLine is how an agent reports a step.
var checkpointLine = lazyregexp.New(`^CHECKPOINT\s+(?:\[[^\]]*\]\s*)?step=(\d{1,6})/(\d{1,6})\s*(.*)$`)

// hear takes a step that the agent reports.
func (c claims) hear(ctx context.Context, t taskfile.ListedTask, line string) {
	if m := checkpointLine.FindStringSubmatch(line); m != nil {
		step, _ := strconv.Atoi(m[1])
		total, _ := strconv.Atoi(m[2])
		if err := c.reached(ctx, t.ID, step, total, strings.Trim(strings.TrimSpace(m[3]), `"`)); err != nil && !taken(err) {
			c.say("warning", "A step of %s could not be recorded: %v", t.ID, err)
		}
	}
}

// reached records a step in the file and in the log.
func (c claims) reached(ctx context.Context, id string, step, total int, description string) error {
	err := c.file.Update(ctx, func(list *taskfile.TaskList) error {
		return list.Reach(id, c.worker, taskfile.Milestone{Step: step, Total: total, Description: description, Timestamp: c.now()}, c.lease)
	})
	if err != nil {
		return err
	}
	return c.log("CHECKPOINT", id, "", fmt.Sprintf("step=%d/%d %q", step, total, description))
}

// mine says whether a task is in progress for this worker.
func (c claims) mine(_ *taskfile.TaskList, t taskfile.ListedTask) bool {
	return t.Status == machine.TaskRunning && t.ClaimedBy != nil && *t.ClaimedBy == c.worker
}
