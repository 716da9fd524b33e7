package tasks

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"autopilot/cmd/console"
	"autopilot/sessions/taskfile"
)

// tasksOptions are the flags that the commands for one step share.
type tasksOptions struct {
	console.Output
	worker, reason, id string
	lease              time.Duration
	given              *pflag.FlagSet
}

// newStep makes a command for one step, with the flags that all of them have.
func newStep(h *console.Host, run func(context.Context, *tasksOptions, []string) error, c *cobra.Command) (*cobra.Command, *tasksOptions) {
	o := &tasksOptions{Output: console.Output{Host: h}, given: c.Flags()}
	o.given.StringVar(&o.worker, "worker", "", "work as `NAME` (default HARNESS_WORKER_ID, else this machine's name)")
	c.RunE = func(c *cobra.Command, args []string) error { return run(c.Context(), o, args) }
	return o.WithJSON("one JSON object", c), o
}

// yourTask is which task a command is about that names none.
const yourTask = "Without TASK it's HARNESS_TASK_ID, else the task you claimed."

func newTasksClaim(h *console.Host) *cobra.Command {
	c, o := newStep(h, runTasksClaim, &cobra.Command{
		Use: "claim [TASK]", Short: "Claim the next task, to do it yourself",
		Long:    "Claims the next task that can start, or the one you name. Exit code 0: claimed, 1: no task can start.",
		Example: "  autopilot tasks claim\n  autopilot tasks claim task-004 --worker alice --lease 1h", Args: cobra.MaximumNArgs(1),
	})
	c.Flags().DurationVar(&o.lease, "lease", 0, "how long your claim lasts unless you renew it: a `TIME` such as 1h (default HARNESS_LEASE_SECONDS, else 30m)")
	return c
}

func newTasksRenew(h *console.Host) *cobra.Command {
	c, o := newStep(h, runTasksRenew, &cobra.Command{
		Use: "renew [TASK]", Short: "Extend your claim on a task", Long: "Extends your claim on a task. " + yourTask, Example: "  autopilot tasks renew task-004 --lease 1h", Args: cobra.MaximumNArgs(1),
	})
	c.Flags().DurationVar(&o.lease, "lease", 0, "how long your claim lasts from now: a `TIME` such as 1h (default HARNESS_LEASE_SECONDS, else 30m)")
	return c
}

func newTasksCheckpoint(h *console.Host) *cobra.Command {
	c, o := newStep(h, runTasksCheckpoint, &cobra.Command{
		Use: "checkpoint STEP/TOTAL [TEXT]", Short: "Save how far you are with the task you claimed",
		Long: "Saves how far you are with a task, so that the next attempt can see it, and renews your claim. It isn't a checkpoint of a\n" +
			"plan: nobody is asked.",
		Example: "  autopilot tasks checkpoint 2/4 \"routes written, tests to come\"",
		Args:    cobra.MinimumNArgs(1),
	})
	c.Flags().StringVar(&o.id, "task", "", "the task's `ID` (default HARNESS_TASK_ID, else the task you claimed)")
	return c
}

func runTasksClaim(ctx context.Context, o *tasksOptions, args []string) error {
	p, cfg, err := o.place(ctx)
	if err != nil {
		return err
	}
	loop, locks, err := p.byHandLoop(ctx, cfg)
	if err != nil {
		return err
	}
	defer locks.close()
	t, ok, err := loop.Claim(ctx, strings.Join(args, ""))
	if err != nil {
		return err
	}
	if o.JSON {
		object := map[string]any{"claimed": ok}
		if ok {
			object = map[string]any{
				"claimed": true, "worker_id": cfg.worker, "task_id": t.ID, "title": t.Title, "lease_expires_at": t.LeaseExpiresAt,
				"started_at_commit": t.StartedAtCommit, "validation": t.Validation.Command,
			}
		}
		err = o.Encode(object)
	} else if ok {
		shows := t.Validation.Command
		if !t.Validation.Checks() {
			shows = "(it has no validation)"
		}
		err = o.Say("%s is %s's until %s: %s\nDone when this passes: %s\nThen: autopilot tasks complete %s", t.ID, cfg.worker,
			t.LeaseExpiresAt.Local().Format("15:04"), t.Title, shows, t.ID)
	} else {
		err = o.Say("No task can begin now. See: autopilot tasks status")
	}
	if err == nil && !ok {
		return &console.CodedError{Code: 1}
	}
	return err
}

// place finds the task file, and the settings of a single step.
func (o *tasksOptions) place(ctx context.Context) (*taskPlace, taskSettings, error) {
	if o.given.Changed("lease") && o.lease <= 0 {
		return nil, taskSettings{}, console.UsageError("--lease is a time above 0, such as 30m or 1h, and not %s", o.lease)
	}
	p, err := findTasks(ctx, o.Host)
	if err != nil {
		return nil, taskSettings{}, err
	}
	cfg, err := p.byHand(ctx, o.worker, o.lease)
	return p, cfg, err
}

// task is the place with the task that a command is about.
func (o *tasksOptions) task(ctx context.Context, args []string) (*taskPlace, taskSettings, string, error) {
	p, cfg, err := o.place(ctx)
	if err != nil {
		return nil, cfg, "", err
	}
	id, err := p.task(args, cfg.worker)
	return p, cfg, id, err
}

// say prints what was done, with --json as an object.
func (o *tasksOptions) say(object map[string]any, format string, args ...any) error {
	if o.JSON {
		return o.Encode(object)
	}
	return o.Say(format, args...)
}

func runTasksRenew(ctx context.Context, o *tasksOptions, args []string) error {
	p, cfg, id, err := o.task(ctx, args)
	if err != nil {
		return err
	}
	var t taskfile.ListedTask
	if err := p.update(ctx, func(list *taskfile.TaskList) (err error) {
		t, err = list.Renew(id, cfg.worker, o.Now(), cfg.Lease)
		return err
	}); err != nil {
		return notYours(id, err)
	}
	return o.say(map[string]any{"renewed": true, "task_id": id, "lease_expires_at": t.LeaseExpiresAt}, "%s is %s's until %s.", id, cfg.worker, t.LeaseExpiresAt.Local().Format("15:04"))
}

func runTasksCheckpoint(ctx context.Context, o *tasksOptions, args []string) error {
	p, cfg, id, err := o.task(ctx, []string{o.id}[:min(len(o.id), 1)])
	if err != nil {
		return err
	}
	step, total, err := stepOf(args[0])
	if err != nil {
		return err
	}
	loop, err := p.loop(ctx, cfg)
	if err != nil {
		return err
	}
	if err := loop.Reach(ctx, id, step, total, strings.Join(args[1:], " ")); err != nil {
		return notYours(id, err)
	}
	return o.say(map[string]any{"task_id": id, "step": step, "total": total}, "%s: step %d of %d.", id, step, total)
}

// notYours says what to do about a task that is not the worker's; other errors explain themselves.
func notYours(id string, err error) error {
	if _, ok := errors.AsType[taskfile.ListError](err); !ok {
		return err
	}
	return console.UsageError("%s: %v. See who has what: autopilot tasks status", id, err)
}

// stepOf reads "2/4".
func stepOf(text string) (step, total int, err error) {
	before, after, ok := strings.Cut(text, "/")
	step, err1 := strconv.Atoi(before)
	total, err2 := strconv.Atoi(after)
	if !ok || err1 != nil || err2 != nil || step < 1 || total < step {
		return 0, 0, console.UsageError("%q is no step: write it as 2/4, the second of four", text)
	}
	return step, total, nil
}
