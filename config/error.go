package config

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Origin is where a value or a problem stands.
type Origin struct {
	Name string // "default", a file, a variable, or "command line"
	Line int    // 1-based, in a file; 0 elsewhere
}

// String gives the place in the form that editors can follow: autopilot.yaml:12.
func (o Origin) String() string {
	if o.Line == 0 {
		return o.Name
	}
	return fmt.Sprintf("%s:%d", o.Name, o.Line)
}

// Error is one thing that is wrong with the configuration. [Load] joins all
// that it finds; each says where it stands and what to write instead.
type Error struct {
	Origin  Origin
	Key     string // as in a file, such as limits.max_tokens; "" where the file as a whole is wrong
	Problem string // what goes on the sentence that the key begins
	Hint    string // what to do; "" where the problem already says what is allowed
}

// Error gives the whole sentence.
func (e *Error) Error() string {
	text := e.Origin.String() + ": "
	if e.Key != "" {
		text += e.Key + " "
	}
	text += e.Problem
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// fault starts an Error at a place in a file; who knows the file and the key
// fills them in.
func fault(n *yaml.Node, format string, args ...any) *Error {
	return &Error{Origin: Origin{Line: n.Line}, Problem: fmt.Sprintf(format, args...)}
}

func (e *Error) hint(text string) *Error {
	e.Hint = text
	return e
}
