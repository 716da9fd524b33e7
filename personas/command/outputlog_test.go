package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written gives output to a log in pieces, and returns what the log's folder holds then.
func written(t *testing.T, dir, text string, piece int, end bool) map[string]string {
	t.Helper()
	l, err := openOutputLog(dir, 100)
	if err != nil {
		t.Fatal(err)
	}
	for len(text) > 0 {
		now := text[:min(piece, len(text))]
		if n, err := l.Write([]byte(now)); n != len(now) || err != nil {
			t.Fatal(n, err)
		}
		text = text[len(now):]
	}
	if end {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{}
	found, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range found {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(f)] = string(text)
	}
	return files
}

// digits are n bytes of which each tells its place.
func digits(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte(byte('0' + i/10%10))
	}
	return b.String()
}

func TestOfMuchOutputBeginningAndEndAreKept(t *testing.T) {
	const begins, cut = "\n== the beginning ends here; until the program has ended, its last output is in output.log.end\n", " bytes are left out here; the end follows\n"
	const nothing = "\n== nothing is left out here; the end follows\n"
	text := digits(1000)
	for n, want := range map[int]string{
		0: "", 99: text[:99], 100: text[:100],
		101: text[:100] + begins + nothing + text[100:101],
		200: text[:100] + begins + nothing + text[100:200],
		201: text[:100] + begins + "\n== 50" + cut + text[150:201],
		999: text[:100] + begins + "\n== 800" + cut + text[900:999],
	} {
		for _, piece := range []int{1, 7, 1000} {
			if files := written(t, t.TempDir(), text[:n], piece, true); len(files) != 1 || files[outputName] != want {
				t.Errorf("%d bytes in pieces of %d: %q, want %q", n, piece, files, want)
			}
		}
	}
}

func TestEndThatAKilledProcessLeftIsPutInItsPlace(t *testing.T) {
	dir, text := t.TempDir(), digits(230)
	killed := written(t, dir, text, 30, false)
	if killed["output.log.before-end"] != text[150:200] || killed["output.log.end"] != text[200:] {
		t.Fatalf("left behind: %q", killed)
	}
	files := written(t, dir, "again", 30, true)
	log := files[outputName]
	if len(files) != 1 || !strings.HasPrefix(log, text[:100]+"\n== the beginning ends here") ||
		!strings.Contains(log, "\n== of what an earlier process kept of the end, more may be missing; the end follows\n"+text[150:]+"\n== the beginning") ||
		!strings.HasSuffix(log, "\n== nothing is left out here; the end follows\nagain") {
		t.Errorf("%d files, the log is %q", len(files), log)
	}
}

func TestOutputLogThatCannotBeWrittenIsAnError(t *testing.T) {
	l, err := openOutputLog(t.TempDir(), 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(l.newer(), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Write([]byte(digits(11))); err == nil {
		t.Error("a lost end was not told")
	}
	if err := l.Close(); err == nil {
		t.Error("nor when it was closed")
	}
}
