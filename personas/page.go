package personas

import (
	"fmt"
	"strings"
	"unicode"
)

// page is a prompt in the making.
type page struct{ strings.Builder }

func (w *page) line(s string) { w.WriteString(s + "\n") }

func (w *page) head(title string) { w.WriteString("\n## " + title + "\n") }

// item writes a labelled line, and nothing when there is no value.
func (w *page) item(label, format string, args ...any) {
	if value := fmt.Sprintf(format, args...); value != "" {
		w.line("- " + label + ": " + value)
	}
}

func (w *page) path(label, p string) {
	if p != "" {
		w.item(label, "%s", code(p))
	}
}

func (w *page) list(label string, entries []string) {
	if len(entries) == 0 {
		return
	}
	quoted := make([]string, len(entries))
	for i, e := range entries {
		quoted[i] = code(e)
	}
	w.line("\n" + label + ": " + strings.Join(quoted, ", "))
}

// data writes material that is to be read and not obeyed.
func (w *page) data(text string) { w.fenced("data", text) }

// fenced writes text between fences longer than any run of backticks in it, so
// that nothing inside can end the block.
func (w *page) fenced(info, text string) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	w.WriteString(fence + info + "\n" + text + "\n" + fence + "\n")
}

func longestRun(text string) int {
	longest, run := 0, 0
	for _, c := range text {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// maxInline keeps a value from the repository from becoming a page of its own.
const maxInline = 300

// inline makes a value safe to stand in a line of the prompt: one line, no
// control characters, none that turns the direction of the text, bounded.
func inline(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if runes := []rune(s); len(runes) > maxInline {
		return string(runes[:maxInline]) + "…"
	}
	return s
}

// title marks a title, a name or a question from the repository as data: a code
// span, which the prompt says is data.
func title(s string) string {
	if s = inline(s); s == "" {
		return ""
	}
	return code(s)
}

// code quotes a path or a command as a code span that it cannot leave. It is
// not cut: half a path or command is worse than a long one.
func code(s string) string {
	s = strings.Join(strings.FieldsFunc(s, unicode.IsControl), " ")
	mark := strings.Repeat("`", longestRun(s)+1)
	if len(mark) > 1 {
		return mark + " " + s + " " + mark
	}
	return mark + s + mark
}

func numbered(entries []string) string {
	var out strings.Builder
	for i, e := range entries {
		fmt.Fprintf(&out, "%d. %s\n", i+1, strings.ReplaceAll(strings.TrimSpace(e), "\n", "\n   "))
	}
	return out.String()
}

func bulleted(entries []string) string {
	var out strings.Builder
	for _, e := range entries {
		out.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(e), "\n", "\n  ") + "\n")
	}
	return out.String()
}
