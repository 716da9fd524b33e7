package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// CannotFail says whether the exit code of a command line is 0 whatever it finds, by its form: the command that decides
// how the line ends is true, echo, exit 0 or the like, or only hands on what it reads. That a file cannot be written, or
// that time runs out, is not looked at. Where it is not sure, it says no.
func CannotFail(line string) bool {
	r := &outcomeReader{}
	return r.line(line)&(badly|endsBadly) == 0
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

// outcomeReader goes through a line from command to command.
type outcomeReader struct {
	lost  bool // what stands there is not understood, or not sure
	depth int

	errexit, pipefail, nounset bool // settings, kept once they are made
}

// longest is how much of a line is looked at, in bytes: the parser goes as deep as brackets are nested.
const longest = 16 << 10

// line reads one as bash does. Where other shells would read something else, it is not followed.
func (r *outcomeReader) line(line string) outcome {
	if r.depth > deepest || len(line) > longest || strings.ContainsAny(line, "\x00\r") { // which the parser passes over
		return anything
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return anything
	}
	o := r.list(file.Stmts)
	if r.lost {
		return anything
	}
	return o
}

// list is one command after the other: the last one decides.
func (r *outcomeReader) list(commands []*syntax.Stmt) outcome {
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
func (r *outcomeReader) statement(s *syntax.Stmt, piped bool) outcome {
	o := r.command(s.Cmd, piped)
	for _, to := range s.Redirs {
		if r.reads(to) {
			o |= badly
		}
	}
	r.lost = r.lost || s.Coprocess || s.Disown
	if s.Negated {
		return o.not()
	}
	return o
}

// reads says whether a redirection reads a file, which may not be there.
func (r *outcomeReader) reads(to *syntax.Redirect) bool {
	r.see(tokenOf(to.Hdoc))
	where := r.see(tokenOf(to.Word))
	switch to.Op {
	case syntax.RdrIn, syntax.RdrInOut:
		return where.text != "/dev/null"
	case syntax.DplIn, syntax.DplOut:
		r.lost = r.lost || strings.HasSuffix(where.text, "-") // nobody can write to what is closed
	case syntax.WordHdoc:
		r.lost = true
	}
	r.lost = r.lost || to.N != nil && strings.Trim(to.N.Value, "0123456789") != ""
	return false
}

// see takes in a word: one that the shell may end over is not followed.
func (r *outcomeReader) see(t token) token {
	r.lost = r.lost || t.unsure || t.expands && r.nounset
	return t
}

// binary is two commands, and what stands between them. Of those of which each reads what the one before writes, the last
// one decides, unless the shell was told otherwise.
func (r *outcomeReader) binary(c *syntax.BinaryCmd, piped bool) outcome {
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
