package worktree

import (
	"os"
	"testing"

	"autopilot/autopilot/process"
)

func TestMain(m *testing.M) {
	if code, was := process.Supervise(); was {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
