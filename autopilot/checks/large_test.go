package checks

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/machine"
)

func TestTooMuchIsWhatIsTooLargeAndWhatIsTooManyAndNoTaskNames(t *testing.T) {
	root := t.TempDir()
	for name, size := range map[string]int64{"at": maxFile, "above": maxFile + 1, "kept": maxFile + 1, "data/named": maxFile + 1} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(file, size); err != nil {
			t.Fatal(err)
		}
	}
	tasks := []machine.Task{{Files: []string{"a.go"}}, {Owns: []string{"data/**"}, Files: []string{"gen/"}}}
	many := func(dir string, n int) (list []git.Change) {
		for i := range n {
			list = append(list, git.Change{Path: fmt.Sprintf("%s/%03d", dir, i), Status: 'A'})
		}
		return list
	}
	large := []git.Change{{Path: "at", Status: 'A'}, {Path: "above", Status: 'M'}, {Path: "kept", Status: 'D'}, {Path: "data/named", Status: 'A'}}
	for _, c := range []struct {
		name    string
		changes []git.Change
		want    string
	}{
		{"nothing", nil, ""},
		{"large", large, "above (10.0 MB)"},
		{"just not too many", many("x", maxFresh), ""},
		{"too many", many("x", maxFresh+1), "x/000, x/001, x/002 and 498 more"},
		{"too many, and named", many("gen", maxFresh+1), ""},
		{"both", append(many("x", maxFresh), large...), "above, at, x/000 and 499 more (20.0 MB)"},
	} {
		got := ""
		if l := LargeOf(root, TooMuch(root, c.changes, tasks)); l != nil {
			got = l.String()
			if l.Tracked != (c.name == "large" || c.name == "both") {
				t.Errorf("%s: tracked is %v", c.name, l.Tracked)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestManyFilesOutsideOfThePlanAreOneFinding(t *testing.T) {
	other := machine.Finding{Severity: machine.Critical, Title: "other"}
	for n, want := range map[int]int{maxStrays: maxStrays + 1, maxStrays + 1: 2} {
		findings := []machine.Finding{other}
		for i := range n {
			findings = append(findings, machine.Finding{Severity: machine.Important, File: fmt.Sprintf("x/%02d", i), Title: integrity.OutsidePlan})
		}
		got := folded(findings)
		if len(got) != want || got[0].Title != other.Title || got[1].File != "x/00" || len(Strays(got)) != want-1 {
			t.Errorf("%d: %+v", n, got)
		}
		if text := integrity.OutsidePlan + ", as are x/01, x/02, and 18 more"; want == 2 && got[1].Title != text {
			t.Errorf("it says %q", got[1].Title)
		}
	}
}
