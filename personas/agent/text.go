package agent

import (
	"fmt"
	"strings"
	"unicode/utf8"

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
	limit   int // bytes, half for each end
	head    []byte
	tail    []byte
	dropped int
}

func (e *ends) Write(p []byte) (int, error) {
	n := len(p)
	if room := e.limit/2 - len(e.head); room > 0 {
		take := min(room, len(p))
		e.head, p = append(e.head, p[:take]...), p[take:]
	}
	e.tail = append(e.tail, p...)
	// Cut in large steps: moving the tail for each line would be quadratic.
	if over := len(e.tail) - e.limit/2; over > e.limit {
		e.drop(over)
	}
	return n, nil
}

func (e *ends) drop(n int) {
	e.dropped += n
	e.tail = append(e.tail[:0], e.tail[n:]...)
}

func (e *ends) String() string {
	if over := len(e.tail) - e.limit/2; over > 0 {
		e.drop(over)
	}
	text := string(e.head)
	if e.dropped > 0 {
		text += fmt.Sprintf("\n… %d bytes left out …\n", e.dropped)
	}
	return strings.ToValidUTF8(text+string(e.tail), "\uFFFD")
}

// capped is the beginning and the end of a text, secrets taken out before as in cut.
func capped(m *personas.Mask, s string, limit int) string {
	if len(s) > limit {
		s = m.Replace(s)
	}
	e := &ends{limit: limit}
	_, _ = e.Write([]byte(s)) // it never fails
	return e.String()
}

// within is what is kept, shortened further.
func (e *ends) within(limit int) string {
	shorter := &ends{limit: limit}
	_, _ = shorter.Write(e.head) // it never fails
	_, _ = shorter.Write(e.tail)
	shorter.dropped += e.dropped
	return shorter.String()
}
