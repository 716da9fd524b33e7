package console

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

// Output is where a command prints its answer: lines for a person, or with --json one value for a program.
type Output struct {
	*Host
	JSON bool
}

// WithJSON gives a command the flag --json, which prints what is named.
func (o *Output) WithJSON(what string, c *cobra.Command) *cobra.Command {
	c.Flags().BoolVar(&o.JSON, "json", false, "print "+what)
	return c
}

// Encode prints a value for a program.
func (o *Output) Encode(v any) error { return json.NewEncoder(o.Out).Encode(v) }
