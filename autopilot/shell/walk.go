package shell

import (
	"maps"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// walk goes through the commands of a line in the order in which they run. It knows of variables, folders and
// outputs what the line itself says.
type walk struct {
	*PathScope
	visit func(*command)

	vars   map[string]string // PWD is the current folder
	loaded []string          // files that the line fetches from the network
	input  stream            // of the current command
	looked bool              // another command looks at what this one prints
	steps  int
	depth  int
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
)

// newWalk begins in a folder, with the variables that are known.
func newWalk(scope *PathScope, vars map[string]string, visit func(*command)) *walk {
	return &walk{PathScope: scope, vars: vars, visit: visit}
}

// line takes in a line. Of one that cannot be parsed, the shell runs the commands before the error.
func (w *walk) line(text string) (printed stream) {
	if len(text) > longest {
		return stream{text: unknown}
	}
	var list []*syntax.Stmt
	for s, err := range syntax.NewParser().StmtsSeq(strings.NewReader(strings.ToValidUTF8(text, "?"))) {
		if err == nil {
			list = append(list, s)
		}
	}
	return w.nest(list)
}

// nest takes in commands that stand within a word or a line.
func (w *walk) nest(list []*syntax.Stmt) stream {
	if w.depth == deepest {
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
	return stream{text: bounded(s.text + between + next.text), files: append(s.files, next.files...)}
}

// apart undoes the changes of variables and of the folder that a process of its own makes.
func (w *walk) apart(do func() stream) stream {
	defer func(vars map[string]string) { w.vars = vars }(w.vars)
	w.vars = maps.Clone(w.vars)
	return do()
}

// statement takes in a command with its redirections.
func (w *walk) statement(s *syntax.Stmt) stream {
	if w.steps++; w.steps > mostSteps {
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

// redirected takes in what a command reads, or gives the files that it writes.
func (w *walk) redirected(r *syntax.Redirect) []string {
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut:
		w.input = w.contents(w.words(r.Word))
	case syntax.Hdoc, syntax.DashHdoc:
		w.input = stream{text: w.text(r.Hdoc, expand.Document)}
	case syntax.WordHdoc:
		w.input = stream{text: w.text(r.Word, expand.Literal)}
	case syntax.DplIn, syntax.DplOut:
		w.words(r.Word)
	default:
		return w.words(r.Word)
	}
	return nil
}

// command takes in what is made of other commands.
func (w *walk) command(c syntax.Command) (printed stream) {
	switch c := c.(type) {
	case nil:
		return w.input // $(< file)
	case *syntax.CallExpr:
		return w.call(c)
	case *syntax.BinaryCmd:
		return w.binary(c)
	case *syntax.Subshell:
		return w.apart(func() stream { return w.list(c.Stmts) })
	case *syntax.FuncDecl:
		return w.apart(func() stream { return w.statement(c.Body) })
	case *syntax.Block:
		return w.list(c.Stmts)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return w.statement(c.Stmt)
		}
	case *syntax.CoprocClause:
		return w.statement(c.Stmt)
	case *syntax.IfClause:
		if printed = w.list(c.Cond).and(w.list(c.Then)); c.Else != nil {
			printed = printed.and(w.command(c.Else))
		}
	case *syntax.WhileClause:
		return w.list(c.Cond).and(w.list(c.Do))
	case *syntax.ForClause:
		return w.loop(c)
	case *syntax.CaseClause:
		w.words(c.Word)
		for _, item := range c.Items {
			printed = printed.and(w.list(item.Stmts))
		}
	case *syntax.DeclClause:
		w.assign(c.Args, true)
	default:
		w.substitutions(c)
	}
	return printed
}

// binary is two commands, and what stands between them.
func (w *walk) binary(c *syntax.BinaryCmd) stream {
	switch c.Op {
	case syntax.AndStmt:
		return w.statement(c.X).and(w.statement(c.Y))
	case syntax.OrStmt:
		first, second := w.statement(c.X), w.statement(c.Y)
		if first.text != "" {
			return first
		}
		return second
	}
	defer func(input stream, looked bool) { w.input, w.looked = input, looked }(w.input, w.looked)
	looked := w.looked
	w.looked = looked || !handsOver(c.Y)
	w.input = w.apart(func() stream { return w.statement(c.X) })
	w.looked = looked
	return w.apart(func() stream { return w.statement(c.Y) })
}

// passing are programs that hand on what they read.
var passing = map[string]bool{"tee": true, "cat": true, "tail": true, "head": true}

func handsOver(s *syntax.Stmt) bool {
	c, is := s.Cmd.(*syntax.CallExpr)
	return is && len(c.Args) > 0 && passing[programName(c.Args[0].Lit())]
}

// loop takes in the body of a for once for each word, at least once.
func (w *walk) loop(c *syntax.ForClause) (printed stream) {
	over, is := c.Loop.(*syntax.WordIter)
	if !is {
		w.substitutions(c.Loop)
		return w.list(c.Do)
	}
	items := w.words(over.Items...)
	if len(items) == 0 {
		items = []string{unknown}
	}
	for _, item := range items[:min(len(items), mostWords)] {
		w.vars[over.Name.Value] = item
		printed = printed.and(w.list(c.Do))
	}
	return printed
}

// call takes in a program with its words, or variables that are set.
func (w *walk) call(c *syntax.CallExpr) stream {
	w.assign(c.Assigns, len(c.Args) == 0)
	if words := w.words(c.Args...); len(words) > 0 {
		return w.run(words, false)
	}
	return stream{}
}

func (w *walk) assign(list []*syntax.Assign, stays bool) {
	for _, a := range list {
		value := unknown
		switch {
		case a.Array != nil:
			w.substitutions(a.Array)
		case a.Value != nil:
			value = w.text(a.Value, expand.Literal)
		}
		if stays && a.Name != nil && !a.Naked {
			if a.Append {
				value = w.vars[a.Name.Value] + value
			} else if a.Array == nil && a.Value == nil {
				value = ""
			}
			w.vars[a.Name.Value] = bounded(value)
		}
	}
}
