package results

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// Each file of testdata/outputs has what a test program printed in a folder /repo ("output"), and what is to be read of
// it ("want"): the counts, where there are any, then each test that holds no others, then what failed, as a Report
// has them. WRITE_WANT=1 writes "want" anew, to be read by a human.
func TestRecordedOutputsAreRead(t *testing.T) {
	files, _ := filepath.Glob("testdata/outputs/*.txtar")
	if len(files) < 15 {
		t.Fatalf("only %d files", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			output := archive.Files[0].Data
			for _, size := range []int{len(output), 7} {
				r := NewTestReader("/repo")
				for part := range slices.Chunk(output, size) {
					if n, err := r.Write(part); n != len(part) || err != nil {
						t.Fatal(n, err)
					}
				}
				got := shown(r.Report(Reports{}))
				if os.Getenv("WRITE_WANT") != "" {
					archive.Files = append(archive.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
					if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
					t.Errorf("in parts of %d bytes: %s", size, diff)
				}
			}
		})
	}
}

func shown(r Report) string {
	var b strings.Builder
	if c := r.Counts; c != nil {
		fmt.Fprintf(&b, "%d ran: %d passed, %d failed; %d skipped\n", c.Ran, c.Passed, c.Failed, c.Skipped)
	}
	var lines []string
	for name, result := range r.Results {
		lines = append(lines, fmt.Sprintf("%s %s\n", result, name))
	}
	slices.Sort(lines)
	b.WriteString(strings.Join(lines, ""))
	for _, name := range r.Failed {
		fmt.Fprintln(&b, "failed:", name)
	}
	return b.String()
}

func FuzzOutputIsReadTheSameInParts(f *testing.F) {
	files, _ := filepath.Glob("testdata/outputs/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data[:min(2000, len(archive.Files[0].Data))], 5)
	}
	f.Fuzz(func(t *testing.T, output []byte, size int) {
		whole, parts := NewTestReader("/repo"), NewTestReader("/repo")
		_, _ = whole.Write(output)
		for part := range slices.Chunk(output, max(1, size)) {
			_, _ = parts.Write(part)
		}
		a, b := whole.Report(Reports{}), parts.Report(Reports{})
		if diff := cmp.Diff(shown(a), shown(b)); diff != "" {
			t.Error(diff)
		}
		if c := a.Counts; c != nil && (c.Ran < 0 || c.Passed < 0 || c.Skipped < 0 || c.Failed < 0) {
			t.Errorf("%+v", c)
		}
	})
}
