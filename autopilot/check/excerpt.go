package check

import (
	"fmt"
	"strings"
)

// How much of an output stays in memory and in the state: the first error tends
// to stand at its beginning, the summary at its end.
const (
	headSize = 8 << 10
	tailSize = 24 << 10
)

// excerpt is a writer that keeps the beginning and the end of what it gets.
type excerpt struct {
	head, tail []byte
	size       int64
}

func (x *excerpt) Write(b []byte) (int, error) {
	n := len(b)
	x.size += int64(n)
	take := min(headSize-len(x.head), n)
	x.head = append(x.head, b[:take]...)
	x.tail = append(x.tail, b[take:]...)
	// Cutting only now and then keeps the copying in proportion.
	if len(x.tail) > 4*tailSize {
		x.tail = append(x.tail[:0], x.tail[len(x.tail)-tailSize:]...)
	}
	return n, nil
}

// String is valid UTF-8; a mark stands where something was left out.
func (x *excerpt) String() string {
	tail := x.tail[max(0, len(x.tail)-tailSize):]
	gap := ""
	if left := x.size - int64(len(x.head)+len(tail)); left > 0 {
		gap = fmt.Sprintf("\n[… %d bytes left out …]\n", left)
	}
	return strings.ToValidUTF8(string(x.head)+gap+string(tail), "\uFFFD")
}
