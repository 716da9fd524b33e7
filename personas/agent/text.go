package agent

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"autopilot/autopilot/tail"
	"autopilot/personas"
)

// cut shortens a text to about n bytes, at a rune's border, and says so. Secrets go first: half of one would not be known
// as one any more.
func cut(m *personas.Mask, s string, n int) string {
	if len(s) <= n {
		return s
	}
	if s = m.Replace(s); len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// ends is a writer that keeps the beginning and the end of what is written.
// Errors stand at either of them: a compiler's first, a test run's last.
type ends struct {
	limit int // bytes, half for each end
	head  []byte
	tail  tail.Writer
}

func newEnds(limit int) *ends { return &ends{limit: limit, tail: tail.Writer{Limit: limit / 2}} }

func (e *ends) Write(p []byte) (int, error) {
	n := len(p)
	if room := e.limit/2 - len(e.head); room > 0 {
		take := min(room, len(p))
		e.head, p = append(e.head, p[:take]...), p[take:]
	}
	_, _ = e.tail.Write(p) // it never fails
	return n, nil
}

func (e *ends) String() string { return e.without(e.tail.Dropped()) }

// without is what is kept, and a word on how many bytes are not.
func (e *ends) without(dropped int64) string {
	text := string(e.head)
	if dropped > 0 {
		text += fmt.Sprintf("\n… %d bytes left out …\n", dropped)
	}
	return strings.ToValidUTF8(text+e.tail.String(), "\uFFFD")
}

// capped is the beginning and the end of a text, secrets taken out before as in cut.
func capped(m *personas.Mask, s string, limit int) string {
	if len(s) > limit {
		s = m.Replace(s)
	}
	e := newEnds(limit)
	_, _ = e.Write([]byte(s)) // it never fails
	return e.String()
}

// within is what is kept, shortened further.
func (e *ends) within(limit int) string {
	shorter := newEnds(limit)
	_, _ = shorter.Write(e.head) // it never fails
	_, _ = shorter.Write(e.tail.Bytes())
	return shorter.without(shorter.tail.Dropped() + e.tail.Dropped())
}
