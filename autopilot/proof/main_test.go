package proof

import (
	"os"
	"testing"

	"autopilot/autopilot/inmemory"
	"autopilot/autopilot/process"
)

func TestMain(m *testing.M) {
	if code, was := process.Supervise(); was {
		os.Exit(code)
	}
	inmemory.Use()
	os.Exit(m.Run())
}
