package shell

import "slices"

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
	tokens []token
	at     int
	lost   bool // what stands there is not understood

	depth              int
	errexit, pipefail, // settings, kept once they are made
	nounset bool
}

func (r *outcomeReader) line(line string) outcome {
	found, told := tokens(line)
	if !told || r.depth > deepest {
		return anything
	}
	r.tokens = found
	r.newlines()
	o := r.list()
	if r.lost || r.at < len(r.tokens) {
		return anything
	}
	return o
}

func (r *outcomeReader) peek() token {
	if r.at < len(r.tokens) {
		return r.tokens[r.at]
	}
	return token{operator: true}
}

// take goes past an operator or a word where it stands there.
func (r *outcomeReader) take(text string, operator bool) bool {
	if t := r.peek(); r.at >= len(r.tokens) || t.text != text || t.operator != operator {
		return false
	}
	r.at++
	return true
}

// need goes past what has to stand there.
func (r *outcomeReader) need(text string, operator bool) {
	if !r.take(text, operator) {
		r.lost = true
	}
}

func (r *outcomeReader) newlines() {
	for r.take("\n", true) {
	}
}

// closing words end a list of commands.
var closingWords = []string{"then", "else", "elif", "fi", "do", "done", "}"}

func (r *outcomeReader) closes() bool {
	t := r.peek()
	return r.at >= len(r.tokens) || t.is(")") || !t.operator && slices.Contains(closingWords, t.text)
}

// list is one command after the other: the last one decides.
func (r *outcomeReader) list() outcome {
	o := well
	for !r.lost && !r.closes() {
		next := r.chain()
		switch {
		case r.take("&", true): // nobody waits for it
			next = well
		case r.take(";", true), r.take("\n", true), r.closes():
		default:
			r.lost = true
		}
		r.newlines()
		if r.errexit && next&badly != 0 {
			next |= endsBadly
		}
		o = o.then(next)
	}
	return o
}

// chain is commands behind && and ||.
func (r *outcomeReader) chain() outcome {
	o := r.pipe()
	for !r.lost {
		switch {
		case r.take("&&", true):
			r.newlines()
			o = o.where(well, r.pipe())
		case r.take("||", true):
			r.newlines()
			o = o.where(badly, r.pipe())
		default:
			return o
		}
	}
	return o
}

// pipe is commands of which each reads what the one before writes: the last one decides, unless the shell was told
// otherwise.
func (r *outcomeReader) pipe() outcome {
	negated := false
	for r.take("!", false) {
		negated = !negated
	}
	o, all := r.command(false), outcome(0)
	for !r.lost && (r.take("|", true) || r.take("|&", true)) {
		r.newlines()
		all |= o
		o = r.command(true).within()
	}
	if r.pipefail && all&(badly|endsBadly) != 0 {
		o |= badly
	}
	if negated {
		return o.not()
	}
	return o
}
