package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/validate"
	"autopilot/cmd/console"
)

func newTasksValidate(h *console.Host) *cobra.Command {
	o := &tasksOptions{host: h}
	c := &cobra.Command{
		Use: "validate [TASK]", Short: "Run a task's validation on the tree as it is now",
		Long:    "Changes nothing in the task file. Exit code 0: passed, 1: failed or could not be checked, 2: the task has no validation.",
		Example: "  autopilot tasks validate task-004", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runTasksValidate(c.Context(), o, args) },
	}
	o.flags(c)
	return c
}

func newTasksComplete(h *console.Host) *cobra.Command {
	o := &tasksOptions{host: h}
	c := &cobra.Command{
		Use: "complete [TASK]", Short: "Finish a task that you have: validate, commit, mark it completed",
		Long:    "Runs the task's validation; only when that passes, and something was changed, is the work committed and the task\ncompleted. Else everything stays as it is.",
		Example: "  autopilot tasks complete task-004", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runTasksEnd(c.Context(), o, args, "completed") },
	}
	o.flags(c)
	return c
}

func newTasksFail(h *console.Host) *cobra.Command {
	o := &tasksOptions{host: h}
	c := &cobra.Command{
		Use: "fail [TASK]", Short: "Give up an attempt at a task that you have",
		Long: "Runs the task's cleanup, keeps what was done under a ref below refs/autopilot/tasks, takes it out of the tree, and counts\n" +
			"the attempt.",
		Example: "  autopilot tasks fail task-004 --reason \"the API is down\"", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runTasksEnd(c.Context(), o, args, "failed") },
	}
	o.flags(c)
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
	if o.json {
		err = json.NewEncoder(o.host.Out).Encode(map[string]any{"task_id": id, "outcome": ev.Outcome, "exitCode": exit, "check": ev})
	} else {
		fmt.Fprintln(o.host.Err, console.Clean(strings.TrimSpace(ev.Output)))
		text := fmt.Sprintf("%s: %s (%.1f s)", id, strings.ReplaceAll(string(ev.Outcome), "-", " "), ev.Duration.Seconds())
		if ev.Reason != "" {
			text += ": " + ev.Reason
		}
		err = o.host.Say("%s", text)
	}
	if err != nil || exit == 0 {
		return err
	}
	return &console.CodedError{Code: exit}
}

// runTasksEnd completes or fails a task.
func runTasksEnd(ctx context.Context, o *tasksOptions, args []string, as string) error {
	p, cfg, id, err := o.task(ctx, args)
	if err != nil {
		return err
	}
	loop, locks, err := p.byHandLoop(ctx, cfg)
	if err != nil {
		return err
	}
	defer locks.close()
	if as == "completed" {
		err = loop.Complete(ctx, id)
	} else {
		err = loop.Fail(ctx, id, o.reason)
	}
	if err != nil {
		return err
	}
	text := "%s is completed."
	if as == "failed" {
		text = "%s was given up: the attempt counts, and what was done is kept under refs/autopilot/tasks."
	}
	return o.say(map[string]any{"task_id": id, "status": as}, text, id)
}
