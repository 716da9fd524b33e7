package taskfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestLogLinesStayWhole(t *testing.T) {
	s := storeIn(t, t.TempDir())
	if s.Tail(100) != "" || s.LastLines(5) != nil {
		t.Error("a log that is not there says something")
	}
	write(t, s, ProgressName, "an old line\nhalf a li")
	for _, line := range []ProgressLine{
		{Session: 1, Type: "INIT", Message: "begun\nhere"},
		{Session: 1, Type: "Starting", Task: "a\r\nb", Message: "Add (base=c0ffee)", Time: noon.Add(1)},
	} {
		if err := s.Log(line); err != nil {
			t.Fatal(err)
		}
	}
	want := "an old line\nhalf a li\n[2025-03-04T12:00:00Z] [SESSION-1] INIT begun here\n" +
		"[2025-03-04T12:00:00Z] [SESSION-1] Starting [a b] Add (base=c0ffee)\n"
	if got := text(t, s, ProgressName); got != want {
		t.Errorf("got %q", got)
	}
	if got := s.LastLines(2); len(got) != 2 || !strings.HasSuffix(got[0], "begun here") {
		t.Errorf("the last lines are %q", got)
	}
	if got := s.LastLines(100); len(got) != 4 {
		t.Errorf("all lines are %q", got)
	}
	if got := s.LastLines(0); got != nil {
		t.Errorf("no lines are %q", got)
	}
}

func TestTheTailBeginsWithAWholeLine(t *testing.T) {
	s := storeIn(t, t.TempDir())
	write(t, s, ProgressName, "one\ntwo\r\nthr\xffee\n")
	for n, want := range map[int]string{
		0: "", 5: "", 7: "thr\uFFFDee\n", 11: "thr\uFFFDee\n", 12: "two\r\nthr\uFFFDee\n", 16: "one\ntwo\r\nthr\uFFFDee\n", 1000: "one\ntwo\r\nthr\uFFFDee\n",
	} {
		if got := s.Tail(n); got != want {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
	if got := s.LastLines(2); !slices.Equal(got, []string{"two", "thr\uFFFDee"}) {
		t.Errorf("the last lines are %q", got)
	}
}

func TestManyMayLogAtOnce(t *testing.T) {
	s := storeIn(t, t.TempDir())
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 20 {
				if err := s.Log(ProgressLine{Type: "STATS", Message: fmt.Sprintf("%d-%d %s", i, n, strings.Repeat("x", 500))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	lines := strings.Split(strings.TrimSuffix(text(t, s, ProgressName), "\n"), "\n")
	if len(lines) != 160 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, "[2025-03-04T12:00:00Z] [SESSION-0] STATS ") || !strings.HasSuffix(l, " "+strings.Repeat("x", 500)) {
			t.Errorf("a broken line: %q", l)
		}
	}
}

func TestMarkersFollowTheWork(t *testing.T) {
	s := storeIn(t, t.TempDir())
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Finish())
	if s.Active() || s.Reflecting() {
		t.Error("what never began is finished")
	}
	must(s.Activate())
	must(s.Activate())
	must(s.SetCounter(3, 7))
	if blocks, completed := s.Counter(); !s.Active() || blocks != 3 || completed != 7 || text(t, s, CounterName) != "3,7" {
		t.Errorf("active %t, counter %d,%d in %q", s.Active(), blocks, completed, text(t, s, CounterName))
	}
	must(s.Finish())
	if got := names(t, s); s.Active() || !s.Reflecting() || !slices.Equal(got, []string{ReflectName}) {
		t.Errorf("the folder holds %q", got)
	}
	must(s.Finish())
	must(s.EndReflection())
	must(s.EndReflection())
	must(s.ResetCounter())
	if got := names(t, s); s.Reflecting() || len(got) != 0 {
		t.Errorf("the folder holds %q", got)
	}
}

func TestACounterThatCannotBeReadIsNone(t *testing.T) {
	s := storeIn(t, t.TempDir())
	for text, want := range map[string]string{
		"": "0 0", "3": "0 0", "a,b": "0 0", "-1,2": "0 0", "1,-2": "0 0", " 2 , 5 \n": "2 5", "1,2,3": "0 0", "99999999999999999999,1": "0 0",
	} {
		write(t, s, CounterName, text)
		if a, b := s.Counter(); fmt.Sprint(a, b) != want {
			t.Errorf("%q: %d %d", text, a, b)
		}
	}
}

func TestMarkersThatCannotBeWrittenAreTold(t *testing.T) {
	s := storeIn(t, filepath.Join(t.TempDir(), "nowhere"))
	for what, err := range map[string]error{
		"Activate": s.Activate(), "SetCounter": s.SetCounter(1, 1), "Log": s.Log(ProgressLine{Type: "INIT"}),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	s = storeIn(t, t.TempDir())
	if err := os.MkdirAll(filepath.Join(s.Root, CounterName, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	a, b := s.Counter()
	if err := s.ResetCounter(); err == nil || a != 0 || b != 0 {
		t.Errorf("a folder as counter: %d,%d, %v", a, b, err)
	}
}
