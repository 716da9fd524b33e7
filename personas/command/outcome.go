package command

import (
	"errors"
	"fmt"

	"autopilot/autopilot/process"
	"autopilot/personas"
)

// conclude says how a run ended. A reply done counts only where the program
// ended well; blocked and failed count however it ended. An invalid reply of a
// program that ended well is given back, to be mended.
func (w *work) conclude(r ran) (personas.Outcome, *invalid) {
	if r.result.Interrupted {
		return personas.Outcome{Kind: personas.Interrupted, Detail: "the dispatch was stopped from outside"}, nil
	}
	well := r.result.ExitCode == 0 && r.result.TimedOut == process.NoLimit
	reply, text, err := w.find(r)
	var bad *personas.ReplyError
	switch {
	case err == nil && (well || reply.Status != personas.StatusDone):
		return personas.Outcome{Kind: personas.GotReply, Reply: &reply}, nil
	case err == nil:
		return w.failed(r, ", although its reply says done"), nil
	case well && errors.As(err, &bad):
		return personas.Outcome{}, newInvalid(bad, text)
	case well:
		return personas.Outcome{Kind: personas.NoReply, Detail: "it ended without handing in a reply" + lastWords(r)}, nil
	case errors.As(err, &bad):
		return w.failed(r, ", and "+bad.Error()), nil
	}
	return w.failed(r, ""), nil
}

// failed is the outcome of a run that did not end well.
func (w *work) failed(r ran, more string) personas.Outcome {
	out := personas.Outcome{Kind: personas.Crashed, Detail: ending(r.result) + more + lastWords(r)}
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

func ending(r process.Result) string {
	if r.Signal != "" {
		return fmt.Sprintf("it was ended by %s", r.Signal)
	}
	return fmt.Sprintf("it ended with exit code %d", r.ExitCode)
}

// maxLastWords bounds the output that stands in a message, in bytes.
const maxLastWords = 2000

func lastWords(r ran) string {
	text := r.tail.end(maxLastWords)
	if text == "" {
		return "; it printed nothing"
	}
	return "; the end of its output:\n" + text
}
