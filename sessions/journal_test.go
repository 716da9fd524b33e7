package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"autopilot/autopilot/machine"
)

func line(t interface{ Fatal(...any) }, e machine.Event) []byte {
	b, err := encodeLine(e)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestLineIsPlainJSONWithTheChecksumLast(t *testing.T) {
	got := string(line(t, machine.Event{Rev: 7, Type: machine.Noted, Time: noon, Detail: "a<b"}))
	want := `{"rev":7,"type":"noted","time":"2025-03-04T12:00:00Z","detail":"a<b","crc":"34d03e08"}` + "\n"
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestJournalGivesBackWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var journal []byte
		var want []machine.Event
		for i := range rapid.IntRange(1, 8).Draw(t, "events") {
			e := machine.Event{
				Rev: int64(i + 1), Type: machine.EventType(rapid.String().Draw(t, "type")),
				Time:    time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "seconds"), 0).UTC(),
				Detail:  rapid.String().Draw(t, "detail"),
				Overlap: rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "overlap"),
			}
			want = append(want, e)
			journal = append(journal, line(t, e)...)
		}
		torn := rapid.IntRange(0, 30).Draw(t, "torn")
		whole := len(journal)
		journal = append(journal, line(t, machine.Event{Rev: int64(len(want) + 1)})[:torn]...)
		var got []machine.Event
		found, err := scan("j", newLineReader(bytes.NewReader(journal), 0, scanBuffer), 0, func(_, offset int64, line []byte) error {
			if offset > 0 && journal[offset-1] != '\n' {
				t.Errorf("offset %d is no beginning of a line", offset)
			}
			e, err := decodeLine(line)
			got = append(got, e)
			return err
		})
		if err != nil || found.end != int64(whole) || found.torn != int64(torn) || found.last != int64(len(want)) {
			t.Fatalf("found %+v, error %v", found, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	})
}

func TestDamageInTheJournalIsRefusedWithItsPlace(t *testing.T) {
	lines := make([]string, 5)
	for i := range lines {
		lines[i] = string(line(t, machine.Event{Rev: int64(i + 1), Type: machine.Noted, Time: noon}))
	}
	two := int64(len(lines[0]) + len(lines[1]))
	for name, c := range map[string]struct {
		text   string
		offset int64
		why    string
	}{
		"doubled line":      {lines[0] + lines[1] + lines[1] + lines[2], two, "revision 2 follows revision 2"},
		"doubled last line": {lines[0] + lines[1] + lines[1], two, "revision 2 follows revision 2"},
		"gap":               {lines[0] + lines[1] + lines[3], two, "revision 4 follows revision 2"},
		"late beginning":    {lines[1] + lines[2], 0, "revision 2 follows revision 0"},
		"empty line":        {lines[0] + lines[1] + "\n" + lines[2], two, "does not begin with a revision"},
		"no checksum":       {lines[0] + lines[1] + `{"rev":3,"type":"noted"}` + "\n" + lines[3], two, "no checksum"},
		"wrong checksum":    {lines[0] + lines[1] + strings.Replace(lines[2], "noted", "noted ", 1) + lines[3], two, "does not match"},
		"joined lines":      {lines[0] + lines[1] + strings.TrimSuffix(lines[2], "\n") + lines[3], two, "more than the last"},
	} {
		_, err := scan("j", newLineReader(strings.NewReader(c.text), 0, scanBuffer), 0, func(int64, int64, []byte) error { return nil })
		var bad *UnreadableError
		if !errors.As(err, &bad) || bad.Offset != c.offset || !strings.Contains(bad.Why, c.why) {
			t.Errorf("%s: %v, want %q at %d", name, err, c.why, c.offset)
		}
		if bad != nil && !strings.Contains(bad.Error(), "--restart") {
			t.Errorf("%s: no way out in %q", name, bad)
		}
	}
}

func BenchmarkEncodeLine(b *testing.B) {
	e := machine.Event{Rev: 1, Type: machine.Noted, Time: noon, Detail: strings.Repeat("x", 200)}
	for b.Loop() {
		line(b, e)
	}
}

func TestOnlyTheSealOfALineIsTakenForIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := sealedLine(t)
		if _, why := lineRev(line); why != "" {
			t.Fatalf("%s is refused: %s", line, why)
		}
		at := rapid.IntRange(len(line)-crcBytes, len(line)-1).Draw(t, "at")
		line[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "change"))
		if _, why := lineRev(line); why == "" {
			t.Errorf("%s is taken", line)
		}
	})
}

// sealedLine draws a line of a journal, without its newline.
func sealedLine(t *rapid.T) []byte {
	body := fmt.Appendf(nil, "%s%d,%q:1", revKey, rapid.IntRange(1, 1000).Draw(t, "revision"), rapid.String().Draw(t, "key"))
	seal := sealOf(body)
	return append(body, seal[:]...)
}

func TestTheRevisionOfALineIsReadAsANumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-+]?[0-9]{0,20}[a-z ]?`).Draw(t, "text")
		want, err := strconv.ParseInt(text, 10, 64)
		for _, end := range []string{"", ",", `,"type":"noted"`} {
			if rev, ok := leadingRev([]byte(text + end)); ok != (err == nil) || ok && rev != want {
				t.Errorf("%q: %d %v, want %d %v", text+end, rev, ok, want, err)
			}
		}
	})
}
