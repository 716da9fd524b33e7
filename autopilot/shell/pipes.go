package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// HasPipe says whether one command of a line reads what another writes. What cannot be parsed may have one.
func HasPipe(line string) bool {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	return err != nil || holds(file, pipe)
}

// EndsInPipe says whether the exit code of a line can only be that of a pipe at its end.
func EndsInPipe(line string) bool {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	return err == nil && !holds(file, setting) && endsInPipe(file.Stmts)
}

func endsInPipe(list []*syntax.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch c := list[len(list)-1].Cmd.(type) {
	case *syntax.BinaryCmd:
		if pipe(c) {
			return true
		}
		return !holds(c.X, pipe) && endsInPipe([]*syntax.Stmt{c.Y})
	case *syntax.Subshell:
		return endsInPipe(c.Stmts)
	case *syntax.Block:
		return endsInPipe(c.Stmts)
	case *syntax.ForClause:
		return endsInPipe(c.Do)
	}
	return false
}

func pipe(n syntax.Node) bool {
	c, is := n.(*syntax.BinaryCmd)
	return is && (c.Op == syntax.Pipe || c.Op == syntax.PipeAll)
}

// setting is a word that may have the shell end at the first failure.
func setting(n syntax.Node) bool {
	word, is := n.(*syntax.Word)
	return is && word.Lit() == "set"
}
