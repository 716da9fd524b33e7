package learnings

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

var noon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

func now() time.Time { return noon }

// folders makes a .harness folder and that of a session in it, with the lock that a run leaves behind.
func folders(t *testing.T) (harness, session string) {
	t.Helper()
	harness = filepath.Join(t.TempDir(), ".harness")
	session = filepath.Join(harness, "sessions", "csv")
	if err := os.MkdirAll(session, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(session, storage.LockName), "")
	return harness, session
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// learned writes a learnings.md with prose and n entries, one a day from the first of January, and returns its lines.
func learned(t *testing.T, folder string, n int) []string {
	t.Helper()
	lines := []string{"# What we learned", ""}
	for i := range n {
		day := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
		lines = append(lines, keyed(Learning{Date: day, Skill: "autopilot", Outcome: "gotcha", Text: fmt.Sprintf("Insight %d.", i+1)}.String(), fmt.Sprint("k", i)))
	}
	lines = append(lines, "", "A human's own words.")
	write(t, filepath.Join(folder, fileName), strings.Join(lines, "\n"))
	return lines
}

func TestPruneKeepsTheNewestAndArchivesTheRestByMonth(t *testing.T) {
	harness, dir := folders(t)
	for name, folder := range map[string]string{"the project's": harness, "a session's": dir} {
		t.Run(name, func(t *testing.T) {
			lines := learned(t, folder, 55)
			_ = os.RemoveAll(filepath.Join(harness, "archive"))
			before := read(t, filepath.Join(folder, fileName))
			if plan, err := Prune(nil, harness, folder, true, now); err != nil || plan.Kept != 20 || len(plan.Archived) != 2 || read(t, filepath.Join(folder, fileName)) != before {
				t.Errorf("a dry run: %+v, %v", plan, err)
			}
			done, err := Prune(nil, harness, folder, false, now)
			if err != nil {
				t.Fatal(err)
			}
			january, february := filepath.Join(harness, "archive", "learnings-2026-01.md"), filepath.Join(harness, "archive", "learnings-2026-02.md")
			if done.Kept != 20 || done.Archived[january] != 31 || done.Archived[february] != 4 {
				t.Errorf("pruned %+v", done)
			}
			if got, want := read(t, filepath.Join(folder, fileName)), strings.Join(append(append([]string{}, lines[:2]...), lines[37:]...), "\n"); got != want {
				t.Errorf("what is left is\n%s\nnot\n%s", got, want)
			}
			if got, want := read(t, february), "# Learnings of 2026-02\n\n"+strings.Join(lines[33:37], "\n")+"\n"; got != want {
				t.Errorf("the archive of February is\n%s\nnot\n%s", got, want)
			}
			kept := read(t, january)
			learned(t, folder, 55) // a prune that was cut off before the file was replaced
			if _, err := Prune(nil, harness, folder, false, now); err != nil || read(t, january) != kept {
				t.Errorf("a second prune doubled the archive: %v\n%s", err, read(t, january))
			}
		})
	}
}

func TestFewLearningsAreNotPruned(t *testing.T) {
	harness := t.TempDir()
	learned(t, harness, Kept)
	before := read(t, filepath.Join(harness, fileName))
	done, err := Prune(nil, harness, harness, false, now)
	if err != nil || done.Kept != Kept || len(done.Archived) > 0 || read(t, filepath.Join(harness, fileName)) != before {
		t.Errorf("pruned %+v, %v", done, err)
	}
	if got, err := os.ReadDir(filepath.Join(harness, "archive")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the archive has %v, %v", got, err)
	}
}

func TestNothingIsPrunedBesideALiveRun(t *testing.T) {
	harness, dir := folders(t)
	lock, err := storage.LockTree(filepath.Join(dir, storage.LockName), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lock.Close() })
	for _, folder := range []string{harness, dir} {
		learned(t, folder, 40)
		before := read(t, filepath.Join(folder, fileName))
		var locked *storage.LockedError
		if _, err := Prune(nil, harness, folder, false, now); !errors.As(err, &locked) || read(t, filepath.Join(folder, fileName)) != before {
			t.Errorf("pruning %s gave %v", folder, err)
		}
	}
}

func TestPrunedLearningsAreNotPromotedAgain(t *testing.T) {
	harness, dir := folders(t)
	own := filesOf(dir, harness)
	for _, text := range []string{"Insight 1.", "Something else."} {
		l := Learning{Date: noon, Skill: "autopilot", Outcome: "gotcha", Text: text}
		if err := own.Learn(l, l.Key()); err != nil {
			t.Fatal(err)
		}
	}
	learned(t, harness, 40)
	if _, err := Prune(nil, harness, harness, false, now); err != nil {
		t.Fatal(err)
	}
	if n, err := own.Promote(); n != 1 || err != nil {
		t.Errorf("%d were promoted (%v), not the one that is new", n, err)
	}
}

func TestListIsNewestFirst(t *testing.T) {
	harness := t.TempDir()
	learned(t, harness, 3)
	all, err := List(harness)
	if err != nil || len(all) != 3 || all[0].Text != "Insight 3." || all[2].Text != "Insight 1." {
		t.Errorf("the list is %v, %v", all, err)
	}
	if all, err := List(t.TempDir()); len(all) != 0 || err != nil {
		t.Errorf("without a file it is %v, %v", all, err)
	}
}

func TestLinkInsteadOfLearningsIsRefused(t *testing.T) {
	harness := t.TempDir()
	if err := os.Symlink("elsewhere.md", filepath.Join(harness, fileName)); err != nil {
		t.Skip(err)
	}
	var link *plainfile.LinkError
	if _, err := Prune(nil, harness, harness, false, now); !errors.As(err, &link) {
		t.Errorf("the error is %v", err)
	}
}
