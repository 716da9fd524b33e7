package checks

import (
	"path/filepath"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
)

// Limit gives each command its time: what is configured, else the larger of ten minutes and three times its baseline.
func (j Judge) Limit(found []validate.Validation) []validate.Validation {
	for i, v := range found {
		switch {
		case v.Timeout > 0:
		case j.Time > 0:
			found[i].Timeout = j.Time
		default:
			found[i].Timeout = max(10*time.Minute, time.Duration(3*j.baseline(v.Command, v.Dir).Seconds*float64(time.Second)))
		}
	}
	return found
}

// baseline is what a command showed before any change; nothing where it was not run then.
func (j Judge) baseline(command, dir string) machine.Check {
	if b := j.Journal.State().Baseline; b != nil {
		for _, c := range b.Checks {
			if c.Command == command && sameDir(c.Dir, dir) {
				return c
			}
		}
	}
	return machine.Check{}
}

func sameDir(a, b string) bool { return filepath.Clean("./"+a) == filepath.Clean("./"+b) }
