// Command autopilot takes a spec through its implementation phases with LLM agents.
package main

import (
	"os"

	"autopilot/cmd"
	_ "autopilot/cmd/supervisor" // must be ready before the rest
)

func main() { os.Exit(cmd.Main(os.Args[1:], cmd.System())) }
