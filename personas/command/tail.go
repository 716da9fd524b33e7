package command

import "strings"

// maxTail is how much of the end of the output is kept in memory, in bytes: a
// reply may stand there.
const maxTail = 256 << 10

// tail keeps the end of what is written to it.
type tail struct {
	limit int
	buf   []byte
	cut   bool // something before it was dropped
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*t.limit {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.limit:]...)
		t.cut = true
	}
	return len(p), nil
}

// text is what was kept, at most limit bytes.
func (t *tail) text() string {
	if len(t.buf) > t.limit {
		t.buf, t.cut = t.buf[len(t.buf)-t.limit:], true
	}
	return string(t.buf)
}

// end gives the last n bytes for a message, from the beginning of a line where
// there is one.
func (t *tail) end(n int) string { return lastOf(t.text(), n) }

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
