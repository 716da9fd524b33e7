package command

import (
	"slices"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/process"
	"autopilot/personas"
)

// retryWords are how a program tells on standard error that it asks a server again.
var retryWords = lazyregexp.New(`^Attempt \d+ failed with status (\d{3})\b`)

// trouble looks whether noise tells of a problem that the program is getting over.
func (s *stream) trouble(line []byte) {
	if m := retryWords.FindSubmatch(line); m != nil {
		s.trying(failure{status: statusIn("status " + string(m[1])), text: string(m[0])})
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

// authWords are how programs say, at the beginning of a line, that they are not logged in.
var authWords = lazyregexp.New(`(?im)^[^\pL\n]*(?:API Error:\s*)?(?:not logged in|please run /login|invalid api key|invalid x-api-key|` +
	`incorrect api key|authentication[ _](?:failed|error|required)|invalid auth method|please set an auth method|` +
	`oauth token (?:has expired|revoked)|no api key|missing api key)`)

// refusal tells whether a run that did not end well was refused by the model's
// server, or interrupted: neither is the fault of the attempt.
func (w *work) refusal(r ran) (personas.Outcome, bool) {
	f := r.problem()
	now := w.b.o.Now()
	limit, limited := personas.LimitIn(f.text, now)
	if !limited && f.body != "" {
		limit, limited = personas.LimitIn(f.body, now)
	}
	switch {
	case f.cut:
		return personas.Outcome{Kind: personas.Interrupted, Detail: "the program was interrupted: " + f.String()}, true
	case limited, slices.Contains(limitStatus, f.status):
		if limit.Until.IsZero() && f.wait > 0 {
			limit.Until = now.Add(f.wait)
		}
		return personas.Outcome{Kind: personas.RateLimited, Detail: f.String(), Until: limit.Until, UsedUp: limit.Kind == personas.LimitUsedUp || f.status == noBalance}, true
	case slices.Contains(authStatus, f.status), authWords.MatchString(f.text):
		return personas.Outcome{Kind: personas.Auth, Detail: f.String()}, true
	}
	return personas.Outcome{}, false
}

// noBalance is the status of a server that wants money.
const noBalance = 402

// What the status of a server means: 529 is a provider that has too much to do.
var (
	limitStatus = []int{noBalance, 429, 529}
	authStatus  = []int{401, 403}
)

// problem is what a run that did not end well ended by. Without events that
// tell, it is what the program said besides; of one whose events are not known,
// its last line, since anything may stand above it.
func (r ran) problem() failure {
	if r.said == nil {
		return failure{text: lastLine(lastOf(r.tail.String(), maxLastWords))}
	}
	if f := r.said.problem(r.result); f != nil {
		return *f
	}
	return failure{text: lastOf(r.said.noise.String(), maxLastWords)}
}
