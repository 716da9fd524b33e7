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
		Use: "validate [TASK]", Short: "Run a task's validation on the tree as it is now",
		Long:    "Changes nothing in the task file. Exit code 0: passed, 1: failed or could not be checked, 2: the task has no validation.",
		Example: "  autopilot tasks validate task-004", Args: cobra.MaximumNArgs(1),
	})
	return c
}

func newTasksComplete(h *console.Host) *cobra.Command {
	c, _ := newStep(h, runTasksComplete, &cobra.Command{
		Use: "complete [TASK]", Short: "Finish a task that you have: validate, commit, mark it completed",
		Long:    "Runs the task's validation; only when that passes, and something was changed, is the work committed and the task\ncompleted. Else everything stays as it is.",
		Example: "  autopilot tasks complete task-004", Args: cobra.MaximumNArgs(1),
	})
	return c
}

func newTasksFail(h *console.Host) *cobra.Command {
	c, o := newStep(h, runTasksFail, &cobra.Command{
		Use: "fail [TASK]", Short: "Give up an attempt at a task that you have",
		Long: "Runs the task's cleanup, keeps what was done under a ref below refs/autopilot/tasks, takes it out of the tree, and counts\n" +
			"the attempt.",
		Example: "  autopilot tasks fail task-004 --reason \"the API is down\"", Args: cobra.MaximumNArgs(1),
	})
	c.Flags().StringVar(&o.reason, "reason", "given up", "why, as `TEXT`: the next attempt reads it")
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
