package form

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"autopilot/cmd/console"
	"autopilot/cmd/live"
)

// rows are those of the form, below the end of the transcript. Of what the question is about the first part stays where not
// all has room.
func (f *form) rows() []string {
	below := f.below()
	facts := f.facts(f.columns, false)
	if room := f.height - len(below) - 1; len(facts) > room+1 {
		keep := max(1, room)
		facts = append(facts[:keep:keep], fmt.Sprintf("  … +%d more lines (v)", len(facts)-keep))[:max(1, room+1)]
	}
	rows := append(f.above(f.height-1-len(facts)-len(below)), f.headline(facts[0]))
	for _, line := range facts[1:] {
		rows = append(rows, f.fact(line))
	}
	rows = append(rows, below...)
	return rows[max(0, len(rows)-f.height):]
}

// above are the last rows of the transcript, at most so many, and an empty one.
func (f *form) above(room int) []string {
	rows := live.Past(f.Look, f.columns, f.Past)
	if rows = rows[max(0, len(rows)-max(0, room)):]; len(rows) == 0 {
		return nil
	}
	return append(rows, "")
}

// gap parts what stands at the left from what stands at the right; "" where both have no room.
func gap(columns int, left, right string) string {
	return strings.Repeat(" ", max(0, columns-displaywidth.String(left)-displaywidth.String(right)))
}

// apart are two texts at the two ends of a row; the right one is left out where it has no room.
func (f *form) apart(left, right string) (string, string) {
	if between := gap(f.columns, left, right); len(between) > 1 {
		return left + between, right
	}
	return left, ""
}

// headline is what the question stands under, and since when it is open.
func (f *form) headline(text string) string {
	left, right := f.apart(f.plain(text), "asked "+f.v.Gate.AskedAt.Local().Format("15:04"))
	return f.Look.Bold(left) + f.Look.Faint(right)
}

// plain is a line of what others wrote: no secrets, and only signs that the terminal has.
func (f *form) plain(line string) string {
	if f.Look.Mask != nil {
		line = f.Look.Mask(line)
	}
	return f.Look.Text(line)
}

// fact is a line of what the question is about, by the mark that it begins with.
func (f *form) fact(line string) string {
	switch text := strings.TrimSpace(line); {
	case strings.HasPrefix(text, "✗"):
		return f.Look.Bad(f.plain(line))
	case strings.HasPrefix(text, "✓"):
		return f.Look.Good(f.plain(line))
	case strings.HasPrefix(text, "…"):
		return f.Look.Faint(f.plain(line))
	}
	return f.plain(line)
}

// below are the rows under the facts: the options or the text that is written, and the keys.
func (f *form) below() []string {
	switch {
	case f.noting:
		return f.writes("A note for the next agent run:")
	case f.more != nil:
		return f.writes(f.choices[f.at].Word + ": " + f.more.Question)
	}
	rows := []string{""}
	wide := 0
	for _, c := range f.choices {
		wide = max(wide, len(c.Word))
	}
	for i, c := range f.choices {
		lead := "    "
		if i == f.at {
			lead = "  > "
		}
		label := f.plain(fmt.Sprintf("%s%-*s  %s", lead, wide, c.Word, c.Label))
		for line := range strings.SplitSeq(console.Wrapped(label, f.columns, wide+6), "\n") {
			if i == f.at {
				line = f.Look.Bold(line)
			}
			rows = append(rows, line)
		}
	}
	return append(rows, f.keyRow())
}

// keyRow says what keys there are, or what came of the last one.
func (f *form) keyRow() string {
	if f.flash != "" {
		return f.Look.Bold("  " + f.Look.Told(f.flash))
	}
	var words, letters []string
	for _, k := range []struct {
		key, word string
		works     bool
	}{
		{"e", "edit the plan", f.editable()},
		{"d", "diff", f.Texts['d'] != nil},
		{"l", "log", f.Texts['l'] != nil},
		{"v", "view all", true},
		{"n", "note", f.Note != nil},
	} {
		if k.works {
			words, letters = append(words, k.key+" "+k.word), append(letters, k.key)
		}
	}
	left, choose := "  "+f.Look.Text(strings.Join(words, " · ")), f.Look.Text("enter choose · esc later")
	if gap(f.columns, left, choose) == "" {
		left = "  " + strings.Join(letters, " ")
	}
	left, choose = f.apart(left, choose)
	if !f.awake {
		choose = ""
	}
	return f.Look.Faint(left + choose)
}

// writes are the rows in which a text is written.
func (f *form) writes(question string) []string {
	f.text.SetWidth(f.columns)
	f.text.SetHeight(max(1, min(4, f.text.LineCount())))
	rows := append([]string{"", f.Look.Bold(f.Look.Text("  " + question))}, strings.Split(f.text.View(), "\n")...)
	if f.flash != "" {
		return append(rows, f.Look.Bold("  "+f.Look.Told(f.flash)))
	}
	return append(rows, f.Look.Faint(f.Look.Text("  enter send · alt-enter new line · esc back")))
}
