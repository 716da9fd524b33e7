package machine_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"autopilot/autopilot/machine"
)

func TestLongRationaleIsKeptUpToTheEndOfASentenceOrRune(t *testing.T) {
	const in = "attempts/1/reviewer/1/reply.json"
	for name, c := range map[string]struct {
		text, end string
		size      int
	}{
		"as long as is kept":       {strings.Repeat("x", 1024), "x", 1024},
		"sentences":                {strings.Repeat("It is so. ", 200), "so. …", 1023},
		"lines":                    {strings.Repeat("- it is\n", 200), "is …", 1019},
		"no end of a sentence":     {strings.Repeat("so ", 500), "so s…", 1024},
		"an end that is far ahead": {"No. " + strings.Repeat("ö", 800), "ö…", 1023},
	} {
		e := machine.Entry{Finding: machine.Finding{Rationale: c.text}}
		e.Keep(in)
		if got := e.Rationale; len(got) != c.size || !strings.HasSuffix(got, c.end) || !utf8.ValidString(got) {
			t.Errorf("%s: %d bytes, to %q", name, len(got), got[len(got)-12:])
		}
		if whole := c.size == len(c.text); whole != (e.Whole == machine.Whole{}) || !whole && (e.Whole.In != in || len(e.Whole.SHA256) != 64) {
			t.Errorf("%s: the whole is in %+v", name, e.Whole)
		}
	}
}

func TestDrawnFindingsAreTheLastOnesAndThenWhatElseWasFoundThere(t *testing.T) {
	quiet, loud, none := machine.Finding{File: "a", Title: "Quiet"}, machine.Finding{File: "a", Title: "Loud"}, machine.Finding{Title: "nothing to run"}
	quiet2 := quiet
	quiet2.Line = 7
	s := machine.State{Edition: machine.Edition, Register: machine.Register{
		{ID: "F1", Phase: 2, Finding: loud, Fate: machine.FateWaived},
		{ID: "F2", Phase: 1, Finding: quiet, Fate: machine.FateOpen},
		{ID: "F3", Phase: 1, Finding: machine.Finding{Title: "Elsewhere"}, Fate: machine.FateFixed},
	}}
	last := []machine.Finding{none, quiet, quiet2}
	drawn := func(s machine.State) (ids string) {
		for _, e := range s.Drawn(2, last) {
			ids += "[" + e.ID + " " + e.Finding.String() + "]"
		}
		return ids
	}
	if got := drawn(s); got != "[ : nothing to run][F2 : a: Quiet][F1 : a: Loud (overridden by a human)]" {
		t.Error(got)
	}
	s.Edition = 1
	if got := drawn(s); got != "[ : nothing to run][ : a: Quiet][ : a:7: Quiet]" {
		t.Errorf("of an older program: %s", got)
	}
}
