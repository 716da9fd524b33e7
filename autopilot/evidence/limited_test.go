package evidence

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/tail"
	"autopilot/personas"
)

func TestOfMuchOutputBeginningAndEndAreKept(t *testing.T) {
	var all strings.Builder
	for i := range 1000 {
		all.WriteByte(byte('0' + i/10%10))
	}
	text := all.String()
	for n, want := range map[int]string{
		0: "", 99: text[:99], 100: text[:100], 101: text[:101], 120: text[:120],
		121:  text[:100] + "\n== 1 bytes are left out here; the end follows\n" + text[101:121],
		1000: text[:100] + "\n== 880 bytes are left out here; the end follows\n" + text[980:],
	} {
		for _, piece := range []int{1, 7, 1000} {
			var kept bytes.Buffer
			w := &Limited{to: &kept, room: 100, end: tail.Writer{Limit: 20}}
			for rest := text[:n]; rest != ""; rest = rest[min(piece, len(rest)):] {
				if took, err := w.Write([]byte(rest[:min(piece, len(rest))])); err != nil || took != min(piece, len(rest)) {
					t.Fatal(took, err)
				}
			}
			if err := w.Close(); err != nil || kept.String() != want {
				t.Errorf("%d bytes in pieces of %d: %q, %v, want %q", n, piece, kept.String(), err, want)
			}
		}
	}
}

// TestOutputOfOneCommandIsKeptWithinBounds: a hundred megabytes on one line neither fill the disk nor the memory, and what
// stands around them is found.
func TestOutputOfOneCommandIsKeptWithinBounds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "validation.log")
	r, err := RecordAt(path)
	if err != nil {
		t.Fatal(err)
	}
	r.name = "validation.log"
	passed := machine.Check{Command: "loud", Outcome: machine.CheckPassed}
	piece := bytes.Repeat([]byte("x"), 1<<20)
	for range 2 {
		r.Begin("loud")
		for range 100 {
			if _, err := r.Write(piece); err != nil || cap(r.said.end.Bytes()) > 8*maxEnd {
				t.Fatalf("%v, and %d bytes are held", err, cap(r.said.end.Bytes()))
			}
		}
		fmt.Fprintln(r, "the end of it")
		r.End(passed)
	}
	ev, shown := &machine.Evidence{}, filepath.Join(t.TempDir(), "shown.log")
	if err := r.Keep(ev, shown); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, shown} {
		info, err := os.Stat(file)
		if err != nil || info.Size() != ev.OutputBytes || info.Size() > 2*(maxBeginning+maxEnd+200) {
			t.Errorf("%s: %d bytes, %v", file, info.Size(), err)
		}
	}
	found := OutputsOf(shown, []machine.Check{passed, passed})
	whole, err := ReadBack(shown)
	for _, text := range []string{found[0], found[1], whole} {
		if err != nil || len(text) > 2*maxReadBack+100 || !strings.Contains(text, "xxx"+personas.CutMark) || !strings.HasSuffix(text, "the end of it\n"+machine.OutputEnd(passed)+"\n") {
			t.Errorf("%d bytes, %v: %.40q … %q", len(text), err, text, text[max(0, len(text)-60):])
		}
	}
}

func TestOutputsOfOneFileAreToldApart(t *testing.T) {
	long := strings.Repeat("x", maxReadBack)
	command := func(text string) machine.Check { return machine.Check{Command: text} }
	for name, c := range map[string]struct {
		text  string
		list  []string
		found map[int]string
	}{
		"nothing":             {"", []string{"a"}, nil},
		"one":                 {"$ a\nout\n", []string{"a"}, map[int]string{0: "out\n"}},
		"two":                 {"$ a\nout\n$ b\n$ b\nmore", []string{"a", "b"}, map[int]string{0: "out\n", 1: "$ b\nmore"}},
		"one without output":  {"$ a\n$ b\nout", []string{"a", "b"}, map[int]string{0: "", 1: "out"}},
		"one that is missing": {"$ a\nout\n", []string{"c", "a"}, map[int]string{1: "out\n"}},
		"a part of a line":    {"x$ a\n$ a b\n$ a\nout", []string{"a"}, map[int]string{0: "out"}},
		"of lines":            {"$ a\nb\nout", []string{"a\nb"}, map[int]string{0: "out"}},
		"across what is read at once": {
			"$ a\n" + long[:maxReadBack-7] + "\n$ b\nout", []string{"a", "b"}, map[int]string{0: long[:maxReadBack-7] + "\n", 1: "out"},
		},
	} {
		path := filepath.Join(t.TempDir(), "verify.log")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		var list []machine.Check
		for _, text := range c.list {
			list = append(list, command(text))
		}
		found := OutputsOf(path, list)
		if fmt.Sprint(found) != fmt.Sprint(c.found) {
			t.Errorf("%s: %.80v, want %.80v", name, found, c.found)
		}
	}
	if found := OutputsOf(filepath.Join(t.TempDir(), "none"), nil); found != nil {
		t.Errorf("of no file: %v", found)
	}
}
