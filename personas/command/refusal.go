package command

import (
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/process"
	"autopilot/personas"
	"autopilot/personas/limits"
)

// retryWords are how a program tells on standard error that it asks a server again.
var retryWords = lazyregexp.New(`^Attempt \d+ failed(?: with status (\d{3}))?\b`)

// trouble looks whether noise tells of a problem that the program is getting over.
func (s *stream) trouble(line []byte) {
	if m := retryWords.FindSubmatch(line); m != nil {
		s.trying(failure{status: limits.StatusIn("status " + string(m[1])), text: string(m[0])})
	}
}

// broken says whether the program told that its work ended by a problem.
func (s *stream) broken() bool { return s != nil && s.failure != nil }

// problem is what the work ended by; nil: as far as the events tell, by nothing.
// What the program was still getting over counts where somebody else ended it.
func (s *stream) problem(r process.Result) *failure {
	if s.failure == nil && (r.ExitCode != 0 || r.TimedOut != process.NoLimit) {
		return s.retry
	}
	return s.failure
}

// judged is the verdict on a problem.
func (b *Backend) judged(f failure) limits.Verdict {
	return limits.Judge(limits.Trouble{Status: f.status, Text: f.text, Body: f.body, Wait: f.wait, Lost: f.lost, Agent: f.agent}, b.o.Now())
}

// refusal tells whether a run ended by its model's server, or was interrupted: neither is the fault of the attempt.
func (w *work) refusal(f failure) (personas.Outcome, bool) {
	if f.cut {
		return personas.Outcome{Kind: personas.Interrupted, Detail: "the program was interrupted: " + f.String()}, true
	}
	v := w.b.judged(f)
	out := personas.Outcome{Kind: personas.RateLimited, Detail: f.String(), Until: v.Until}
	switch v.Cause {
	case limits.Crash:
		return personas.Outcome{}, false
	case limits.KeyRefused:
		out.Kind = personas.Auth
	case limits.LimitUsedUp:
		out.UsedUp = true
	case limits.OutOfOrder:
		out.Outage, out.TextOnly = personas.ServerFails, f.agent && !f.borne
		if now := w.b.o.Now(); out.Until.IsZero() && !now.IsZero() {
			out.Until = now.Add(w.b.lookout.Pause(now))
		}
	}
	return out, true
}

// problem is what a run that did not end well ended by. Without events that
// tell, it is what was said besides, by the program alone where it did not even
// begin; of one whose events are not known, the end of its output.
func (r ran) problem() failure {
	if r.said == nil {
		return failure{text: lastOf(r.tail.String(), maxLastWords), agent: true}
	}
	if f := r.said.problem(r.result); f != nil {
		return *f
	}
	return failure{text: lastOf(r.said.noise.String(), maxLastWords), agent: r.said.known}
}

// lastSaid is what a run said last that ended well and without a reply.
func (r ran) lastSaid() failure {
	if r.said == nil || !r.said.known {
		return failure{text: lastOf(r.tail.String(), maxLastWords), agent: true}
	}
	return failure{text: r.said.mask.Replace(r.said.message.String()), agent: true, borne: r.said.tried}
}
