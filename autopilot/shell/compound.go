package shell

import "slices"

// notFollowed begin what is not read further.
var notFollowed = []string{"case", "function", "select", "coproc", "[["}

// command is one between pipes; piped says that it reads what another writes.
func (r *outcomeReader) command(piped bool) outcome {
	t := r.peek()
	var o outcome
	switch {
	case r.take("(", true):
		o = r.list().within()
		r.need(")", true)
	case t.operator:
		return r.simple(piped)
	case r.take("{", false):
		o = r.list()
		r.need("}", false)
	case r.take("if", false):
		o = r.condition()
	case r.take("while", false), r.take("until", false):
		r.list()
		r.body()
		o = anything // it may go on until the time is up
	case r.take("for", false):
		o = r.loop()
	case slices.Contains(notFollowed, t.text):
		r.lost = true
	default:
		return r.simple(piped)
	}
	if r.redirected() {
		o |= badly
	}
	return o
}

// condition is what stands behind if.
func (r *outcomeReader) condition() outcome {
	asked := r.list()
	r.need("then", false)
	yes, no := r.list(), well
	switch {
	case r.take("elif", false):
		no = r.condition()
	case r.take("else", false):
		no = r.list()
		r.need("fi", false)
	default:
		r.need("fi", false)
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

// loop is what stands behind for: with nothing to go over, all is well.
func (r *outcomeReader) loop() outcome {
	for !r.lost && !r.peek().operator {
		r.at++
	}
	if !r.take(";", true) {
		r.need("\n", true)
	}
	r.newlines()
	return well | r.body()
}

func (r *outcomeReader) body() outcome {
	r.need("do", false)
	o := r.list()
	r.need("done", false)
	return o
}

// redirected goes past redirections, and says whether one of them reads a file, which may not be there.
func (r *outcomeReader) redirected() bool {
	reads := false
	for r.at+1 < len(r.tokens) && !r.lost {
		operator, to := r.tokens[r.at], r.tokens[r.at+1]
		if !operator.operator || !slices.Contains(redirecting, operator.text) {
			return reads
		}
		if to.operator || to.text == "-" { // nobody can write to what is closed
			r.lost = true
			return true
		}
		reads = reads || (operator.text == "<" || operator.text == "<>") && to.text != "/dev/null"
		r.at += 2
	}
	return reads
}

var redirecting = []string{"&>>", "&>", ">>", ">|", ">&", "<&", "<>", "<", ">"}
