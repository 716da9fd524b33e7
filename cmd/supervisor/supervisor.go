// Package supervisor ends a start of the program that is to supervise a command, before the packages that only the rest of
// the program needs are made ready: they take longer than all that a supervisor does. Go makes packages ready in the order
// of their paths, each after those that it imports, and this one imports little.
package supervisor

import (
	"os"

	"autopilot/autopilot/process/supervise"
)

func init() {
	if code, was := supervise.Supervise(); was {
		os.Exit(code)
	}
}
