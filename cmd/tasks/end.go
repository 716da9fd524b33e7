package tasks

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/tasks"
	"autopilot/autopilot/validate"
	"autopilot/cmd/console"
)

func newTasksValidate(h *console.Host) *cobra.Command {
	c, _ := newStep(h, runTasksValidate, &cobra.Command{
		Use: "validate [TASK]", Short: "Run a task's validation on the working tree",
		Long:    "Runs a task's validation; the task file doesn't change. " + yourTask + "\nExit code 0: passed, 1: failed or couldn't run, 2: the task has no validation.",
		Example: "  autopilot tasks validate task-004", Args: cobra.MaximumNArgs(1),
	})
	return c
}

func newTasksComplete(h *console.Host) *cobra.Command {
	c, _ := newStep(h, runTasksComplete, &cobra.Command{
		Use: "complete [TASK]", Short: "Validate and commit the task you claimed, and mark it completed",
		Long: "Runs the task's validation. If it passes and something changed, commits the work and marks the task completed. If it fails,\n" +
			"or nothing changed, the task stays in progress and your work stays as it is.\n" + yourTask + "\n" +
			"Exit code 0: completed, 1: not done yet, 2: the task isn't yours, or has no validation.",
		Example: "  autopilot tasks complete task-004", Args: cobra.MaximumNArgs(1),
	})
	return c
}

func newTasksFail(h *console.Host) *cobra.Command {
	c, o := newStep(h, runTasksFail, &cobra.Command{
		Use: "fail [TASK]", Short: "End your attempt at a task, and undo its changes",
		Long: "Ends your attempt at a task: runs its cleanup command and undoes its changes, which are kept under refs/autopilot/tasks. This\n" +
			"counts as an attempt; if any are left, the task can be tried again.\n" + yourTask,
		Example: "  autopilot tasks fail task-004 --reason \"the API is down\"", Args: cobra.MaximumNArgs(1),
	})
	c.Flags().StringVar(&o.reason, "reason", "given up", "why it failed; the next attempt gets this `TEXT`")
	return c
}

func runTasksValidate(ctx context.Context, o *tasksOptions, args []string) error {
	p, cfg, id, err := o.task(ctx, args)
	if err != nil {
		return err
	}
	loop, err := p.loop(ctx, cfg)
	if err != nil {
		return err
	}
	ev, err := loop.Validate(ctx, id)
	if err != nil {
		return notYours(id, err)
	}
	code := map[validate.Outcome]int{validate.Passed: 0, validate.NothingToRun: 2}
	exit, known := code[ev.Outcome]
	if !known {
		exit = 1
	}
	if o.JSON {
		err = o.Encode(map[string]any{"task_id": id, "outcome": ev.Outcome, "exitCode": exit, "check": ev})
	} else {
		fmt.Fprintln(o.Err, console.Clean(strings.TrimSpace(ev.Output)))
		text := fmt.Sprintf("%s: %s (%.1f s)", id, strings.ReplaceAll(string(ev.Outcome), "-", " "), ev.Duration.Seconds())
		if ev.Reason != "" {
			text += ": " + ev.Reason
		}
		err = o.Say("%s", text)
	}
	if err != nil || exit == 0 {
		return err
	}
	return &console.CodedError{Code: exit}
}

func runTasksComplete(ctx context.Context, o *tasksOptions, args []string) error {
	return o.end(ctx, args, "completed", "%s is completed.", (*tasks.Loop).Complete)
}

func runTasksFail(ctx context.Context, o *tasksOptions, args []string) error {
	return o.end(ctx, args, "failed", "%s was given up: the attempt counts, and what was done is kept under refs/autopilot/tasks.",
		func(loop *tasks.Loop, ctx context.Context, id string) error { return loop.Fail(ctx, id, o.reason) })
}

// end takes a task out of somebody's hands, and says so.
func (o *tasksOptions) end(ctx context.Context, args []string, status, text string, end func(*tasks.Loop, context.Context, string) error) error {
	p, cfg, id, err := o.task(ctx, args)
	if err != nil {
		return err
	}
	loop, locks, err := p.byHandLoop(ctx, cfg)
	if err != nil {
		return err
	}
	defer locks.close()
	if err := end(loop, ctx, id); err != nil {
		return err
	}
	return o.say(map[string]any{"task_id": id, "status": status}, text, id)
}
