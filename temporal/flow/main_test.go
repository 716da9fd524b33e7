package flow

import (
	"os"
	"testing"

	"autopilot/autopilot/inmemory"
)

func TestMain(m *testing.M) {
	inmemory.Use()
	os.Exit(m.Run())
}
