package process

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// BootedAt is when the machine was started, to the second and by the clock as it is set now; zero: not known.
func BootedAt() time.Time {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return time.Time{}
	}
	for line := range strings.Lines(string(stat)) {
		if text, is := strings.CutPrefix(line, "btime "); is {
			if seconds, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
				return time.Unix(seconds, 0)
			}
		}
	}
	return time.Time{}
}
