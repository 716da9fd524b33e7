package bench

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// BenchmarkOutcome carries out a spec of three phases by recorded turns, through the real program and a server on loopback, and
// says what was sent: once with a person who answers each question, once with blind checks and rounds of fixes that go by
// themselves. OUTCOME_PROGRAM names another program to measure, such as one of before.
func BenchmarkOutcome(b *testing.B) {
	program := os.Getenv("OUTCOME_PROGRAM")
	if program == "" {
		program = build(b, "cmd/autopilot")
	}
	for _, way := range ways {
		b.Run(way.name, func(b *testing.B) {
			var o *outcome
			for b.Loop() {
				o = carryOut(b, program, way)
			}
			s := o.sent()
			b.ReportMetric(0, "ns/op")
			for _, m := range s.metrics() {
				b.ReportMetric(m.value, m.unit)
			}
			b.ReportMetric(float64(len(o.gates)), "answers")
			b.ReportMetric(float64(o.fixes), "fixes")
			b.Logf("\n%sanswered: %s\n", s.table(), strings.Join(o.gates, ", "))
			if os.Getenv("OUTCOME_PROGRAM") == "" { // one of before may have no register
				o.endsEachFinding(b)
			}
		})
	}
}

// TestEverySeededFindingIsFixedOrOpenAtTheEnd: what a phase's reviewers named is never just gone.
func TestEverySeededFindingIsFixedOrOpenAtTheEnd(t *testing.T) {
	if os.Getenv("STORIES") != "all" {
		t.Skip("it is one of those that .ci/cover plays")
	}
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			carryOut(t, self, way).endsEachFinding(t)
		})
	}
}

// seeded are the findings of the recordings that are important or more, by what their titles hold.
var seeded = []string{
	"Half a cent is rounded down", "usage-sample.txt", "A file without sales prints an empty line",
	"Quotes in an item are not escaped", "A tab in an item cuts the line",
}

// inWords finds a finding by its words and its id, in lines that may have been wrapped.
func inWords(title, id string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(title), " ", `\s+`) + `[^()]*\(` + id + `,`)
}

// endsEachFinding looks what became of the seeded findings: each was fixed by a commit that is there, or DONE has its words.
func (o *outcome) endsEachFinding(tb testing.TB) {
	tb.Helper()
	for _, title := range seeded {
		found := false
		for _, e := range o.state(tb).Findings {
			if !strings.Contains(e.Title+e.File, title) {
				continue
			}
			found = true
			switch {
			case (e.Fate == "fixed" || e.Fate == "gone") && e.Commit != "" && strings.Contains(o.commits(tb), e.Commit):
			case e.Fate == "open" && inWords(title, e.ID).MatchString(o.said):
			default:
				tb.Errorf("%s %q is %s, commit %q, and the end says:\n%s", e.ID, e.Title, e.Fate, e.Commit, o.said)
			}
		}
		if !found {
			tb.Errorf("nobody raised %q", title)
		}
	}
}
