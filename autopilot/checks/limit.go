package checks

import (
	"path/filepath"
	"time"

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
			found[i].Timeout = max(10*time.Minute, 3*j.baselineOf(v))
		}
	}
	return found
}

func (j Judge) baselineOf(v validate.Validation) time.Duration {
	b := j.Journal.State().Baseline
	if b == nil {
		return 0
	}
	for _, c := range b.Checks {
		if c.Command == v.Command && sameDir(c.Dir, v.Dir) {
			return time.Duration(c.Seconds * float64(time.Second))
		}
	}
	return 0
}

func sameDir(a, b string) bool { return filepath.Clean("./"+a) == filepath.Clean("./"+b) }
