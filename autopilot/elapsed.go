package autopilot

import (
	"fmt"
	"time"
)

// Elapsed writes a duration for people, in whole seconds that have passed: 0:07, 12:30, 3:05:00.
func Elapsed(d time.Duration) string {
	s := int(d.Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
