package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// walk visits the commands of a line in the order in which they run. It follows variables, folders and outputs as far
// as the line itself says what they are.
type walk struct {
	*PathScope
	visit func(*command)

	vars   map[string]string // PWD is the current folder
	loaded []string          // files that the line fetches from the network
	input  stream            // of the current command
	looked bool              // another command looks at what this one prints
	steps  int
	depth  int
	unread string // why a part of the line could not be judged

	args      []string                // $0 and what follows; none where they are unknown
	functions map[string]*syntax.Stmt // bodies by name
}

// command is a simple command, or one that another command starts.
type command struct {
	words  []string // the program and its arguments; none where only files are written
	writes []string // files that it is redirected to
	input  stream
	looked bool
	byWord bool // a word of another command names it
}

// stream is what a command reads or prints, as far as it is known.
type stream struct {
	text  string
	files []string // that it is the content of
}

// Bounds of what is read, so that no line takes long.
const (
	longest   = 256 << 10 // bytes of a line
	deepest   = 50        // lines and substitutions within each other
	mostSteps = 10_000    // commands
	mostWords = 100       // that braces or a loop make of one

	tooLong = "it is too long to be judged"
)

// newWalk returns a walk with the variables that are known, PWD among them.
func newWalk(scope *PathScope, vars map[string]string, visit func(*command)) *walk {
	return &walk{PathScope: scope, vars: vars, visit: visit, functions: map[string]*syntax.Stmt{}}
}

// line walks a line and returns what it prints. If it cannot be parsed, the commands before the error count, and what follows
// is unread: the shell may parse otherwise, and run it. Parentheses are counted because the parser goes down for each.
func (w *walk) line(text string) (printed stream) {
	if len(text) > longest || strings.Count(text, "(") > mostSteps {
		w.unread = tooLong
		return stream{text: unknown}
	}
	var list []*syntax.Stmt
	for s, err := range syntax.NewParser().StmtsSeq(strings.NewReader(strings.ToValidUTF8(text, "?"))) {
		if err == nil {
			list = append(list, s)
		} else {
			w.unread = "the shell may run what cannot be parsed: " + err.Error()
		}
	}
	return w.nest(list)
}

// nest walks commands inside of a word or of a line.
func (w *walk) nest(list []*syntax.Stmt) stream {
	if w.depth == deepest {
		w.unread = tooLong
		return stream{text: unknown}
	}
	w.depth++
	defer func() { w.depth-- }()
	return w.list(list)
}

func (w *walk) list(list []*syntax.Stmt) (printed stream) {
	for _, s := range list {
		printed = printed.and(w.statement(s))
	}
	return printed
}

func (s stream) and(next stream) stream {
	between := ""
	if s.text != "" && next.text != "" {
		between = "\n"
	}
	return stream{text: bounded(s.text + between + next.text), files: slices.Concat(s.files, next.files)}
}

// apart walks what runs in a process of its own: its changes of variables and of the folder end with it.
func (w *walk) apart(do func() stream) stream {
	defer func(vars map[string]string) { w.vars = vars }(w.vars)
	w.vars = maps.Clone(w.vars)
	return do()
}

// statement walks a command with its redirections.
func (w *walk) statement(s *syntax.Stmt) stream {
	if w.steps++; w.steps > mostSteps {
		w.unread = tooLong
		return stream{}
	}
	defer func(input stream) { w.input = input }(w.input)
	var writes []string
	saved := false
	for _, r := range s.Redirs {
		to := w.redirected(r)
		writes = append(writes, to...)
		saved = saved || len(to) > 0 && (r.N == nil || r.N.Value == "1")
	}
	if len(writes) > 0 {
		w.visit(&command{writes: writes})
	}
	printed := w.command(s.Cmd)
	if !saved {
		return printed
	}
	if strings.Contains(printed.text, fetched) {
		w.load(writes...)
	}
	return stream{}
}

// redirected sets what a command reads, or returns the files that it writes.
func (w *walk) redirected(r *syntax.Redirect) []string {
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut:
		w.input = w.contents(w.words(r.Word))
	case syntax.Hdoc, syntax.DashHdoc:
		w.input = stream{text: w.text(r.Hdoc, expand.Document)}
	case syntax.WordHdoc:
		w.input = stream{text: w.text(r.Word, expand.Literal)}
	case syntax.DplIn, syntax.DplOut:
		if to := w.words(r.Word); r.Op == syntax.DplOut && strings.Trim(first(to), "0123456789-"+marks) != "" {
			return to // it is no descriptor, but a file
		}
	default:
		return w.words(r.Word)
	}
	return nil
}
