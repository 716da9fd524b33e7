package live

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// inTmux is set where this test's program draws in a terminal of tmux.
const inTmux = "DRAWS_IN_TMUX"

// TestNoRowIsLeftInTmux: tmux wraps rows again at each width, and moves those that do not fit into its scrollback.
func TestNoRowIsLeftInTmux(t *testing.T) {
	if os.Getenv(inTmux) != "" {
		drawOn()
		return
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip(err)
	}
	for name, before := range map[string]string{"at the bottom": "seq 40", "on a cleared screen": "clear"} {
		t.Run(name, func(t *testing.T) {
			tmux := newTmux(t, 100, before+"; exec "+os.Args[0]+" -test.run "+"TestNoRowIsLeftInTmux")
			tmux.drawn(100)
			for _, columns := range []int{60, 120, 50, 80, 60, 120, 50, 80} {
				tmux.do("resize-window", "-x", fmt.Sprint(columns), "-y", "24")
				tmux.drawn(columns)
				for where, shown := range map[string]string{"the screen": tmux.do("capture-pane", "-pJ"), "the scrollback": tmux.do("capture-pane", "-pJ", "-S", "-")} {
					if n := strings.Count(shown, "Parse the rules ·"); n != 1 {
						t.Fatalf("at %d columns the region is %d times in %s:\n%s", columns, n, where, shown)
					}
				}
			}
		})
	}
}

// drawOn draws a session, until its terminal is gone.
func drawOn() {
	h, s := console.System(), sample()
	h.Now = func() time.Time { return noon }
	l := New(Options{Host: &h, Region: true, Actions: allActions(), Session: func(time.Time) (view.Session, []view.Line, bool) { return s, nil, true }})
	l.begun = noon.Add(-time.Hour)
	l.Add(past()...)
	l.loop(context.Background())
}

// tmux is a terminal that wraps its rows again when it is resized. The emulator of the other tests does not.
type tmux struct {
	t      *testing.T
	socket string
}

func newTmux(t *testing.T, columns int, command string) tmux {
	t.Helper()
	m := tmux{t, t.TempDir()}
	t.Setenv(inTmux, "1")
	m.do("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(columns), "-y", "24", command)
	t.Cleanup(func() { m.do("kill-server") })
	return m
}

func (m tmux) do(args ...string) string {
	m.t.Helper()
	c := exec.Command("tmux", append([]string{"-S", m.socket + "/tmux"}, args...)...)
	out, err := c.CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// drawn waits until the last row of the region is as wide as the terminal.
func (m tmux) drawn(columns int) {
	m.t.Helper()
	for range 3000 {
		for row := range strings.SplitSeq(m.do("capture-pane", "-p"), "\n") {
			if strings.HasPrefix(row, "  p ") && strings.Contains(row, " stop") && utf8.RuneCountInString(row) == columns {
				return
			}
		}
	}
	m.t.Fatalf("nothing is drawn at %d columns:\n%s", columns, m.do("capture-pane", "-p"))
}
