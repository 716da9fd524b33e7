package console

import (
	"github.com/spf13/cobra"

	"autopilot/autopilot/words"
)

// OneSpec is the argument check of the commands that take a spec.
func OneSpec(c *cobra.Command, args []string) error {
	return Takes(1, "one spec")(c, args)
}

// Takes is the argument check of the commands that take n arguments, which it names by what they are.
func Takes(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return UsageError("%s takes %s: %s", c.Name(), what, words.FirstLine(c.Example))
		}
		return nil
	}
}
