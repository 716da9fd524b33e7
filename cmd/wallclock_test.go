package cmd_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"autopilot/cmd"
	"autopilot/cmd/console"
)

// onWall is the program `wallclock FILE [ARG…]` of the stories: autopilot with these arguments, where the clock on the
// wall is ahead by the duration that FILE says at that moment, or behind with a minus. No file is no difference. The
// clock that only runs while the machine does is not changed: that is what setting a clock looks like to a program, and
// a machine that was suspended.
func onWall(args []string) int {
	return altered(args, func(host *console.Host, file string) {
		host.Now = func() time.Time {
			text, err := os.ReadFile(file)
			if err != nil {
				return time.Now()
			}
			ahead, err := time.ParseDuration(strings.TrimSpace(string(text)))
			if err != nil {
				return time.Now() // it is being written
			}
			return onTheWall(time.Now(), ahead)
		}
	})
}

// altered is autopilot on a machine that is altered as a file says, the first of the arguments.
func altered(args []string, alter func(host *console.Host, file string)) int {
	if len(args) < 1 {
		fmt.Fprintln(os.Stderr, "the first argument is missing: FILE [ARG…]")
		return 125
	}
	host := console.System()
	alter(&host, args[0])
	return cmd.Main(args[1:], host)
}

// onTheWall moves what a time says of the day, and leaves what it says of the time since the start of the machine: a Time
// with both keeps the seconds of the first above the 30 bits of its nanoseconds.
func onTheWall(t time.Time, ahead time.Duration) time.Time {
	*(*uint64)(unsafe.Pointer(&t)) += uint64(int64(ahead/time.Second)) << 30
	return t
}

func TestAClockOnTheWallGoesItsOwnWay(t *testing.T) {
	begun := time.Now()
	for _, ahead := range []time.Duration{8 * time.Hour, -24 * time.Hour, 0} {
		now := onTheWall(begun, ahead)
		if wall, ran := now.Round(0).Sub(begun.Round(0)), now.Sub(begun); wall != ahead || ran != 0 {
			t.Errorf("ahead by %s: %s on the wall, %s of running", ahead, wall, ran)
		}
	}
}
