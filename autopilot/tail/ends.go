package tail

import (
	"fmt"
	"strings"
)

// Ends keeps the beginning and the end of what it gets. Errors stand at either of them: a compiler's first, a test run's
// last. Its methods must not be called at the same time.
type Ends struct {
	room int // for more of the beginning
	head []byte
	end  Writer
}

// NewEnds makes one that keeps so many bytes of the beginning, and of the end.
func NewEnds(head, end int) *Ends { return &Ends{room: head, end: Writer{Limit: end}} }

// Write never fails.
func (e *Ends) Write(p []byte) (int, error) {
	take := min(e.room, len(p))
	e.head, e.room = append(e.head, p[:take]...), e.room-take
	_, _ = e.end.Write(p[take:]) // it never fails
	return len(p), nil
}

// Dropped is how many bytes are left out between.
func (e *Ends) Dropped() int64 { return e.end.Dropped() }

// Text is what was kept, as valid UTF-8. The gap, a format with that number, stands where something is left out.
func (e *Ends) Text(gap string) string {
	text := string(e.head)
	if dropped := e.Dropped(); dropped > 0 {
		text += fmt.Sprintf(gap, dropped)
	}
	return strings.ToValidUTF8(text+e.end.String(), "\uFFFD")
}

// Within is what was kept, shortened further.
func (e *Ends) Within(head, end int) *Ends {
	shorter := NewEnds(head, end)
	_, _ = shorter.Write(e.head) // it never fails
	_, _ = shorter.Write(e.end.Bytes())
	shorter.end.dropped += e.Dropped()
	return shorter
}
