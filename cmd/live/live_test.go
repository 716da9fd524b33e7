package live

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// TestTwoHoursAreFewBytes: a terminal behind a slow line takes at most 30 KB a minute at 80 columns, lanes and lines included.
func TestTwoHoursAreFewBytes(t *testing.T) {
	var out strings.Builder
	at, s := noon, situations()["many lanes"]
	h := &console.Host{Err: &out, Now: func() time.Time { return at }, Width: func() int { return 80 }, Height: func() int { return 24 }}
	l := New(Options{Host: h, Look: Look{Color: true}, Region: true, Actions: allActions(), Session: func(time.Time) (view.Session, []view.Line, bool) { return s, nil, true }})
	for minute := range 120 {
		before := out.Len()
		for second := range 60 {
			at = at.Add(time.Second)
			for i := range s.Works {
				s.Works[i].LastLine, s.Works[i].LastLineAt = fmt.Sprintf("Editing file %d of many, line %d", i, second), at
			}
			if second%10 == 0 {
				l.Add(past()[second%len(past())])
			}
			l.draw()
		}
		if n := out.Len() - before; n > 30<<10 {
			t.Fatalf("minute %d wrote %d bytes", minute, n)
		}
	}
	t.Logf("%d bytes a minute", out.Len()/120)
}

func TestNoRowIsLeftBehindByAResize(t *testing.T) {
	g, at, s := newGlass(t, 80, 24), noon, sample()
	l := shows(g, Look{Color: true}, &s, &at)
	l.Add(header(s)...)
	l.Add(past()...)
	l.draw()
	for _, columns := range []int{50, 90, 40, 39, 80} {
		g.resize(columns, 24)
		at = at.Add(time.Second)
		l.draw()
		at = at.Add(time.Second)
		l.draw()
		want := 1
		if columns < least {
			want = 0
		}
		for _, once := range []string{"Parse the rules ·", "plan ✓", "ago\n"} {
			if n := strings.Count(g.String(), once); n != want {
				t.Errorf("at %d columns %q stands there %d times:\n%s", columns, once, n, g)
			}
		}
	}
}

// TestLinesTakeTheRoomFirst: a narrowing leaves empty rows above the region, which stays where it was; lines do not.
func TestLinesTakeTheRoomFirst(t *testing.T) {
	g, at, s := newGlass(t, 80, 24), noon, sample()
	l := shows(g, Look{}, &s, &at)
	l.Add(lineOf(day(15, 1), "one"))
	l.draw()
	foot := strings.Count(g.String(), "\n")
	g.resize(50, 24)
	l.draw()
	if narrowed := strings.Count(g.String(), "\n"); narrowed <= foot {
		t.Errorf("the region's last row is number %d, and was number %d:\n%s", narrowed, foot, g)
	}
	l.Add(lineOf(day(15, 2), "two"), lineOf(day(15, 3), "three"))
	foot = strings.Count(g.String(), "\n")
	l.draw()
	if shown := g.String(); !strings.HasPrefix(shown, "15:02  two\n15:03  three\n") || // the emulator breaks no row: one more was erased
		strings.Count(shown, "\n") != foot {
		t.Errorf("shown, with the last row of the region once in row %d:\n%s", foot, shown)
	}
}

func TestWhatIsFinishedStays(t *testing.T) {
	g, at, s := newGlass(t, 80, 10), noon, sample()
	l := shows(g, Look{}, &s, &at)
	for i := range 30 {
		l.Add(lineOf(day(15, 1), fmt.Sprintf("line %d", i)))
		l.draw()
	}
	l.End()
	all := g.String()
	for y := range g.screen.ScrollbackLen() {
		for x := range 20 {
			if cell := g.screen.ScrollbackCellAt(x, y); cell != nil {
				all += cell.Content
			}
		}
		all = strings.TrimRight(all, " ") + "\n"
	}
	for i := range 30 {
		if n := strings.Count(all, fmt.Sprintf("line %d\n", i)); n != 1 {
			t.Errorf("line %d stands there %d times", i, n)
		}
	}
	if strings.Contains(all, "Parse the rules ·") {
		t.Errorf("the region is left behind:\n%s", all)
	}
}

// pressed is a view whose keys a test presses.
func pressed(t *testing.T, actions Actions, keys string) (*Live, string) {
	t.Helper()
	g, at, s := newGlass(t, 80, 24), noon, sample()
	l := shows(g, Look{}, &s, &at)
	l.Actions = actions
	for _, key := range keys {
		l.press(t.Context(), key)
		l.draw()
	}
	return l, g.String()
}

