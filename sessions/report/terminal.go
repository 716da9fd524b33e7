package report

import (
	"strings"
	"unicode/utf8"

	"autopilot/autopilot/words"
)

const (
	indent   = "  "
	labelled = 10 // columns of a label
	mostRows = 8  // of one kind
)

// Text is the block at the end of a run, in a width of columns; 0 is not known.
func Text(f Facts, width int) string {
	if width <= 0 {
		width = 100
	}
	b := &block{width: max(40, width)}
	b.head(sign(f.mark())+" "+f.head(), f.At.Format("15:04"))
	b.row("Built", f.built())
	b.row("Time", f.time())
	b.row("Cost", f.cost())
	b.criteria(f.criteria())
	if checks := f.lastChecks(); len(checks) > 0 {
		parts := make([]string, len(checks))
		for i, c := range checks {
			parts[i] = f.checkLine(c)
		}
		at := ""
		if when := checks[len(checks)-1].StartedAt; !when.IsZero() {
			at = " at " + when.In(f.At.Location()).Format("15:04")
		}
		b.row("Checks", strings.Join(parts, dot)+at)
	}
	b.attention(f.attention())
	command, does := f.next()
	b.row("Next", command)
	if n := len(b.last()); does != "" && n+4+len(does) <= b.width {
		b.append("    " + does)
	}
	return strings.Join(b.lines, "\n") + "\n"
}

// block is a text with labels on the left.
type block struct {
	width int
	lines []string
}

func (b *block) last() string { return b.lines[len(b.lines)-1] }

func (b *block) append(text string) { b.lines[len(b.lines)-1] += text }

// head is the first line, with a clock at its right end where there is room.
func (b *block) head(text, clock string) {
	folded := strings.Split(words.Folded(text, b.width), "\n")
	b.lines = append(b.lines, folded...)
	if room := b.width - len([]rune(b.last())) - len(clock); room >= 2 {
		b.append(strings.Repeat(" ", room) + clock)
	}
}

// row is a text behind a label; what goes on is below its beginning.
func (b *block) row(label, text string) { b.cell(label, "", labelled, text) }

// cell is a text that begins in a column, behind a label and what stands before it.
func (b *block) cell(label, lead string, at int, text string) {
	first := indent + pad(label, labelled) + lead
	rest := strings.Repeat(" ", len(indent)+at)
	for i, line := range strings.Split(words.Folded(text, b.width-len(indent)-at), "\n") {
		if i == 0 {
			b.lines = append(b.lines, strings.TrimRight(pad(first, len(indent)+at)+line, " "))
			continue
		}
		b.lines = append(b.lines, rest+line)
	}
}

// criteria are a line each: text on the left, evidence beside it where it fits.
func (b *block) criteria(list []criterion) {
	room := 0
	for _, c := range list {
		room = max(room, utf8.RuneCountInString(words.OneLine(c.Text)))
	}
	room = min(room+4, b.width/2-6)
	for i, c := range list {
		label := ""
		if i == 0 {
			label = "Criteria"
		}
		evidence := words.OneLine(c.evidenceLine())
		text := words.OneLine(c.Text)
		if n := len([]rune(text)); n <= room && labelled+4+room+len([]rune(evidence)) <= b.width {
			b.lines = append(b.lines, strings.TrimRight(indent+pad(label, labelled)+c.Sign+" "+pad(text, room)+evidence, " "))
			continue
		}
		b.cell(label, c.Sign+" ", labelled+2, text)
		if evidence != "" {
			b.cell("", "", labelled+4, evidence)
		}
	}
}

// evidenceLine is what speaks for a criterion, in a line.
func (c criterion) evidenceLine() string {
	switch {
	case c.Verdict == "met, by review only":
		return "reviewer only, " + c.Evidence
	case c.Verdict != "met":
		return words.Joined(", ", c.Verdict, c.Evidence)
	}
	return c.Evidence
}

// attention is what to look at, by kinds.
func (b *block) attention(groups []Group) {
	column := 0
	for _, g := range groups {
		column = max(column, len(g.Name)+1)
	}
	label := "Look at"
	for _, g := range groups {
		name := g.Name
		for _, item := range words.FirstFew(g.Items, mostRows) {
			b.cell(label, pad(name, column), labelled+column, item)
			label, name = "", ""
		}
	}
}

// pad fills a text up to a number of columns.
func pad(text string, to int) string {
	return text + strings.Repeat(" ", max(0, to-utf8.RuneCountInString(text)))
}
