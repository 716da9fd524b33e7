package tasks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/cmd/console"
	"autopilot/sessions/taskfile"
)

func newTasksImport(h *console.Host) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Import the features of another program's tasks.json",
		Long: "Adds each entry of features[] in the file as a task, and creates the task file if there is none. done becomes completed;\n" +
			"testing and in_progress become pending; priority 1 becomes P0, 2 becomes P1, the rest P2. Ids and all other keys are kept.\n" +
			"You can import the same file again: features that are already in the task file don't change.",
		Example: "  autopilot tasks import tasks.json", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runTasksImport(c.Context(), h, args[0]) },
	}
}

func runTasksImport(ctx context.Context, h *console.Host, file string) error {
	data, err := plainfile.Read(h.Path(file))
	if err != nil {
		return console.UsageError("can't read %s: %v\nName the tasks.json to import", file, err)
	}
	features, err := taskfile.ReadFeatures(data)
	if err != nil {
		return console.UsageError("%s: %v", file, err)
	}
	p, err := findOrBeginTasks(ctx, h)
	if err != nil {
		return err
	}
	got, err := p.store.Import(ctx, features)
	if err != nil {
		return &halt.UsageError{Message: fmt.Sprintf("%s: %v", file, err), Err: err}
	}
	p.tellRepaired()
	return p.tellImported(got)
}

// findOrBeginTasks finds the task file, or begins one where init would.
func findOrBeginTasks(ctx context.Context, h *console.Host) (*taskPlace, error) {
	if root, ok := taskfile.Find(h.Getenv, h.Dir); ok {
		return trustedTasksAt(ctx, h, root)
	}
	p, _, err := tasksHere(ctx, h)
	if err != nil {
		return nil, err
	}
	return p, p.begin(taskfile.Exclusive)
}

// tellImported says what came of an import, and what of it needs a person.
func (p *taskPlace) tellImported(got taskfile.Imported) error {
	added := "Nothing to add. See: autopilot tasks status"
	if got.Added > 0 {
		added = fmt.Sprintf("Added %s. See: autopilot tasks status", machine.Plural(got.Added, "task", "tasks"))
	}
	err := p.host.Say("%s", added)
	if got.Bare > 0 {
		err = errors.Join(err, p.host.Say("%s without a validation, where a run stops: give them a validation.command in %s.",
			machine.Plural(got.Bare, "task is", "tasks are"), taskfile.FileName))
	}
	if len(got.There) > 0 {
		err = errors.Join(err, p.host.Say("In the list already, and left as they are: %s.", someOf(got.There)))
	}
	if len(got.LeftOut) > 0 {
		err = errors.Join(err, p.host.Say("Left out, because the task file has keys of its own with these names: %s.", someOf(got.LeftOut)))
	}
	if len(got.Missing) > 0 {
		err = errors.Join(err, p.host.Say("The list lacks what these wait for, and they can never begin: %s.\nCorrect depends_on in %s, or add what is missing.",
			someOf(got.Missing), taskfile.FileName))
	}
	return err
}

// someOf lists the first few of many names.
func someOf(names []string) string {
	const few = 8
	if len(names) <= few {
		return console.Clean(strings.Join(names, ", "))
	}
	return console.Clean(fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few))
}
