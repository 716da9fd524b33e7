package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
)

func newGraph(h *Host) *cobra.Command {
	return &cobra.Command{
		Use: "graph [SPEC.md]", Short: "Draw the states; with a spec, where its session stands",
		Long:    "Prints a Mermaid diagram of the states; with a spec, a flow chart that marks where its session stands.",
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
				_, err = fmt.Fprintln(h.Out, strings.TrimSpace(picture))
			}
			return err
		},
	}
}
