package worktree

import (
	"os"

	"autopilot/autopilot/shell"
)

// InitScript is the script, in .harness, that makes a working tree ready.
const InitScript = "init.sh"

// ScriptCommand runs a script with the interpreter of its first line where it is executable, else with sh.
func ScriptCommand(path string) string {
	if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
		return shell.Quote(path)
	}
	return "sh " + shell.Quote(path)
}
