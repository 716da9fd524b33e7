package cmd_test

import (
	"fmt"
	"io"
	"testing"
	"time"

	"autopilot/cmd"
	"autopilot/cmd/console"
)

// BenchmarkTasksStatus shows how a list stands, in this process. The goal is 100 ms at 10,000 tasks.
func BenchmarkTasksStatus(b *testing.B) {
	for _, n := range []int{10, 100, 1_000, 10_000} {
		root := thousandTasks(b, n)
		for name, args := range map[string][]string{"people": {"tasks", "status"}, "json": {"tasks", "status", "--json"}} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				host := console.Host{Out: io.Discard, Err: io.Discard, Dir: root, Now: time.Now}
				for b.Loop() {
					if code := cmd.Main(args, host); code != 0 {
						b.Fatal(code)
					}
				}
			})
		}
	}
}
