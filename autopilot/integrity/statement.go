package integrity

import (
	"strings"
)

// longest is how many lines of one statement are read together.
const longest = 12

// statement gives line i with the lines that it goes on in: those of its open
// brackets, and those that begin with a dot. A block that begins there is left
// alone, it has statements of its own.
func (s *source) statement(i int) string {
	text := strings.TrimSpace(s.lines[i])
	said, depth := text, nesting(text)
	for k := i + 1; k < min(i+longest, len(s.lines)); k++ {
		next := strings.TrimSpace(s.lines[k])
		if depth <= 0 && !strings.HasPrefix(next, ".") || opens(said) || next == "" {
			break
		}
		depth += nesting(next)
		if strings.HasSuffix(said, "(") || strings.HasPrefix(next, ")") || strings.HasPrefix(next, ".") {
			said = strings.TrimSuffix(said, ",") + next
		} else {
			said += " " + next
		}
	}
	if depth > 0 || opens(said) {
		return text
	}
	return said
}

// whole is the statement that line i begins where that may be a check, else the line.
func (s *source) whole(l *language, i int) string {
	if l.is(asserts).possible(s.lines[i]) {
		return s.statement(i)
	}
	return strings.TrimSpace(s.lines[i])
}

// opens tells whether a block, or a literal of several lines, begins at the end of text.
func opens(text string) bool {
	return strings.HasSuffix(text, "{") || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "[")
}

// nesting is how many brackets text opens and does not close.
func nesting(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			i += max(0, quoted(text[i:])-1)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return depth
}

var (
	// unused stands before a check whose value nothing uses.
	unused = lazily(`(?:^|[{;)]|=>|\bawait)$`)
	// named is a matcher that is not called.
	named = lazily(`^\)(?:\.\w+)*\.(?:to[A-Z]\w*|equals?|eql|deepEqual|is[A-Z]\w*)\s*;?\s*[})]*;?$`)
)

// unfinished tells whether a check is begun and nothing is asked of its value:
// expect(x) alone.
func (l *language) unfinished(text string) bool {
	for _, at := range l.is(wants).all(text) {
		before := strings.TrimSpace(text[:at[0]])
		argument := untilClosed(text[at[1]:])
		if argument == "" || !unused.MatchString(before) || len(topLevel(argument)) > 1 && l.name != "JavaScript" {
			continue
		}
		behind := strings.TrimSpace(text[at[1]+len(argument):])
		if named.MatchString(behind) {
			return true
		}
		bare := strings.TrimSpace(strings.TrimPrefix(behind, ")"))
		if strings.HasSuffix(before, "=>") {
			if strings.HasPrefix(bare, ")") {
				return true // a test that gives it back; a function for others may well do so
			}
			continue
		}
		if bare == "" || strings.IndexByte(";})", bare[0]) >= 0 {
			return true
		}
	}
	return false
}
