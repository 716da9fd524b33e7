package git

import (
	"strings"

	"autopilot/autopilot/tail"
)

// mostWords is how much is told of what hooks, and git itself, print, in bytes: the reason stands at the end.
const mostWords = 16 << 10

// lastWords is a writer that keeps the end of what it gets.
type lastWords struct{ tail.Writer }

func newLastWords() *lastWords { return &lastWords{tail.Writer{Limit: mostWords}} }

// String is the end, of a long one from the beginning of a line.
func (l *lastWords) String() string {
	text := strings.TrimSpace(l.Writer.String())
	if l.Dropped() == 0 {
		return text
	}
	return "…" + text[strings.IndexByte(text, '\n')+1:]
}
