package sessions

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"
)

// learned writes a learnings.md with prose and n entries, one a day from the first of January, and returns its lines.
func learned(t *testing.T, folder string, n int) []string {
	t.Helper()
	lines := []string{"# What we learned", ""}
	for i := range n {
		day := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
		lines = append(lines, keyed(Learning{Date: day, Skill: "autopilot", Outcome: "gotcha", Text: fmt.Sprintf("Insight %d.", i+1)}.String(), fmt.Sprint("k", i)))
	}
	lines = append(lines, "", "A human's own words.")
	write(t, strings.Join(lines, "\n"), folder, learningsName)
	return lines
}

func TestPruneKeepsTheNewestAndArchivesTheRestByMonth(t *testing.T) {
	dir := sessionDir(t)
	closed(t, create(t, dir))
	harness := filepath.Dir(filepath.Dir(dir))
	for name, folder := range map[string]string{"the project's": harness, "a session's": dir} {
		t.Run(name, func(t *testing.T) {
			lines := learned(t, folder, 55)
			_ = os.RemoveAll(filepath.Join(harness, "archive"))
			before := read(t, folder, learningsName)
			if plan, err := PruneLearnings(nil, harness, folder, true, options().Now); err != nil || plan.Kept != 20 || len(plan.Archived) != 2 || read(t, folder, learningsName) != before {
				t.Errorf("a dry run: %+v, %v", plan, err)
			}
			done, err := PruneLearnings(nil, harness, folder, false, options().Now)
			if err != nil {
				t.Fatal(err)
			}
			january, february := filepath.Join(harness, "archive", "learnings-2026-01.md"), filepath.Join(harness, "archive", "learnings-2026-02.md")
			if done.Kept != 20 || done.Archived[january] != 31 || done.Archived[february] != 4 {
				t.Errorf("pruned %+v", done)
			}
			if got, want := read(t, folder, learningsName), strings.Join(append(append([]string{}, lines[:2]...), lines[37:]...), "\n"); got != want {
				t.Errorf("what is left is\n%s\nnot\n%s", got, want)
			}
			if got, want := read(t, february), "# Learnings of 2026-02\n\n"+strings.Join(lines[33:37], "\n")+"\n"; got != want {
				t.Errorf("the archive of February is\n%s\nnot\n%s", got, want)
			}
			kept := read(t, january)
			learned(t, folder, 55) // a prune that was cut off before the file was replaced
			if _, err := PruneLearnings(nil, harness, folder, false, options().Now); err != nil || read(t, january) != kept {
				t.Errorf("a second prune doubled the archive: %v\n%s", err, read(t, january))
			}
		})
	}
}

func TestFewLearningsAreNotPruned(t *testing.T) {
	harness := t.TempDir()
	learned(t, harness, KeptLearnings)
	before := read(t, harness, learningsName)
	done, err := PruneLearnings(nil, harness, harness, false, options().Now)
	if err != nil || done.Kept != KeptLearnings || len(done.Archived) > 0 || read(t, harness, learningsName) != before {
		t.Errorf("pruned %+v, %v", done, err)
	}
	if got := names(t, filepath.Join(harness, "archive")); len(got) > 0 {
		t.Errorf("the archive has %v", got)
	}
}

func TestNothingIsPrunedBesideALiveRun(t *testing.T) {
	dir := sessionDir(t)
	create(t, dir)
	harness := filepath.Dir(filepath.Dir(dir))
	for _, folder := range []string{harness, dir} {
		learned(t, folder, 40)
		before := read(t, folder, learningsName)
		var locked *storage.LockedError
		if _, err := PruneLearnings(nil, harness, folder, false, options().Now); !errors.As(err, &locked) || read(t, folder, learningsName) != before {
			t.Errorf("pruning %s gave %v", folder, err)
		}
	}
}

func TestPrunedLearningsAreNotPromotedAgain(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	harness := filepath.Dir(filepath.Dir(dir))
	for _, text := range []string{"Insight 1.", "Something else."} {
		l := Learning{Date: noon, Skill: "autopilot", Outcome: "gotcha", Text: text}
		if err := s.Learnings().Learn(l, l.Key()); err != nil {
			t.Fatal(err)
		}
	}
	closed(t, s)
	learned(t, harness, 40)
	if _, err := PruneLearnings(nil, harness, harness, false, options().Now); err != nil {
		t.Fatal(err)
	}
	if n, err := open(t, dir).Learnings().Promote(); n != 1 || err != nil {
		t.Errorf("%d were promoted (%v), not the one that is new", n, err)
	}
}

func TestListIsNewestFirst(t *testing.T) {
	harness := t.TempDir()
	learned(t, harness, 3)
	all, err := ListLearnings(harness)
	if err != nil || len(all) != 3 || all[0].Text != "Insight 3." || all[2].Text != "Insight 1." {
		t.Errorf("the list is %v, %v", all, err)
	}
	if all, err := ListLearnings(t.TempDir()); len(all) != 0 || err != nil {
		t.Errorf("without a file it is %v, %v", all, err)
	}
}

func TestLinkInsteadOfLearningsIsRefused(t *testing.T) {
	harness := t.TempDir()
	if err := os.Symlink("elsewhere.md", filepath.Join(harness, learningsName)); err != nil {
		t.Skip(err)
	}
	var link *plainfile.LinkError
	if _, err := PruneLearnings(nil, harness, harness, false, options().Now); !errors.As(err, &link) {
		t.Errorf("the error is %v", err)
	}
}
