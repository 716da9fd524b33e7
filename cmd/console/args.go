package console

import (
	"github.com/spf13/cobra"

	"autopilot/autopilot/words"
)

// OneSpec is the argument check of the commands that take a spec.
func OneSpec(c *cobra.Command, args []string) error {
	return Takes(1, "one spec")(c, args)
}

// MaySpec is the argument check of the commands that take a spec, or nothing where one session is open.
func MaySpec(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return UsageError("%s takes one session: %s", c.Name(), words.FirstLine(c.Example))
	}
	return nil
}

// First is the first argument; "" where there is none.
func First(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
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
