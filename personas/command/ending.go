package command

import (
	"strings"

	"autopilot/autopilot/tail"
)

// maxTail is how much of the end of the output is kept in memory, in bytes: a
// reply may stand there.
const maxTail = 256 << 10

// ending is a writer that keeps the end of what it gets.
type ending struct{ tail.Writer }

func newEnding(limit int) *ending { return &ending{tail.Writer{Limit: limit}} }

// end gives the last n bytes for a message, from the beginning of a line where
// there is one.
func (e *ending) end(n int) string { return lastOf(e.String(), n) }

func lastOf(text string, n int) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		text = rest
	}
	return "…\n" + strings.ToValidUTF8(text, "")
}
