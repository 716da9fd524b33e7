// Package bench holds the program's speed against what a user would otherwise have: a file that is read, an fsync that is
// waited for, git that is called by hand. Each benchmark runs both in turn, so that what else the machine does meets both,
// and reports their ratio; `make bench` makes a table of them. Nothing here fails because something is slow.
package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// pair is a thing of ours and what it is compared with. Each returns how long the part that counts took.
type pair struct {
	ours, theirs func() time.Duration
}

// compare runs both in turn, changing who is first, and reports what it measured. A goal of 0 is none.
func (p pair) compare(b *testing.B, rounds int, goal float64) {
	b.Helper()
	var m measured
	for b.Loop() {
		for i := range rounds {
			m.add(p.round(i%2 == 0))
		}
	}
	m.report(b, goal)
}

func (p pair) round(oursFirst bool) (ours, theirs time.Duration) {
	if oursFirst {
		ours = p.ours()
		return ours, p.theirs()
	}
	theirs = p.theirs()
	return p.ours(), theirs
}

// measured is what the rounds of a benchmark took, in seconds, and the ratio of each.
type measured struct{ ours, theirs, ratios []float64 }

func (m *measured) add(ours, theirs time.Duration) {
	m.ours, m.theirs = append(m.ours, ours.Seconds()), append(m.theirs, theirs.Seconds())
	m.ratios = append(m.ratios, ours.Seconds()/theirs.Seconds())
}

// report gives the medians: of each, and of the ratio within a round, which another program's burst of work alters least.
func (m *measured) report(b *testing.B, goal float64) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // of all the rounds together: it would say nothing
	b.ReportMetric(median(m.ours)*1e9, "ours-ns")
	b.ReportMetric(median(m.theirs)*1e9, "theirs-ns")
	b.ReportMetric(median(m.ratios), "ratio")
	if goal > 0 {
		b.ReportMetric(goal, "goal-ratio")
	}
}

func median(all []float64) float64 {
	slices.Sort(all)
	middle := len(all) / 2
	if len(all)%2 == 1 {
		return all[middle]
	}
	return (all[middle-1] + all[middle]) / 2
}

// taking is how long a function takes.
func taking(b *testing.B, do func() error) func() time.Duration {
	return func() time.Duration {
		began := time.Now()
		if err := do(); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
}

// build makes a program of this module, by its folder from the root.
func build(b *testing.B, folder string, flags ...string) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), filepath.Base(folder))
	c := exec.Command("go", slices.Concat([]string{"build", "-o", program}, flags, []string{"./" + folder})...)
	c.Dir = ".."
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("building %s: %v: %s", folder, err, out)
	}
	return program
}

// alone is an environment without the user's own settings.
func alone(b testing.TB, more ...string) []string {
	b.Helper()
	home := b.TempDir()
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "GIT_") || strings.HasPrefix(entry, "AUTOPILOT_") || strings.HasPrefix(entry, "XDG_")
	})
	return append(append(env, "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "AUTOPILOT_TRUST=1", "AUTOPILOT_VERIFY_BLIND=off", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A User", "GIT_AUTHOR_EMAIL=user@example.com", "GIT_COMMITTER_NAME=A User", "GIT_COMMITTER_EMAIL=user@example.com"), more...)
}

func put(b testing.TB, path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

func git(b testing.TB, dir string, env []string, args ...string) string {
	b.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = dir, env
	out, err := c.CombinedOutput()
	if err != nil {
		b.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
