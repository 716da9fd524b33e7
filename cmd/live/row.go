package live

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// span is a part of a row that looks alike.
type span struct {
	text string
	as   style
}

// row is one row of the terminal.
type row []span

func width(text string) int { return displaywidth.String(text) }

func (r row) width() int {
	n := 0
	for _, s := range r {
		n += width(s.text)
	}
	return n
}

// cut is the row in at most so many columns; where it goes on there is an ellipsis.
func (r row) cut(columns int, k Look) row {
	if r.width() <= columns {
		return r
	}
	more := k.Text("…")
	room := max(0, columns-width(more))
	var short row
	for _, s := range r {
		if n := width(s.text); n <= room {
			short, room = append(short, s), room-n
			continue
		}
		s.text = strings.TrimRight(displaywidth.TruncateString(s.text, room, ""), " ") + more
		return append(short, s)
	}
	return short
}

// between puts a row at the left and one at the right of a width; the left one is cut where both do not fit.
func between(left, right row, columns int, k Look) row {
	if len(right) == 0 {
		return left.cut(columns, k)
	}
	left = left.cut(max(0, columns-right.width()-2), k)
	gap := max(1, columns-left.width()-right.width())
	return append(append(left, span{text: strings.Repeat(" ", gap)}), right...).cut(columns, k)
}

// String is the row as a terminal without colours takes it.
func (r row) String() string { return r.shown(false) }

// shown is the row for a terminal.
func (r row) shown(color bool) string {
	var b strings.Builder
	for _, s := range r {
		if color && s.as != usual && s.text != "" {
			fmt.Fprintf(&b, "\x1b[%sm%s\x1b[m", s.as, s.text)
		} else {
			b.WriteString(s.text)
		}
	}
	return b.String()
}

// cells are the columns of the row: the second one of a wide character is empty.
func (r row) cells() []span {
	var cells []span
	for _, s := range r {
		for g := displaywidth.StringGraphemes(s.text); g.Next(); {
			if g.Width() == 0 {
				continue
			}
			cell := span{g.Value(), s.as}
			if cell.text == " " {
				cell.as = usual
			}
			cells = append(cells, cell)
			for range g.Width() - 1 {
				cells = append(cells, span{"", s.as})
			}
		}
	}
	return cells
}

// over is what makes the row of another that the cursor is in: what differs is written, the rest is passed over.
func (r row) over(other row, color bool) string {
	was, is := other.cells(), r.cells()
	for len(is) < len(was) {
		is = append(is, span{" ", usual})
	}
	var b strings.Builder
	for from := 0; from < len(is); from++ {
		if from < len(was) && is[from] == was[from] {
			continue
		}
		to := from
		var part row
		for ; to < len(is) && (to >= len(was) || is[to] != was[to]); to++ {
			if n := len(part); n > 0 && part[n-1].as == is[to].as {
				part[n-1].text += is[to].text
			} else {
				part = append(part, is[to])
			}
		}
		fmt.Fprintf(&b, "\x1b[%dG%s", from+1, part.shown(color))
		from = to
	}
	return b.String()
}
