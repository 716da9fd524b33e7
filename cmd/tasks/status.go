package tasks

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions/taskfile"
)

func newTasksStatus(h *console.Host) *cobra.Command {
	o := &console.Output{Host: h}
	return o.WithJSON("one JSON object", &cobra.Command{
		Use: "status", Short: "Show the progress of the task file", Example: "  autopilot tasks status\n  autopilot tasks status --json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runTasksStatus(c.Context(), o) },
	})
}

func newTasksList(h *console.Host) *cobra.Command {
	o := &console.Output{Host: h}
	return o.WithJSON("one JSON object per line", &cobra.Command{
		Use: "list", Short: "List the tasks", Example: "  autopilot tasks list\n  autopilot tasks list --json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runTasksList(c.Context(), o) },
	})
}

// logTail is how many lines of the log the status shows.
const logTail = 5

func runTasksStatus(ctx context.Context, o *console.Output) error {
	p, err := findTasks(ctx, o.Host)
	if err != nil {
		return err
	}
	list, err := p.readToWork()
	if err != nil {
		return err
	}
	counts, log := list.Counts(), p.store.LastLines(logTail)
	next, has := list.Next()
	if o.JSON {
		object := map[string]any{
			"root": p.root, "total": counts.Total, "completed": counts.Completed, "failed": counts.Failed, "pending": counts.Pending,
			"inProgress": counts.Running, "blocked": counts.Blocked, "attempts": counts.Attempts, "checkpoints": counts.Checkpoints,
			"sessionCount": list.SessionCount, "maxSessions": list.Config.MaxSessions, "mode": cmp.Or(list.Config.ConcurrencyMode, taskfile.Exclusive),
			"active": p.store.Active(), "tasks": wholeTasks(list.Tasks), "log": append([]string{}, log...), "next": nil,
		}
		if has {
			object["next"] = next.ID
		}
		return o.Encode(object)
	}
	w, width := bufio.NewWriter(o.Out), o.OutWidth()
	fmt.Fprintln(w, console.Told(fmt.Sprintf("%s: %d completed, %d in progress, %d pending (%d blocked), %d failed; %s so far", machine.Plural(counts.Total, "task", "tasks"),
		counts.Completed, counts.Running, counts.Pending, counts.Blocked, counts.Failed, machine.Plural(list.SessionCount, "run", "runs")), width))
	for _, t := range list.Tasks {
		fmt.Fprintln(w, taskLine(t, width))
	}
	for _, wrong := range list.Miswritten() {
		fmt.Fprintln(w, console.Told(taskfile.FileName+": "+console.Clean(wrong)+", and can never begin", width))
	}
	doubled := list.Doubled()
	for _, double := range doubled {
		fmt.Fprintln(w, console.Told(taskfile.FileName+": "+console.Clean(double)+"; no run begins before each has its own", width))
	}
	if len(log) > 0 {
		fmt.Fprintln(w, "\nThe log, "+taskfile.ProgressName+":")
		for _, line := range log {
			fmt.Fprintln(w, console.Wrapped("  "+console.Clean(line), width, 4))
		}
	}
	if has && len(doubled) == 0 {
		fmt.Fprintln(w, "\n"+console.Told(fmt.Sprintf("Next: %s. Go on: autopilot tasks run", console.Clean(next.ID)), width))
	}
	return w.Flush()
}

func runTasksList(ctx context.Context, o *console.Output) error {
	p, err := findTasks(ctx, o.Host)
	if err != nil {
		return err
	}
	list, err := p.read()
	if err != nil {
		return err
	}
	w, width := bufio.NewWriter(o.Out), o.OutWidth()
	enc := json.NewEncoder(w)
	for _, t := range wholeTasks(list.Tasks) {
		if o.JSON {
			err = enc.Encode(t)
		} else {
			_, err = fmt.Fprintln(w, taskLine(t, width))
		}
		if err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(list.Tasks) == 0 && !o.JSON {
		return o.Say("No tasks yet. Add one: autopilot tasks add \"What is to be done\" --validation \"go test ./...\"")
	}
	return nil
}

// wholeTasks are tasks as scripts want them.
func wholeTasks(list []taskfile.ListedTask) []taskfile.ListedTask {
	all := make([]taskfile.ListedTask, len(list))
	for i, t := range list {
		all[i] = taskfile.Whole(t)
	}
	return all
}

// titleColumn is where the titles of tasks begin.
const titleColumn = 30

// taskLine is a task in one line: id, status, priority, attempts, title, and what stands in its way.
func taskLine(t taskfile.ListedTask, width int) string {
	text := t.Title
	switch {
	case t.Status == machine.TaskRunning && t.ClaimedBy != nil:
		text += " (" + *t.ClaimedBy + ")"
	case t.Status == machine.TaskFailed && len(t.ErrorLog) > 0:
		text += ": " + t.ErrorLog[len(t.ErrorLog)-1]
	case t.Status == machine.TaskPending && len(t.DependsOn) > 0:
		text += " (after " + strings.Join(t.DependsOn, ", ") + ")"
	}
	line := fmt.Sprintf("%-9s %-11s %-2s %d/%d  %s", cmp.Or(console.OneLine(t.ID), "(no id)"), strings.ReplaceAll(console.OneLine(t.Status), "_", " "), t.Priority, t.Attempts, t.MaxAttempts,
		console.OneLine(text))
	return console.Wrapped(console.Clean(line), width, titleColumn)
}
