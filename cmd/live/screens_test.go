package live

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/term"

	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

var update = flag.Bool("update", false, "write the golden screens again")

// glass is a terminal: what is written to its file goes through a pseudo-terminal into an emulator.
type glass struct {
	t       *testing.T
	file    *os.File
	screen  *vt.Emulator
	mu      sync.Mutex
	read    int
	more    *sync.Cond
	written int
}

func newGlass(t *testing.T, columns, rows int) *glass {
	t.Helper()
	keys, file, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _, _ = keys.Close(), file.Close() })
	if _, err := term.MakeRaw(int(file.Fd())); err != nil { // so that each byte arrives as it is
		t.Fatal(err)
	}
	g := &glass{t: t, file: file, screen: vt.NewEmulator(columns, rows)}
	g.more = sync.NewCond(&g.mu)
	g.resize(columns, rows)
	go func() { _, _ = io.Copy(io.Discard, g.screen) }() // what it answers
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := keys.Read(buffer)
			if err != nil {
				return
			}
			g.mu.Lock()
			_, _ = g.screen.Write(bytes.ReplaceAll(bytes.ReplaceAll(buffer[:n], []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")))
			g.read += n
			g.more.Broadcast()
			g.mu.Unlock()
		}
	}()
	return g
}

func (g *glass) resize(columns, rows int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := pty.Setsize(g.file, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		g.t.Fatal(err)
	}
	g.screen.Resize(columns, rows)
}

// Write counts what has to arrive.
func (g *glass) Write(p []byte) (int, error) {
	n, err := g.file.Write(p)
	g.written += n
	return n, err
}

// String is what stands on the screen, once all has arrived.
func (g *glass) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.read < g.written {
		g.more.Wait()
	}
	var lines []string
	for line := range strings.SplitSeq(g.screen.String(), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// host is one whose standard error is the glass.
func (g *glass) host(now func() time.Time) *console.Host {
	size := func(rows bool) func() int {
		return func() int {
			height, columns, err := pty.Getsize(g.file)
			if err != nil {
				g.t.Error(err)
			}
			return map[bool]int{false: columns, true: height}[rows]
		}
	}
	return &console.Host{In: strings.NewReader(""), Err: g, Now: now, Width: size(false), Height: size(true), Environ: []string{"LANG=C.UTF-8"}}
}

func allActions() Actions {
	none := func(context.Context) error { return nil }
	return Actions{
		Pause: func() error { return nil }, Note: func(string) error { return nil }, Stop: func() {},
		Open: map[rune]func(context.Context) error{'d': none, 'l': none, 'v': none},
	}
}

// shows is a live view of a session on a glass, without its loop: the test draws.
func shows(g *glass, look Look, s *view.Session, at *time.Time) *Live {
	l := New(Options{
		Host: g.host(func() time.Time { return *at }), Look: look, Region: true, Actions: allActions(),
		Session: func(time.Time) (view.Session, []view.Line, bool) { return *s, nil, true },
	})
	l.begun = at.Add(-time.Hour)
	return l
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "screens", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(want, []byte(got)) {
		t.Errorf("%s (%v):\n%s\nwant\n%s", path, err, got, want)
	}
}

func TestScreens(t *testing.T) {
	for _, columns := range []int{60, 80, 140} {
		for name, s := range situations() {
			t.Run(fmt.Sprintf("%s %d", name, columns), func(t *testing.T) {
				g, at := newGlass(t, columns, 24), noon
				l := shows(g, Look{Color: true}, &s, &at)
				l.Add(lineOf(day(15, 1), "Phase 2 of 3 · Rule engine"))
				l.draw()
				golden(t, fmt.Sprintf("%s-%d", strings.ReplaceAll(name, " ", "-"), columns), g.String())
			})
		}
		t.Run(fmt.Sprintf("transcript %d", columns), func(t *testing.T) {
			g, at, s := newGlass(t, columns, 36), noon, sample()
			l := shows(g, Look{Color: true}, &s, &at)
			l.Add(header(s)...)
			l.Add(past()...)
			l.draw()
			golden(t, fmt.Sprintf("transcript-%d", columns), g.String())
		})
		t.Run(fmt.Sprintf("stopping %d", columns), func(t *testing.T) {
			g, at, s := newGlass(t, columns, 24), noon, sample()
			l := shows(g, Look{}, &s, &at)
			l.stop()
			at = at.Add(3 * time.Second)
			l.draw()
			golden(t, fmt.Sprintf("stopping-%d", columns), g.String())
		})
		t.Run(fmt.Sprintf("ascii %d", columns), func(t *testing.T) {
			g, at, s := newGlass(t, columns, 36), noon, sample()
			l := shows(g, Look{ASCII: true}, &s, &at)
			l.Add(past()...)
			l.draw()
			golden(t, fmt.Sprintf("ascii-%d", columns), g.String())
		})
	}
}
