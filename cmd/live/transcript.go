package live

import (
	"strings"
	"time"
	"unicode/utf8"

	"autopilot/autopilot/words"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// transcript draws the lines that stay: each once, the day where it changes.
type transcript struct {
	Look
	columns    int
	accessible bool // words before signs
	plain      bool // for a file: times to the second, and no line is broken
	day        string
}

// said are words for marks, for who has the lines read aloud.
var said = map[view.Mark]string{view.Passed: "done: ", view.Broken: "failed: ", view.Asking: "question: ", view.Skipped: "skipped: "}

// line is one line of the session, with the day before it where that is another.
func (t *transcript) line(l view.Line) []row {
	if l.Kind == headKind {
		return t.heading(l.Text)
	}
	at := l.At.Local()
	lines := t.dayChange(at)
	begin := row{t.of(t.clock(at)+"  ", faint)}
	sign, marked := signs[l.Mark]
	if l.Kind == "warning" {
		sign, marked = span{"!", yellow}, true
	}
	switch {
	case t.accessible:
		begin = append(begin, t.of(said[l.Mark], usual))
	case marked:
		begin = append(begin, t.of(sign.text+" ", sign.as))
	}
	as := usual
	if l.Kind == "phase" && !marked {
		as = bold
	}
	text := t.reduced(t.Told(l.Text))
	right := t.right(l)
	indent := strings.Repeat(" ", begin.width())
	if room := t.columns - begin.width(); width(text) > room && t.plain {
		lines = append(lines, append(begin, span{text, as}))
	} else if width(text) > room {
		for i, part := range strings.Split(console.Wrapped(text, max(room, console.Narrowest), 0), "\n") {
			if i > 0 {
				begin = row{{indent, usual}}
			}
			lines = append(lines, append(begin, span{part, as}))
		}
	} else {
		for right.width() > 0 && width(text)+1+right.width() > room {
			right = right[:len(right)-1] // the cost, then the time
		}
		lines = append(lines, t.spread(append(begin, span{text, as}), right))
	}
	for _, detail := range l.Detail {
		lines = append(lines, t.detail(indent+"  ", detail)...)
	}
	return lines
}

// clock is the time of a line.
func (t *transcript) clock(at time.Time) string {
	if t.plain {
		return at.Format(time.TimeOnly)
	}
	return clock(at)
}

// spread puts the time that a line took, and its cost, into their columns.
func (t *transcript) spread(left, right row) row {
	switch len(right) {
	case 0:
		return left
	case 1: // below the times of the lines that have a cost
		if blank := len("  $0.00"); left.width()+1+right.width()+blank <= t.columns && !t.narrow() {
			return between(left, right, t.columns-blank, t.Look)
		}
	}
	return between(left, right, t.columns, t.Look)
}

func (t *transcript) narrow() bool { return t.columns < narrow }

// right is how long a line took, and what it cost.
func (t *transcript) right(l view.Line) row {
	if l.Seconds < 1 {
		return nil
	}
	right := row{t.of(words.Seconds(l.Seconds), faint)}
	if l.USD > 0 && !t.narrow() {
		right = append(right, t.of("  "+dollars(l.USD), faint))
	}
	return right
}

// reduced is a text with less in it where the terminal is narrow: of how many attempts, and which lines changed.
func (t *transcript) reduced(text string) string {
	if !t.narrow() {
		return text
	}
	dot := t.Text(" · ")
	var parts []string
	for _, part := range strings.Split(text, dot) {
		if words := strings.Fields(part); len(words) == 4 && words[0] == "attempt" && words[2] == "of" {
			part = words[0] + " " + words[1]
		} else if strings.HasPrefix(part, "+") || strings.Contains(part, " files +") || strings.Contains(part, " file +") {
			continue
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, dot)
}

// detail is a line below another one. A command in it stays whole, to be copied.
func (t *transcript) detail(indent, text string) []row {
	indent += strings.Repeat(" ", len(text)-len(strings.TrimLeft(text, " \t")))
	text = t.Told(text)
	if before, command, is := strings.Cut(text, "autopilot "); is && (before == "" || strings.HasSuffix(before, ": ")) {
		return []row{{{indent + before, faint}, {"autopilot " + command, cyan}}}
	}
	if t.plain {
		return []row{{{indent + text, usual}}}
	}
	var rows []row
	for part := range strings.SplitSeq(console.Wrapped(text, max(t.columns-len(indent), console.Narrowest), 0), "\n") {
		for room := t.columns - len(indent); room > 0 && utf8.RuneCountInString(part) > room; { // a path, which has to be whole
			line := []rune(part)
			rows, part = append(rows, row{{indent + string(line[:room]), usual}}), string(line[room:])
		}
		rows = append(rows, row{{indent + part, usual}})
	}
	return rows
}

// dayChange is the row that names a day, where it is another than that of the line before.
func (t *transcript) dayChange(at time.Time) []row {
	before := t.day
	if t.day = at.Format("Mon 2 Jan"); before == t.day || before == "" {
		return nil
	}
	return []row{{t.of("── "+t.day, faint)}}
}

// heading are the rows of a line of the header.
func (t *transcript) heading(text string) []row {
	if t.plain {
		return []row{{{t.Told(text), faint}}}
	}
	var rows []row
	for part := range strings.SplitSeq(console.Wrapped(t.Told(text), t.columns, 2), "\n") {
		rows = append(rows, row{{part, faint}})
	}
	return rows
}
