package console

import (
	"strings"

	"github.com/spf13/cobra"
)

// OneSpec is the argument check of the commands that take a spec.
func OneSpec(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return UsageError("%s takes one spec: %s", c.Name(), FirstLine(c.Example))
	}
	return nil
}

// FirstLine is the first line of a text, such as the one example that an error shows.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
