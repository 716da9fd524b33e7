package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a document.
type Problem struct {
	// Line is the 1-based line of the document.
	Line int `json:"line"`
	// Message says what is wrong.
	Message string `json:"message"`
	// Hint says what to do about it.
	Hint string `json:"hint"`
}

// String is the problem as one line for people: "line 3: message (hint)".
func (p Problem) String() string {
	if p.Hint == "" {
		return fmt.Sprintf("line %d: %s", p.Line, p.Message)
	}
	return fmt.Sprintf("line %d: %s (%s)", p.Line, p.Message, p.Hint)
}

// ParseError is why a document was refused: each problem that stops, by line.
type ParseError struct {
	Problems []Problem
}

// Error lists the problems, one a line.
func (e *ParseError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Refuse makes the error of a single problem.
func Refuse(line int, hint, format string, args ...any) *ParseError {
	return &ParseError{Problems: []Problem{{Line: line, Message: fmt.Sprintf(format, args...), Hint: hint}}}
}

// Problems collects what is found while a document is read on.
type Problems []Problem

// Add notes a problem; the message is formatted.
func (p *Problems) Add(line int, hint, format string, args ...any) {
	*p = append(*p, Problem{Line: line, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// Sorted are the problems by line.
func (p Problems) Sorted() []Problem {
	slices.SortStableFunc(p, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return p
}

// Err is nil when nothing was found.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return &ParseError{Problems: p.Sorted()}
}
