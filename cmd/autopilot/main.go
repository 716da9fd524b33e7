// Command autopilot takes a spec through its implementation phases with LLM agents.
package main

import (
	"os"
	"runtime/debug"

	"autopilot/cmd"
	"autopilot/cmd/console"
	_ "autopilot/cmd/supervisor" // must be ready before the rest
)

// maxMemory is what Go takes, in bytes, before it collects garbage more often than usual. With the pages of the program
// itself, a session of thousands of tasks stays below what docs/performance.md promises. GOMEMLIMIT sets another bound.
const maxMemory = 80 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(maxMemory)
	}
	os.Exit(cmd.Main(os.Args[1:], console.System()))
}
