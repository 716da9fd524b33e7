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
}

// What a terminal is told. One that does not know synchronized output passes over it.
const (
	hold    = "\x1b[?2026h"
	release = "\x1b[?2026l"
	below   = "\x1b[J" // erases from the cursor on; erasing row by row would glue rows when the terminal is widened
)

// draw prints lines that stay, and the rows below them, in a terminal of a width.
func (g *region) draw(lines, rows []row, width int) error {
	var b strings.Builder
	if len(lines) == 0 && len(rows) == len(g.rows) && width == g.width {
		b.WriteString(g.changes(rows))
	} else {
		b.WriteString(g.top(width))
		for _, line := range lines {
			b.WriteString(line.shown(g.color) + "\r\n")
		}
		for i, r := range rows {
			if i > 0 {
				b.WriteString("\r\n")
			}
			b.WriteString(r.shown(g.color))
		}
		if len(rows) > 0 {
			b.WriteString("\r")
		}
	}
	g.rows, g.width = rows, width
	if b.Len() == 0 {
		return nil
	}
	_, err := io.WriteString(g.out, hold+b.String()+release)
	return err
}

// top moves the cursor to the first of the rows that stand there, and erases them. A terminal that was narrowed since has
// broken those that are too long: each stands in as many rows as it now needs.
func (g *region) top(width int) string {
	if len(g.rows) == 0 {
		return ""
	}
	up := 0
	for _, r := range g.rows[:len(g.rows)-1] {
		up += max(1, (r.width()+width-1)/max(1, width))
	}
	if up == 0 {
		return "\r" + below
	}
	return fmt.Sprintf("\r\x1b[%dA%s", up, below)
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
		if at > i {
			fmt.Fprintf(&b, "\x1b[%dA", at-i)
		} else if at < i {
			fmt.Fprintf(&b, "\x1b[%dB", i-at)
		}
		b.WriteString(text)
		at = i
		if n := g.rows[i].width() - r.width(); n > 0 { // blanks stand there now, and break as words do
			rows[i] = append(slices.Clone(r), span{strings.Repeat(" ", n), usual})
		}
	}
	if down := len(rows) - 1 - at; down > 0 {
		fmt.Fprintf(&b, "\x1b[%dB", down)
	}
	if b.Len() > 0 {
		b.WriteByte('\r')
	}
	return b.String()
}
