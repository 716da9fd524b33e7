// Command autopilot-temporal runs sessions of autopilot on several machines, as Temporal workflows.
package main

import (
	"os"

	"autopilot/cmd/console"
	_ "autopilot/cmd/supervisor" // must be ready before the rest
	"autopilot/temporal/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], console.System())) }
