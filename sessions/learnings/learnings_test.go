package learnings

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/sessions/storage"
)

// filesOf are those of folders on the system's disk.
func filesOf(session, harness string) Files {
	return Of(session, harness, storage.OSDisk{}, storage.NewAppendLogs(storage.OSDisk{}).Add)
}

func TestLearningsArePromotedOnceByTheirWords(t *testing.T) {
	harness, dir := folders(t)
	own := filesOf(dir, harness)
	byHand := "# Ours\n\n- **2024-01-01 [skill:me] [outcome:decision]:** Tabs, not spaces\n"
	write(t, filepath.Join(harness, fileName), byHand)
	for i, l := range []Learning{
		{noon, "executor", "gotcha", "Mind the gap"},
		{noon, "reviewer", "gotcha", "mind  the gap"},
		{noon, "planner", "success", "It went well"},
		{noon, "planner", "decision", "Tabs, not spaces"},
		{noon, "planner", "observation", "Slow tests"},
	} {
		if err := own.Learn(l, string(rune('a'+i))); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{2, 0} {
		if got, err := own.Promote(); got != want || err != nil {
			t.Errorf("promoted %d, want %d, error %v", got, want, err)
		}
	}
	got := read(t, filepath.Join(harness, fileName))
	if !strings.HasPrefix(got, byHand) || strings.Count(got, "\n") != 5 ||
		!strings.Contains(got, "Mind the gap <!-- key:") || !strings.Contains(got, "Slow tests <!-- key:") {
		t.Errorf("learnings:\n%s", got)
	}
}

// TestALineOfSomebodyElseStaysOne: a person's editor may leave the last line without an end.
func TestALineOfSomebodyElseStaysOne(t *testing.T) {
	harness, dir := folders(t)
	own := filesOf(dir, harness)
	day := noon.Truncate(24 * time.Hour)
	learn := func(text string) {
		t.Helper()
		l := Learning{noon, "x", "gotcha", text}
		if err := own.Learn(l, l.Key()); err != nil {
			t.Fatal(err)
		}
	}
	learn("one <!-- as it was --> and two")
	theirs := Learning{day, "me", "decision", "theirs"}
	path := filepath.Join(dir, fileName)
	write(t, path, read(t, path)+theirs.String())
	learn("three <!-- at the end -->")
	all, err := own.Newest(1000)
	if err != nil {
		t.Fatal(err)
	}
	want := []Learning{{day, "x", "gotcha", "three <!-- at the end -->"}, theirs, {day, "x", "gotcha", "one <!-- as it was --> and two"}}
	if d := cmp.Diff(want, all); d != "" {
		t.Error(d)
	}
}

func TestLearningsComeNewestFirstWithinTheBudget(t *testing.T) {
	harness, dir := folders(t)
	own := filesOf(dir, harness)
	day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
	old := Learning{day(-9), "x", "gotcha", "old"}
	write(t, filepath.Join(harness, fileName), "prose\n"+old.String()+"\n"+Learning{day(0), "x", "gotcha", "other"}.String()+"\n- **2025-99-99 [skill:x] [outcome:y]:** no date\n")
	for _, l := range []Learning{{day(0), "x", "success", "one"}, {day(1), "x", "success", "two"}, {day(1), "x", "success", "three"}, old} {
		if err := own.Learn(l, ""); err != nil {
			t.Fatal(err)
		}
	}
	each := (len(old.String()) + 3) / 4
	for budget, want := range map[int]string{1000: "three two one other old", 3 * (each + 2): "three two one", 0: "", -5: ""} {
		all, err := own.Newest(budget)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, l := range all {
			texts = append(texts, l.Text)
		}
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("budget %d: %q, want %q", budget, got, want)
		}
	}
}
