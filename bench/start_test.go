package bench

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
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
	libraries := withLibraries(b)
	b.Run("libraries", func(b *testing.B) { pair{ours: said(libraries), theirs: said(hello)}.compare(b, 41, 0) })
}

// withLibraries builds the program that says hello with all the libraries that autopilot has: what is left of the others'
// time is autopilot's own.
func withLibraries(b *testing.B) string {
	b.Helper()
	list := exec.Command("go", "list", "-deps", "-f", `{{if .Module}}{{if .Module.Main}}{{join .Imports "\n"}}{{end}}{{end}}`, "./cmd/autopilot")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		b.Fatalf("listing the libraries: %v", err)
	}
	imported := slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(out)))))
	var text strings.Builder
	text.WriteString("package main\n\n")
	for _, path := range imported {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") { // else it is Go's, or autopilot's
			fmt.Fprintf(&text, "import _ %q\n", path)
		}
	}
	dir := b.TempDir()
	put(b, filepath.Join(dir, "libraries.go"), text.String())
	at, err := filepath.Abs("testdata/hello/libraries.go")
	if err != nil {
		b.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{at: filepath.Join(dir, "libraries.go")}})
	if err != nil {
		b.Fatal(err)
	}
	put(b, filepath.Join(dir, "overlay.json"), string(overlay))
	return build(b, "bench/testdata/hello", "-overlay", filepath.Join(dir, "overlay.json"))
}
