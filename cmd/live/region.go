package live

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// region is the bottom of a terminal that is drawn again and again, below lines that stay. Nobody else may write there
// meanwhile.
type region struct {
	out   io.Writer
	color bool
	rows  []row // that stand there; the cursor is at the beginning of the last one
	width int   // of the terminal when they were drawn
	room  int   // empty rows above them, which lines take first
}

// What a terminal is told. One that does not know synchronized output passes over it.
const (
	hold    = "\x1b[?2026h"
	release = "\x1b[?2026l"
	// Erases from the cursor on: by rows would glue them when widened; from the first cell on has tmux save the screen as scrollback.
	below = "\x1b[C\x1b[J\r\x1b[X"
)

// draw prints lines that stay, and the rows below them, in a terminal of a width and a height.
func (g *region) draw(lines, rows []row, width, height int) error {
	rows = g.spaced(len(lines), rows, width, height)
	var text string
	if len(lines) == 0 && len(rows) == len(g.rows) && width == g.width {
		text = g.changes(rows)
	} else {
		text = g.top(width)
		for _, r := range slices.Concat(lines, rows) {
			text += r.shown(g.color) + "\r\n"
		}
		if len(rows) > 0 {
			text = strings.TrimSuffix(text, "\n")
		}
	}
	g.rows, g.width = rows, width
	if text == "" {
		return nil
	}
	_, err := io.WriteString(g.out, hold+text+release)
	return err
}

// spaced are the rows with the room above them. What breaks in a narrower terminal pushes as many rows out of it at the top, and tmux
// does so even while rows below are empty: a region that moved up each time would end in the scrollback, where nothing erases it.
func (g *region) spaced(lines int, rows []row, width, height int) []row {
	g.room = max(0, g.room-lines)
	if width < g.width {
		g.room = max(g.room, broken(g.rows, width)-len(g.rows))
	}
	g.room = max(0, min(g.room, height-len(rows)-2))
	if len(rows) == 0 {
		g.room = 0
	}
	return append(make([]row, g.room), rows...)
}

// broken is how many rows of a terminal of a width those need that were drawn in a wider one.
func broken(rows []row, width int) int {
	n := 0
	for _, r := range rows {
		n += max(1, (r.width()+width-1)/max(1, width))
	}
	return n
}

// top moves the cursor to the first row that was drawn, and erases all of them.
func (g *region) top(width int) string {
	if len(g.rows) == 0 {
		return ""
	}
	return "\r" + down(-broken(g.rows[:len(g.rows)-1], width)) + below
}

// changes writes over the rows what differs; "" where nothing does.
func (g *region) changes(rows []row) string {
	var b strings.Builder
	at := len(rows) - 1
	for i, r := range rows {
		text := r.over(g.rows[i], g.color)
		if text == "" {
			continue
		}
		b.WriteString(down(i-at) + text)
		at = i
		if n := g.rows[i].width() - r.width(); n > 0 { // blanks stand there now, and break as words do
			rows[i] = append(slices.Clone(r), span{strings.Repeat(" ", n), usual})
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + down(len(rows)-1-at) + "\r"
}

// down moves the cursor by rows, upwards where there are fewer than none.
func down(rows int) string {
	switch {
	case rows > 0:
		return fmt.Sprintf("\x1b[%dB", rows)
	case rows < 0:
		return fmt.Sprintf("\x1b[%dA", -rows)
	}
	return ""
}
