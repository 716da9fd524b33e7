package command

import "strings"

// maxTail is how much of the end of the output is kept in memory, in bytes: a
// reply may stand there.
const maxTail = 256 << 10

// lastOf gives the last n bytes of a text for a message, from the beginning of a
// line where there is one.
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
