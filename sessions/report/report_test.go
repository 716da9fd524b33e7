package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files again")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s is not what came (%v); go test ./sessions/report -update writes it again:\n%s", path, err, got)
	}
}

func TestEndOfARunFitsTheTerminal(t *testing.T) {
	for _, width := range []int{60, 80, 140} {
		got := Text(sample(), width)
		golden(t, fmt.Sprintf("done-%d.txt", width), got)
		for line := range strings.Lines(got) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
				t.Errorf("at %d columns a line has %d: %s", width, n, line)
			}
		}
	}
}

func TestReportAsMarkdown(t *testing.T) { golden(t, "summary.md", Markdown(sample())) }

func TestBodyOfAPullRequest(t *testing.T) {
	got := PullRequest(sample(), "#17")
	golden(t, "pullrequest.md", got)
	if !strings.HasSuffix(got, "\nCloses #17\n") {
		t.Error("it doesn't close the issue")
	}
}
