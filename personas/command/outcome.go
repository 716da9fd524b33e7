package command

import (
	"errors"
	"fmt"

	"autopilot/autopilot/process"
	"autopilot/personas"
)

// conclude says how a run ended. A reply done counts only where the program
// ended well; blocked and failed count however it ended. An invalid reply of a
// program that ended well is given back, to be mended, and a valid one of which a part is lost.
func (w *work) conclude(r ran) (personas.Outcome, *invalid) {
	out, bad := w.judge(r)
	if out.Kind == personas.NoReply { // what programs have no error for, they say
		if told, refused := w.refusal(r.lastSaid()); refused {
			out = told
		}
	}
	if out.Outage == "" && out.Kind != personas.Interrupted {
		w.b.lookout.Answered()
	}
	return out, bad
}

func (w *work) judge(r ran) (personas.Outcome, *invalid) {
	clean := r.result.ExitCode == 0 && r.result.TimedOut == process.NoLimit
	well := clean && !r.said.broken()
	reply, text, err := w.find(r)
	var bad *personas.ReplyError
	switch {
	case r.result.Interrupted && (err != nil || !r.over() || r.said.broken()):
		return personas.Outcome{Kind: personas.Interrupted, Detail: "the dispatch was stopped from outside"}, nil
	case r.result.Interrupted: // the turn was over before
		return personas.Outcome{Kind: personas.GotReply, Reply: &reply}, nil
	case err == nil && (well || clean && !r.turn || reply.Status != personas.StatusDone):
		return personas.Outcome{Kind: personas.GotReply, Reply: &reply}, partly(&reply, w.mask().Replace(text))
	case !well:
		if out, refused := w.refusal(r.problem()); refused {
			return out, nil
		}
	}
	switch {
	case err == nil:
		return w.failed(r, ", although its reply says done"), nil
	case well && errors.As(err, &bad):
		return personas.Outcome{}, newInvalid(bad, w.mask().Replace(text))
	case well:
		return personas.Outcome{Kind: personas.NoReply, Detail: r.silent() + lastWords(r)}, nil
	case errors.As(err, &bad):
		return w.failed(r, ", and "+bad.Error()), nil
	}
	return w.failed(r, ""), nil
}

// failed is the outcome of a run that did not end well.
func (w *work) failed(r ran, more string) personas.Outcome {
	out := personas.Outcome{Kind: personas.Crashed, Detail: r.ending() + more + lastWords(r)}
	switch r.result.TimedOut {
	case process.IdleLimit:
		out.Kind = personas.TimedOut
		out.Detail = fmt.Sprintf("it gave no output for %s and was ended%s%s", w.d.Idle, more, lastWords(r))
	case process.WholeLimit:
		out.Kind = personas.TimedOut
		out.Detail = fmt.Sprintf("it did not end within %s and was ended%s%s", w.d.Timeout, more, lastWords(r))
	}
	return out
}

// silent says that there is no reply.
func (r ran) silent() string {
	if r.turn {
		return r.ending() + " without a reply"
	}
	return "it ended without handing in a reply" + r.said.midway()
}

func (r ran) ending() string {
	switch {
	case r.result.Signal != "":
		return fmt.Sprintf("it was ended by %s", r.result.Signal)
	case r.turn && r.result.ExitCode == 0:
		return "its turn ended" + r.said.stop
	}
	return fmt.Sprintf("it ended with exit code %d", r.result.ExitCode)
}

// maxLastWords bounds the output that stands in a message, in bytes.
const maxLastWords = 2000

// lastWords are what a program that did not hand in a reply said about it: of a
// known one not its events, which few can read, but what they tell.
func lastWords(r ran) string {
	if r.said != nil && r.said.known {
		return r.said.lastWords()
	}
	text := lastOf(r.tail.String(), maxLastWords)
	if text == "" {
		return "; it printed nothing"
	}
	return "; the end of its output:\n" + text
}
