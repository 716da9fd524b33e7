package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
)

func newGraph(h *Host) *cobra.Command {
	return &cobra.Command{
		Use: "graph [SPEC.md]", Short: "Draw the states as a Mermaid diagram; with a spec, where its session stands",
		Example: "  autopilot graph\n  autopilot graph docs/spec.md", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			picture, err := machine.Diagram()
			if len(args) == 1 {
				var s machine.State
				if s, err = readSession(c.Context(), h, args[0]); err != nil {
					return err
				}
				picture, err = machine.DiagramAt(s.CurrentState)
			}
			if err == nil {
				_, err = fmt.Fprintln(h.Out, picture)
			}
			return err
		},
	}
}
