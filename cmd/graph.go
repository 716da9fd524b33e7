package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

func newGraph(h *console.Host) *cobra.Command {
	tasks := false
	c := &cobra.Command{
		Use: "graph [SPEC.md]", Short: "Draw the state machine, or where a session is in it",
		Long:    "Prints a Mermaid diagram of the states of a session. With a spec it marks where its session is. With --tasks it draws the\ntasks of the current phase, grouped as --parallel would run them at the same time.",
		Example: "  autopilot graph\n  autopilot graph docs/spec.md\n  autopilot graph docs/spec.md --tasks", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if tasks && len(args) == 0 {
				return console.UsageError("--tasks needs a session: name its spec, as in autopilot graph docs/spec.md --tasks")
			}
			picture, err := machine.Diagram()
			if len(args) == 1 {
				var s machine.State
				if _, s, err = app.ReadSession(c.Context(), h, args[0]); err != nil {
					return err
				}
				if tasks && err == nil {
					return drawTasks(h, s)
				}
				picture, err = machine.DiagramAt(s.CurrentState)
			}
			if err == nil {
				_, err = fmt.Fprintln(h.Out, strings.TrimSpace(picture))
			}
			return err
		},
	}
	c.Flags().BoolVar(&tasks, "tasks", false, "draw the tasks of the current phase instead")
	return c
}

func drawTasks(h *console.Host, s machine.State) error {
	if len(s.Tasks) == 0 {
		return console.UsageError("the session has no tasks now: its phase has no plan yet, or it is done. How it stands: autopilot status %s", shell.QuotePath(s.SpecPath))
	}
	_, err := fmt.Fprint(h.Out, console.Clean(machine.TaskDiagram(s)))
	return err
}
