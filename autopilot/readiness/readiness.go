// Package readiness makes the working tree of a run ready before agents work in it, and says whether the services are well that
// the project names.
//
// A call goes: Readiness.Make runs .harness/init.sh, Readiness.Tell says how that went once the run is in the journal, and
// Readiness.Health runs the health checks of the profile before a phase's commands. Neither says anything for a task's work.
package readiness

import (
	"time"

	"autopilot/autopilot/checks"
)

// Readiness is that of a session's working tree.
type Readiness struct {
	Checks      checks.Checks
	Now         func() time.Time
	Harness     string // absolute path of .harness
	SetUp       bool   // the configuration names a command that makes working trees ready
	HealthFatal bool   // a failed health check blocks, instead of being a warning
}