func TestKeys(t *testing.T) {
	var did []string
	do := func(what string) { did = append(did, what) }
	actions := Actions{
		Pause: func() error { do("pause"); return nil }, Stop: func() { do("stop") },
		Note: func(text string) error { do("note " + text); return errors.New("the inbox is full") },
		Open: map[rune]func(context.Context) error{'d': func(context.Context) error { do("diff"); return nil }},
	}
	for _, c := range []struct{ keys, did, shown string }{
		{"p", "pause", "  Pauses after this task"},
		{"q", "", "  Stop this run? y/N"},
		{"qn", "", "p pause · d diff · n note · ? help"},
		{"qy", "stop", "p pause"},
		{"nuse vö\x7f2", "", "  note: use v2_"},
		{"nuse v2\n", "note use v2", "  the inbox is full"},
		{"nuse\x1b", "", "p pause"},
		{"d", "diff", "p pause"},
		{"l", "", "p pause"},
		{"?", "", "  p  pause after this task"},
		{"?x", "", "p pause"},
	} {
		did = nil
		if _, shown := pressed(t, actions, c.keys); strings.Join(did, ", ") != c.did || !strings.Contains(shown, c.shown) {
			t.Errorf("%q did %q and showed\n%s", c.keys, did, shown)
		}
	}
}

func TestWhoWatchesLeaves(t *testing.T) {
	left := false
	if _, shown := pressed(t, Actions{Leave: func() { left = true }}, "q"); !left || !strings.Contains(shown, "q leave, the run goes on") {
		t.Errorf("left: %v\n%s", left, shown)
	}
}

func TestWarningsAreSaidAndSecretsAreNot(t *testing.T) {
	g, at, s := newGlass(t, 80, 24), noon, sample()
	s.Works[0].LastLine = "the key is hunter2"
	l := shows(g, Look{Mask: func(text string) string { return strings.ReplaceAll(text, "hunter2", "***") }}, &s, &at)
	l.Report(journal.Note{Event: "warning", Text: "hunter2 is no\x1b[2J file\nautopilot doctor"})
	l.Report(journal.Note{Event: "state", Text: "EXECUTE"})
	l.Report(journal.Note{Event: "agent", Text: "thinking", Detail: true})
	l.draw()
	shown := g.String()
	if !strings.Contains(shown, "15:33  ! *** is no·[2J file\n           autopilot doctor\n") || !strings.Contains(shown, "the key is ***") {
		t.Errorf("shown:\n%s", shown)
	}
	if strings.Contains(shown, "EXECUTE") || strings.Contains(shown, "thinking") {
		t.Errorf("shown:\n%s", shown)
	}
}

func TestWithoutARegionALineSaysThatItIsAtWork(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Live)
		after  time.Duration
		want   string
	}{
		"a small terminal": {func(l *Live) { l.Host.Height = func() int { return 7 } }, time.Minute, "15:34  ... task 2 of 5, attempt 2, executor 4:12, $0.18, output 1m ago\n"},
		"read aloud":       {func(l *Live) { l.Accessible, l.past.accessible = true, true }, 5 * time.Minute, "15:38  ... task 2 of 5, attempt 2, executor 8:12, $0.18, output 5m ago\n"},
	} {
		g, at, s := newGlass(t, 100, 24), noon, sample()
		l := shows(g, Look{}, &s, &at)
		c.change(l)
		l.printed = at
		at = at.Add(c.after - time.Second)
		l.draw()
		quiet := g.String()
		at = at.Add(time.Second)
		l.draw()
		if quiet != "\n" || g.String() != c.want {
			t.Errorf("%s: %q, then %q", name, quiet, g)
		}
	}
}

func TestWhoHasItReadAloudHearsWords(t *testing.T) {
	g, at, s := newGlass(t, 100, 24), noon, sample()
	l := shows(g, Look{}, &s, &at)
	l.Accessible, l.past.accessible = true, true
	l.Add(past()[3:5]...)
	l.press(t.Context(), '\n')
	l.draw()
	for _, want := range []string{"14:13  done: 1/3 Store", "14:21  failed: 2/3 Read", "15:33  task 2 of 5, attempt 2, executor 3:12, $0.18, output 4s ago. Last output: Editing"} {
		if !strings.Contains(g.String(), want) {
			t.Errorf("%q is missing in\n%s", want, g)
		}
	}
}

func TestAnotherDayIsNamed(t *testing.T) {
	g, at, s := newGlass(t, 80, 24), noon, sample()
	l := shows(g, Look{}, &s, &at)
	l.Region = false
	l.Add(lineOf(day(23, 59), "late"), lineOf(day(24, 1), "early"))
	l.draw()
	if want := "23:59  late\n── Thu 26 Nov\n00:01  early\n"; g.String() != want {
		t.Errorf("shown:\n%s", g)
	}
}

func TestAStoppedRunSaysWhatResumesIt(t *testing.T) {
	g, at, s := newGlass(t, 80, 24), noon, sample()
	l := shows(g, Look{}, &s, &at)
	l.draw()
	l.stop()
	l.End()
	l.Stopped("task 2 of 5 (Parse the rules)")
	if want := "15:33  Stopped during task 2 of 5 (Parse the rules). Everything is saved.\n         Resume: autopilot docs/limits.md\n"; strings.TrimLeft(g.String(), "\n") != want {
		t.Errorf("shown:\n%s", g)
	}
}
