package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// CannotFail says whether the exit code of a command line is 0 whatever it finds, by its form: the command that decides
// how the line ends is true, echo, exit 0 or the like, or only hands on what it reads. That a file cannot be written, or
// that time runs out, is not looked at. Where it is not sure, it says no.
func CannotFail(line string) bool {
	return new(outcomes).line(line)&(badly|endsBadly) == 0
}

// outcome is the set of the ways in which a command may come out.
type outcome uint8

const (
	well      outcome = 1 << iota // the line goes on, behind exit code 0
	badly                         // it goes on, behind another
	endsWell                      // the shell ends
	endsBadly                     // it ends with another exit code than 0
	either    = well | badly
	anything  = either | endsWell | endsBadly
)

// then is how the one comes out and, where the line goes on behind it, the next.
func (o outcome) then(next outcome) outcome { return o.where(either, next) }

// where puts another outcome in place of some.
func (o outcome) where(some, next outcome) outcome {
	if o&some == 0 {
		return o
	}
	return o&^some | next
}

// within is how a shell of its own comes out: its end is not that of the line.
func (o outcome) within() outcome { return o.where(endsWell, well).where(endsBadly, badly) }

// not turns the exit code around.
func (o outcome) not() outcome {
	return o&(endsWell|endsBadly) | o&well<<1 | o&badly>>1
}

// outcomes goes through a line from command to command. Settings are kept once they are made.
type outcomes struct {
	errexit, pipefail, nounset bool
	depth                      int
}

// line reads one as bash does. Where other shells would read something else, it is not followed.
func (r *outcomes) line(line string) outcome {
	if r.depth > deepest || len(line) > longest || strings.Count(line, "(") > mostSteps || strings.ContainsAny(line, "\x00\r") { // which the parser passes over
		return anything
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil || holds(file, unsure) {
		return anything
	}
	o := r.list(file.Stmts)
	if r.nounset && holds(file, fillsIn) {
		return anything
	}
	return o
}

// list is one command after the other: the last one decides.
func (r *outcomes) list(commands []*syntax.Stmt) outcome {
	o := well
	for _, c := range commands {
		next := r.statement(c, false)
		if c.Background { // nobody waits for it
			next = well
		}
		if r.errexit && next&badly != 0 {
			next |= endsBadly
		}
		o = o.then(next)
	}
	return o
}

// statement is a command with what it reads and writes; piped says that it reads what another writes.
func (r *outcomes) statement(s *syntax.Stmt, piped bool) outcome {
	o := r.command(s.Cmd, piped)
	for _, to := range s.Redirs {
		if (to.Op == syntax.RdrIn || to.Op == syntax.RdrInOut) && literal(to.Word) != "/dev/null" { // it may not be there
			o |= badly
		}
	}
	if s.Negated {
		return o.not()
	}
	return o
}

// binary is two commands, and what stands between them. Of those of which each reads what the one before writes, the last
// one decides, unless the shell was told otherwise.
func (r *outcomes) binary(c *syntax.BinaryCmd, piped bool) outcome {
	first := r.statement(c.X, piped)
	switch c.Op {
	case syntax.AndStmt:
		return first.where(well, r.statement(c.Y, false))
	case syntax.OrStmt:
		return first.where(badly, r.statement(c.Y, false))
	}
	o := r.statement(c.Y, true).within()
	if r.pipefail && first&(badly|endsBadly) != 0 {
		o |= badly
	}
	return o
}

// command is a program with its words, or what is made of several; nil is nothing but redirections.
func (r *outcomes) command(c syntax.Command, piped bool) outcome {
	switch c := c.(type) {
	case nil:
		return well
	case *syntax.CallExpr:
		return r.simple(c, piped)
	case *syntax.BinaryCmd:
		return r.binary(c, piped)
	case *syntax.Subshell:
		return r.list(c.Stmts).within()
	case *syntax.Block:
		return r.list(c.Stmts)
	case *syntax.IfClause:
		return r.condition(c)
	case *syntax.CaseClause: // where none of its patterns is met, all is well
		o := well
		for _, item := range c.Items {
			o |= r.list(item.Stmts)
		}
		return o
	case *syntax.ForClause: // with nothing to go over, all is well
		return well | r.list(c.Do)
	case *syntax.WhileClause:
		r.list(c.Cond)
		r.list(c.Do)
		return anything // it may go on until the time is up
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return r.statement(c.Stmt, piped)
		}
	case *syntax.DeclClause:
		if c.Variant.Value == "export" {
			return either
		}
	case *syntax.TestClause, *syntax.ArithmCmd:
		return either
	}
	return anything
}

// condition is an if, an elif, or the else of one.
func (r *outcomes) condition(c *syntax.IfClause) outcome {
	if len(c.Cond) == 0 {
		return r.list(c.Then)
	}
	asked, yes, no := r.list(c.Cond), r.list(c.Then), well
	if c.Else != nil {
		no = r.condition(c.Else)
	}
	o := asked & (endsWell | endsBadly)
	if asked&well != 0 {
		o |= yes
	}
	if asked&badly != 0 {
		o |= no
	}
	return o
}
