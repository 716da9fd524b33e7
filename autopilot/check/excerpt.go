package check

import (
	"fmt"
	"strings"

	"autopilot/autopilot/tail"
)

// How much of an output stays in memory and in the state: the first error tends
// to stand at its beginning, the summary at its end.
const (
	headSize = 8 << 10
	tailSize = 24 << 10
)

// excerpt is a writer that keeps the beginning and the end of what it gets.
type excerpt struct {
	head []byte
	end  tail.Writer
}

func newExcerpt() *excerpt { return &excerpt{end: tail.Writer{Limit: tailSize}} }

func (x *excerpt) Write(b []byte) (int, error) {
	take := min(headSize-len(x.head), len(b))
	x.head = append(x.head, b[:take]...)
	_, _ = x.end.Write(b[take:]) // it never fails
	return len(b), nil
}

// String is valid UTF-8; a mark stands where something was left out.
func (x *excerpt) String() string {
	gap := ""
	if left := x.end.Dropped(); left > 0 {
		gap = fmt.Sprintf("\n[… %d bytes left out …]\n", left)
	}
	return strings.ToValidUTF8(string(x.head)+gap+x.end.String(), "\uFFFD")
}
