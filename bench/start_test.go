package bench

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkStart runs commands that only tell something, from the start of the process to its end, beside a program with
// the same libraries for commands and configuration that says hello.
func BenchmarkStart(b *testing.B) {
	autopilot, hello := build(b, "cmd/autopilot"), build(b, "bench/testdata/hello")
	repo, env := b.TempDir(), alone(b)
	git(b, repo, env, "init", "-q", "-b", "main", "--template=")
	var order strings.Builder
	for i := range 50 {
		fmt.Fprintf(&order, "### Phase %d: Part %d of the work\n\nDo it.\n\n", i+1, i+1)
	}
	put(b, filepath.Join(repo, "docs", "spec.md"), "# Work\n\n## Implementation Order\n\n"+order.String())
	newSession(b, repo, halfway(50), 5_000)
	said := func(program string, args ...string) func() time.Duration {
		return taking(b, func() error {
			c := exec.Command(program, args...)
			c.Dir, c.Env = repo, env
			if out, err := c.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, out)
			}
			return nil
		})
	}
	for _, args := range [][]string{{"version"}, {"--help"}, {"status", "docs/spec.md"}} {
		b.Run(strings.Trim(args[0], "-"), func(b *testing.B) {
			pair{ours: said(autopilot, args...), theirs: said(hello)}.compare(b, 41, 2)
			b.ReportMetric(15, "goal-ms")
		})
	}
}
