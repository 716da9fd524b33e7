package sessions

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

// TestNotesComeInTheOrderInWhichTheyWereWritten: also the longest ones, whatever they consist of.
func TestNotesComeInTheOrderInWhichTheyWereWritten(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	var want []string
	for i := range 20 {
		text := strings.Repeat("\x01", MaxNote-1) + string(rune('a'+i))
		if err := PostNote(dir, Note{Text: text}, noon.Add(time.Duration(i))); err != nil {
			t.Fatal(err)
		}
		want = append(want, text)
	}
	var got []string
	if err := s.TakeNotes(func(e machine.Event) error { got = append(got, e.Detail); return nil }); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
