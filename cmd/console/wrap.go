package console

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// Narrowest is the width below which text is not wrapped: words alone would fill such lines.
const Narrowest = 30

// Wrapped breaks a line between words so that it fits a width; what goes on is indented. A width of 0 is not known,
// and leaves the line as it is. A word that is too long stays whole, so that it can be copied.
func Wrapped(line string, width, indent int) string {
	if width < Narrowest || len([]rune(line)) <= width {
		return line
	}
	text := strings.TrimLeft(line, " ")
	lead := line[:len(line)-len(text)]
	var b strings.Builder
	b.WriteString(lead)
	at, fresh := len(lead), true
	for word := range strings.SplitSeq(text, " ") {
		n := len([]rune(word))
		switch {
		case fresh:
		case at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at, fresh = at+n, false
	}
	return b.String()
}

// Fitted is a help text in a width. Where prose says that it has no lines of its own, they are filled anew; a text with an
// empty line in it is laid out, and so is what is no prose: there each line is broken alone, below its own beginning, but for the
// paragraphs, whose lines are long and not indented.
func Fitted(text string, width int, prose bool) string {
	if prose && !strings.Contains(text, "\n\n") {
		return Wrapped(strings.ReplaceAll(text, "\n", " "), width, 0)
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if n := len(lines) - 1; n >= 0 && width > 0 && len(lines[n]) > 80 && lines[n][0] != ' ' && line != "" && line[0] != ' ' {
			lines[n] += " " + line // a paragraph goes on
			continue
		}
		lines = append(lines, line)
	}
	for i, line := range lines {
		lines[i] = Wrapped(line, width, len(column.FindString(line)))
	}
	return strings.Join(lines, "\n")
}

// Examples are lines of commands in a width: the remark beside one that is too long goes below it.
func Examples(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if at := remark.FindStringSubmatchIndex(line); at != nil && len([]rune(line)) > width {
			lines[i] = strings.TrimRight(line[:at[2]], " ") + "\n" + Wrapped("      "+line[at[2]:], width, 6)
		}
	}
	return strings.Join(lines, "\n")
}

var remark = lazyregexp.New(`^ *\S.*? {2,}(\S.*)$`)

// column is what stands before the text of a line: its indent, and the first column where it is a row of a table.
var column = lazyregexp.New(`^ *(\S+ {2,})?`)

// Told is a message for a person in a width. A command to type at the end of a line that is too long stands on a line of
// its own, whole, so that it can be copied.
func Told(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		at := max(strings.LastIndex(line, ": autopilot "), strings.LastIndex(line, ": git "))
		if width >= Narrowest && len([]rune(line)) > width && at > 0 {
			lines[i] = Wrapped(line[:at+1], width, indent) + "\n" + strings.Repeat(" ", indent+2) + line[at+2:]
			continue
		}
		lines[i] = Wrapped(line, width, indent)
	}
	return strings.Join(lines, "\n")
}
