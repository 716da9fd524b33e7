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
		Long:    "Leaves the task file as it is. Exit code 0: passed, 1: failed or could not run, 2: the task has no validation.",
		Example: "  autopilot tasks validate task-004", Args: cobra.MaximumNArgs(1),
	})
	return c
}

func newTasksComplete(h *console.Host) *cobra.Command {
	c, _ := newStep(h, runTasksComplete, &cobra.Command{
		Use: "complete [TASK]", Short: "Validate and commit the task you claimed, and mark it completed",
		Long:    "Runs the task's validation. If it passes and something was changed, commits the work and marks the task completed;\notherwise nothing changes.",
		Example: "  autopilot tasks complete task-004", Args: cobra.MaximumNArgs(1),
	})
	return c
}

func newTasksFail(h *console.Host) *cobra.Command {
	c, o := newStep(h, runTasksFail, &cobra.Command{
		Use: "fail [TASK]", Short: "Give up the task you claimed, and remove its changes from the tree",
		Long: "Runs the task's cleanup command and removes the task's changes from the working tree. They are kept under\n" +
			"refs/autopilot/tasks. The attempt counts.",
		Example: "  autopilot tasks fail task-004 --reason \"the API is down\"", Args: cobra.MaximumNArgs(1),
	})
	c.Flags().StringVar(&o.reason, "reason", "given up", "why, as `TEXT` for the next attempt")
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
