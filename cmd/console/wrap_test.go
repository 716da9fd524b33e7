package console

import (
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/journal"
)

func TestLinesAreBrokenBetweenWords(t *testing.T) {
	line := "  - the quick brown fox jumps over the lazy dog and away"
	for width, want := range map[int]string{
		0:   line,
		10:  line, // too narrow to be worth it
		30:  "  - the quick brown fox jumps\n    over the lazy dog and away",
		200: line,
	} {
		if got := Wrapped(line, width, 4); got != want {
			t.Errorf("at %d columns:\n%s\nwant\n%s", width, got, want)
		}
	}
	long := "see " + strings.Repeat("x", 50) + " there"
	if got, want := Wrapped(long, 30, 2), "see\n  "+strings.Repeat("x", 50)+"\n  there"; got != want {
		t.Errorf("a long word:\n%s\nwant\n%s", got, want)
	}
}

func TestProgressFitsANarrowTerminal(t *testing.T) {
	var out strings.Builder
	h := &Host{Err: &out, Now: func() time.Time { return time.Time{} }, Width: func() int { return 40 }}
	report := NewPlainReport(h, false, false, nil)
	report.Report(journal.Note{Event: "task", Text: "task-001 failed: the tests say that two and two are five\n  a command that stays whole, however long it may be"})
	want := "00:00:00    task-001 failed: the tests\n            say that two and two are\n            five\n              a command that stays whole, however long it may be\n"
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
}

func TestCommandAtTheEndOfALongLineStandsAlone(t *testing.T) {
	text := "The plan is ready, and nothing else is to be done. Continue with: autopilot docs/a-long-name-of-a-spec.md"
	want := "The plan is ready, and nothing else is\nto be done. Continue with:\n  autopilot docs/a-long-name-of-a-spec.md"
	if got := Told(text, 40); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	for _, width := range []int{0, 200} {
		if got := Told(text, width); got != text {
			t.Errorf("width %d gives:\n%s", width, got)
		}
	}
}

func TestTheRemarkOfALongExampleGoesBelowIt(t *testing.T) {
	text := "  autopilot list  all of them\n  autopilot plan docs/spec.md --edit   a template in your editor\n  autopilot plan docs/spec.md --file plan-of-mine.md"
	want := "  autopilot list  all of them\n  autopilot plan docs/spec.md --edit\n      a template in your editor\n  autopilot plan docs/spec.md --file plan-of-mine.md"
	if got := Examples(text, 50); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestLaidOutHelpKeepsItsLines(t *testing.T) {
	text := "A first line that is too long.\n\n    ## A line of an example, as it is"
	if got := Fitted(text, 30, true); got != "A first line that is too long.\n\n    ## A line of an example,\n    as it is" {
		t.Errorf("got:\n%s", got)
	}
	if got := Fitted(strings.Repeat("a long line of words ", 4)+"is\nno end.\n\nAnother", 60, true); strings.Contains(got, " is\nno") {
		t.Errorf("a paragraph gives:\n%s", got)
	}
	if got := Fitted("Codes\n\n  2    usage, or a spec that does not fit", 30, true); got != "Codes\n\n  2    usage, or a spec that\n       does not fit" {
		t.Errorf("a row gives:\n%s", got)
	}
	if got := Fitted("Prose in\nlines.", 30, true); got != "Prose in lines." {
		t.Errorf("prose gives %q", got)
	}
}
