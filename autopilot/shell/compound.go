package shell

import (
	"maps"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// command walks a command, simple or made of others.
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
		if c.Name != nil {
			w.functions[c.Name.Value] = c.Body
		}
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
			w.words(item.Patterns...)
			printed = printed.and(w.list(item.Stmts))
		}
	case *syntax.DeclClause:
		w.assign(c.Args)
	default:
		w.substitutions(c)
	}
	return printed
}

// binary walks two commands joined by &&, || or a pipe.
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

// loop walks the body of a for once for each word, and at least once.
func (w *walk) loop(c *syntax.ForClause) (printed stream) {
	over, is := c.Loop.(*syntax.WordIter)
	if !is {
		w.substitutions(c.Loop)
		return w.list(c.Do)
	}
	items := w.words(over.Items...)
	if !over.InPos.IsValid() && len(w.args) > 1 { // for x; do
		items = w.args[1:]
	}
	if len(items) == 0 {
		items = []string{unknown}
	}
	for _, item := range items[:min(len(items), mostWords)] {
		w.vars[over.Name.Value] = item
		printed = printed.and(w.list(c.Do))
	}
	return printed
}

// call runs a program, or sets variables. Those before a program are set for it alone, and after its words are expanded.
func (w *walk) call(c *syntax.CallExpr) stream {
	words := w.words(c.Args...)
	if len(words) > 0 && len(c.Assigns) > 0 {
		defer func(before map[string]string) { w.restore(c.Assigns, before) }(maps.Clone(w.vars))
	}
	w.assign(c.Assigns)
	if len(words) > 0 {
		return w.run(words, false)
	}
	return stream{}
}

// restore gives variables the values from before.
func (w *walk) restore(list []*syntax.Assign, before map[string]string) {
	for _, a := range list {
		if value, was := before[a.Name.Value]; was {
			w.vars[a.Name.Value] = value
		} else {
			delete(w.vars, a.Name.Value)
		}
	}
}

// assign sets variables.
func (w *walk) assign(list []*syntax.Assign) {
	for _, a := range list {
		value := unknown
		switch {
		case a.Array != nil:
			w.substitutions(a.Array)
		case a.Value != nil:
			value = w.text(a.Value, expand.Literal)
		}
		if a.Name != nil && !a.Naked {
			if a.Append {
				value = w.vars[a.Name.Value] + value
			} else if a.Array == nil && a.Value == nil {
				value = ""
			}
			w.vars[a.Name.Value] = bounded(value)
		}
	}
}
