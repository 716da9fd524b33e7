package integrity

import (
	"slices"
	"strings"
)

// breaks is what a function does that can fail a test.
var breaks = lazily(`\b(?:throw|raise|panic!|fail|super\(\)|compile_error!|std::assert\w*!|core::assert\w*!)`)

// stubbed finds new lines that put something else in place of what checks, where
// that cannot fail: an assertion of one's own is none.
func (n freshLines) stubbed() []Finding {
	var found []Finding
	for _, i := range n.matching(stubs) {
		end := n.s.below(i)
		_, behind, _ := strings.Cut(n.s.lines[i], "{")
		body := append([]string{behind}, n.s.lines[min(i+1, end):end]...)
		if arrow := strings.Index(n.s.lines[i], "=>"); arrow >= 0 {
			body[0] = n.s.lines[i][arrow:]
		}
		if slices.ContainsFunc(body, func(text string) bool { return breaks.MatchString(text) || n.l.checksIn(text, text) > 0 }) {
			continue
		}
		found = append(found, n.finding(Critical, i, "what checks was replaced", "puts something that cannot fail in place of an assertion."))
	}
	return found
}
