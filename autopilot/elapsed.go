package autopilot

import (
	"fmt"
	"time"
)

// elapsed writes a duration for people: 0:07, 12:30, 3:05:00.
func elapsed(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
