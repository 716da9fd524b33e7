package cmd

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/machine"
)

func newTasksImport(h *Host) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Take over the features of a tasks.json",
		Long: "Adds the features[] of another program's tasks.json as tasks: done becomes completed, testing and in_progress become\n" +
			"pending; priority 1 becomes P0, 2 P1, others P2; ids and other keys stay.",
		Example: "  autopilot tasks import tasks.json", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runTasksImport(c.Context(), h, args[0]) },
	}
}

func runTasksImport(ctx context.Context, h *Host, file string) error {
	p, err := findTasks(h)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(h.path(file))
	if err != nil {
		return usageError("cannot read %s: %v", file, err)
	}
	added, err := p.store.Import(ctx, data)
	if err != nil {
		return &autopilot.UsageError{Message: fmt.Sprintf("%s: %v", file, err), Err: err}
	}
	return h.say("Added %s. See: autopilot tasks status", machine.Plural(added, "task", "tasks"))
}
