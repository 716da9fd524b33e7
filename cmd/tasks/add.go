package tasks

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions/taskfile"
)

type tasksAddOptions struct {
	console.Output
	priority, validation, cleanup, description string
	dependsOn                                  []string
	timeout, maxAttempts                       int
	given                                      *pflag.FlagSet
}

// validationSeconds is the time-out that a new task gets.
const validationSeconds = 300

func newTasksAdd(h *console.Host) *cobra.Command {
	o := &tasksAddOptions{Output: console.Output{Host: h}}
	c := o.WithJSON("the task as one JSON object", &cobra.Command{
		Use: "add TITLE", Short: "Add a task",
		Long:    "Adds a task with the next number. At a terminal it asks for everything that you don't give as a flag.",
		Example: "  autopilot tasks add \"Add rate limiting\" --priority P0 --depends-on task-001 --validation \"go test ./limit\" --timeout 120",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return runTasksAdd(c.Context(), o, strings.TrimSpace(strings.Join(args, " ")))
		},
	})
	f := c.Flags()
	o.given = f
	f.StringVar(&o.priority, "priority", "P1", "the task's `PRIORITY`: P0 (first), P1 or P2")
	f.StringSliceVar(&o.dependsOn, "depends-on", nil, "complete these `TASKS` first: their ids, separated by commas")
	f.StringVar(&o.validation, "validation", "", "the `COMMAND` that passes when the task is done; without one, tasks run stops at this task")
	f.IntVar(&o.timeout, "timeout", validationSeconds, "stop the validation after this many `SECONDS`")
	f.IntVar(&o.maxAttempts, "max-attempts", taskfile.DefaultListedAttempts, "try the task at most `N` times")
	f.StringVar(&o.cleanup, "cleanup", "", "run this `COMMAND` after a failed attempt")
	f.StringVar(&o.description, "description", "", "give the agent this `TEXT`: what it needs to know")
	return c
}

func runTasksAdd(ctx context.Context, o *tasksAddOptions, title string) error {
	if title == "" {
		return console.UsageError("a task needs a title: autopilot tasks add \"Add rate limiting\"")
	}
	p, err := findTasks(ctx, o.Host)
	if err != nil {
		return err
	}
	now, err := p.read()
	if err == nil {
		err = o.check(now)
	}
	if err != nil {
		return err
	}
	if o.Terminal && !o.JSON {
		o.ask(bufio.NewScanner(o.In), now)
	}
	var added taskfile.ListedTask
	err = p.update(ctx, func(list *taskfile.TaskList) error {
		if err := o.setDependsOn(o.dependsOn, *list); err != nil {
			return err
		}
		added = o.task(list.NextID(), title)
		list.Tasks = append(list.Tasks, added)
		return nil
	})
	if err != nil {
		return err
	}
	p.trustAdded(ctx, added)
	if o.JSON {
		return o.Encode(added)
	}
	if !added.Validation.Checks() {
		return o.Say("Added %s: %s. It has no validation: a run stops at it.", added.ID, added.Title)
	}
	return o.Say("Added %s: %s. Start: autopilot tasks run", added.ID, added.Title)
}

func (o *tasksAddOptions) task(id, title string) taskfile.ListedTask {
	t := taskfile.Whole(taskfile.ListedTask{
		ID: id, Title: title, Description: o.description, Status: machine.TaskPending, Priority: o.priority, DependsOn: o.dependsOn, MaxAttempts: o.maxAttempts,
		Validation: taskfile.ListedValidation{Command: o.validation, TimeoutSeconds: o.timeout},
	})
	if o.cleanup != "" {
		t.OnFailure.Cleanup = &o.cleanup
	}
	return t
}

// check takes what the flags gave as it was meant, and refuses what means nothing.
func (o *tasksAddOptions) check(list taskfile.TaskList) error {
	if o.timeout <= 0 || o.maxAttempts <= 0 {
		return console.UsageError("--timeout and --max-attempts are at least 1")
	}
	if err := o.setPriority(o.priority); err != nil {
		return err
	}
	return o.setDependsOn(o.dependsOn, list)
}

func (o *tasksAddOptions) setPriority(text string) error {
	priority := strings.ToUpper(strings.TrimSpace(text))
	if !slices.Contains([]string{"P0", "P1", "P2"}, priority) {
		return console.UsageError("priority %q is none of P0, P1, P2", text)
	}
	o.priority = priority
	return nil
}

// setDependsOn takes ids, each once.
func (o *tasksAddOptions) setDependsOn(given []string, list taskfile.TaskList) error {
	var ids []string
	for _, id := range given {
		id = strings.TrimSpace(id)
		if id == "" || slices.Contains(ids, id) {
			continue
		}
		if list.Find(id) == nil {
			return console.UsageError("there is no %s to depend on. See: autopilot tasks list", id)
		}
		ids = append(ids, id)
	}
	o.dependsOn = ids
	return nil
}

func (o *tasksAddOptions) setTimeout(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return console.UsageError("%q is no number of seconds, such as 300", text)
	}
	o.timeout = n
	return nil
}

// ask asks for what no flag gave; an empty answer keeps what stands in brackets.
func (o *tasksAddOptions) ask(in *bufio.Scanner, list taskfile.TaskList) {
	o.askFor(in, "priority", "Priority, P0 to P2", o.priority, o.setPriority)
	o.askFor(in, "depends-on", "Depends on (ids, with commas)", "none", func(s string) error {
		return o.setDependsOn(strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }), list)
	})
	o.askFor(in, "validation", "Command that shows that it is done", "none", func(s string) error {
		o.validation = s
		return nil
	})
	if (taskfile.ListedValidation{Command: o.validation}).Checks() {
		o.askFor(in, "timeout", "Seconds that it may take", strconv.Itoa(o.timeout), o.setTimeout)
	}
}

// askFor asks until an answer can be taken.
func (o *tasksAddOptions) askFor(in *bufio.Scanner, flag, question, standing string, take func(string) error) {
	for !o.given.Changed(flag) {
		fmt.Fprint(o.Err, console.Wrapped(fmt.Sprintf("%s [%s]: ", question, standing), o.Columns(), 0))
		if !in.Scan() {
			return
		}
		answer := strings.TrimSpace(in.Text())
		if answer == "" {
			return
		}
		err := take(answer)
		if err == nil {
			return
		}
		fmt.Fprintln(o.Err, console.Told(console.Clean(err.Error()), o.Columns()))
	}
}
