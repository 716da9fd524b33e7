package look

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

func TestRowsFitTheTerminal(t *testing.T) {
	now := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
	rows := []app.Listed{
		{Spec: "docs/limits.md", Standing: view.NeedsYou, Gate: "approve_plan", Headline: "approve the plan of phase 2 (Rule engine)", Since: now.Add(-9 * time.Minute), Next: "autopilot answer docs/limits.md"},
		{Spec: "docs/import.md", Standing: view.NeedsYou, Headline: "stopped: the budget of 20.00 USD is used up, phase 1 of 4", Since: now.Add(-2 * time.Hour), Next: "autopilot docs/import.md --max-cost 40"},
		{Spec: "docs/csv.md", Standing: view.AtWork, Running: true, Headline: "phase 1 of 2, task 2 of 4, attempt 2", Since: now.Add(-12 * time.Minute), CostUSD: 1.2, Next: "autopilot watch docs/csv.md"},
		{Spec: "docs/cache.md", Standing: view.Finished, Headline: "3 phases, 9 tasks, 4:12:00, $7.80", Since: now.Add(-50 * time.Hour), Next: "git log --oneline"},
	}
	for _, width := range []int{60, 80, 140} {
		var out bytes.Buffer
		s := newSheet(&console.Host{Out: &out, OutTerminal: true, Width: func() int { return width }, Now: func() time.Time { return now }}, rows)
		for _, r := range rows {
			s.row(r)
		}
		if err := s.print(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if len([]rune(strings.TrimSuffix(line, "\n"))) > width {
				t.Errorf("longer than %d columns: %q", width, line)
			}
		}
		first, _, _ := strings.Cut(out.String(), "\n")
		if want := "  ? docs/limits.md  approve the plan of phase 2 (Rule engine)     waiting 9 min"; width == 80 && !strings.HasPrefix(first, want[:60]) {
			t.Errorf("at 80 columns: %q", first)
		}
		if width == 80 {
			t.Log("\n" + out.String())
		}
	}
}
