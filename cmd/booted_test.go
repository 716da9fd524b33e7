package cmd_test

import (
	"fmt"
	"os"
	"time"

	"autopilot/cmd"
)

// startedWith is the program `booted FILE [ARG…]` of the stories: autopilot with these arguments, on a machine that was
// started when FILE was written.
func startedWith(args []string) int {
	if len(args) < 1 {
		fmt.Fprintln(os.Stderr, "usage: booted FILE [ARG…]")
		return 125
	}
	host := cmd.System()
	host.Booted = func() time.Time {
		info, err := os.Stat(args[0])
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	return cmd.Main(args[1:], host)
}
