package shell

import (
	"io"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// holds says whether something is so of a node or of one within it.
func holds(n syntax.Node, is func(syntax.Node) bool) (found bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		found = found || n != nil && is(n)
		return !found
	})
	return found
}

// unsure are nodes that not all shells know, over which some end, or that change what commands mean.
func unsure(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.FuncDecl, *syntax.CoprocClause, *syntax.LetClause, *syntax.ArithmExp, *syntax.ProcSubst, *syntax.ExtGlob:
		return true
	case *syntax.Stmt:
		return n.Coprocess || n.Disown
	case *syntax.ForClause:
		_, words := n.Loop.(*syntax.WordIter)
		return n.Select || !words
	case *syntax.Assign:
		return n.Append || n.Index != nil || n.Array != nil
	case *syntax.SglQuoted:
		return n.Dollar
	case *syntax.DblQuoted:
		return n.Dollar
	case *syntax.ParamExp:
		return n.Excl || n.Index != nil || n.Slice != nil || n.Repl != nil || n.Names != 0 || n.Exp != nil && !slices.Contains(plainly, n.Exp.Op)
	case *syntax.Redirect: // nobody can write to what is closed
		return n.Op == syntax.WordHdoc || strings.HasSuffix(n.Word.Lit(), "-") || n.N != nil && strings.Trim(n.N.Value, "0123456789") != ""
	case *syntax.Word:
		return slices.Contains([]string{"trap", "alias", "enable"}, n.Lit())
	}
	return false
}

// plainly are ways of working on a variable that all shells have and none ends over.
var plainly = []syntax.ParExpOperator{
	syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
	syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix,
}

// fillsIn are nodes in whose place the shell puts something.
func fillsIn(n syntax.Node) bool {
	_, variable := n.(*syntax.ParamExp)
	return variable || substitutes(n)
}

func substitutes(n syntax.Node) bool {
	_, is := n.(*syntax.CmdSubst)
	return is
}

// literal is a word without its quotes; unknown stands for what the shell puts into it.
func literal(word *syntax.Word) string {
	text, err := expand.Literal(&expand.Config{
		Env: expand.FuncEnviron(func(string) string { return unknown }),
		CmdSubst: func(out io.Writer, _ *syntax.CmdSubst) error {
			_, err := io.WriteString(out, unknown)
			return err
		},
	}, word)
	if err != nil {
		return unknown
	}
	return text
}

// isOpen says whether nobody knows what a word is.
func isOpen(word string) bool { return strings.ContainsAny(word, unknown+"*?") }
