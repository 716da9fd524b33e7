package cmd_test

import (
	"os"
	"time"

	"autopilot/cmd/console"
)

// startedWith is the program `booted FILE [ARG…]` of the stories: autopilot with these arguments, on a machine that was
// started when FILE was written.
func startedWith(args []string) int {
	return altered(args, func(host *console.Host, file string) {
		host.Booted = func() time.Time {
			info, err := os.Stat(file)
			if err != nil {
				return time.Time{}
			}
			return info.ModTime()
		}
	})
}
