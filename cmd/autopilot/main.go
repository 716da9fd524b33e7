// Command autopilot takes a spec through its implementation phases with LLM agents.
package main

import (
	"os"

	"autopilot/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], cmd.System())) }
