package openai

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	api "github.com/sashabaranov/go-openai"

	"autopilot/autopilot/lazyregexp"
	"autopilot/personas"
	"autopilot/personas/limits"
)

var errSilent = errors.New("the server fell silent")

// requestError is a failed request with what the transport saw.
type requestError struct {
	err        error
	status     int
	retryAfter time.Duration
	body       string // of an error, also of one in a stream
}

// failed adds to an error what the transport saw.
func (o *observation) failed(err error) error {
	e := &requestError{err: err, status: o.status, retryAfter: o.retryAfter, body: string(o.body)}
	if told := o.stream.asError(); told != nil && !errors.Is(err, errSilent) && !errors.Is(err, errTooLong) {
		e.err, e.body = told, string(o.stream.found)
	}
	return e
}

func (e *requestError) Error() string { return e.err.Error() }
func (e *requestError) Unwrap() error { return e.err }

// failure is what a failed request means.
type failure struct {
	kind       failureKind
	again      bool // another try can help
	usedUp     bool // of a limit: a quota or balance
	passes     bool // of no connection: there may be one later
	retryAfter time.Duration
	detail     string
}

type failureKind int

const (
	refused     failureKind = iota // the request as such
	credentials                    // 401, 403
	limit                          // 429 and overload
	failing                        // 5xx, a cut stream, and what else is no answer to the request
	broken                         // an answer that cannot be read
	endless                        // an answer without an end
	silent                         // no byte for too long
	unreachable                    // no connection
	overflow                       // the conversation is too long
)

// late are statuses of time alone: what is too long there is no conversation.
var late = []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusGatewayTimeout}

func (m *Model) classify(err error) failure {
	f := failure{detail: detail(err)}
	var seen *requestError
	if !errors.As(err, &seen) {
		seen = &requestError{err: err}
	}
	f.retryAfter = seen.retryAfter
	status := statusOf(seen)
	verdict := limits.Judge(limits.Trouble{Status: status, Text: seen.body, Lost: lost(err)}, m.now())
	var network *url.Error
	var elsewhere *redirectError
	switch {
	case errors.As(err, &elsewhere):
		f.detail = elsewhere.Error()
	case errors.Is(err, errSilent):
		f.kind, f.again = silent, true
	case errors.Is(err, errTooLong): // asked again it would say as much again
		f.kind = endless
	case verdict.Cause == limits.KeyRefused:
		f.kind = credentials
	case status == http.StatusRequestEntityTooLarge || !slices.Contains(late, status) && limits.OverflowIn(seen.body):
		f.kind = overflow
	case verdict.Cause == limits.LimitPassing || verdict.Cause == limits.LimitUsedUp:
		m.limited(&f, verdict)
	case errors.As(err, &network) && seen.status == 0:
		f.kind, f.again, f.passes, f.detail = unreachable, true, lost(err), cmp.Or(Unreached(err), f.detail)
	case verdict.Cause == limits.OutOfOrder:
		f.kind, f.again = failing, true
		if f.retryAfter > m.o.MaxWait { // it says when it is back, which no try before can bring about
			f.kind = limit
		}
	case seen.status > 0 && status < 400: // the answer began well, and then did not hold
		f.kind, f.again = broken, true
	}
	return f
}

// generic is a Retry-After that servers send with any refusal, also where a
// balance is used up.
const generic = time.Minute

// limited tells what a limit's own words add to its status.
func (m *Model) limited(f *failure, told limits.Verdict) {
	f.kind, f.usedUp = limit, told.Cause == limits.LimitUsedUp
	if f.usedUp && f.retryAfter <= generic {
		f.retryAfter = 0
	}
	if f.retryAfter == 0 && !told.Until.IsZero() {
		f.retryAfter = told.Until.Sub(m.now())
	}
	f.again = !f.usedUp || f.retryAfter > 0
}

// told is what a person hears of a failure that is tried again.
func (f failure) told(err error) error {
	if f.kind == unreachable {
		return errors.New(f.detail)
	}
	return err
}

// now is the time that a limit's end is counted from.
func (m *Model) now() time.Time {
	if m.o.Now == nil {
		return time.Time{}
	}
	return m.o.Now()
}

// statusOf prefers what an error inside a stream says: its transport said 200.
func statusOf(e *requestError) int {
	if apiErr, ok := errors.AsType[*api.APIError](e.err); ok {
		if code, ok := apiErr.Code.(int); ok && code >= 400 && code < 600 {
			return code
		}
		if e.status < 400 && strings.Contains(apiErr.Type, "rate_limit") {
			return http.StatusTooManyRequests
		}
	}
	return e.status
}

// detail is the part of an error that a person needs.
func detail(err error) string {
	var apiErr *api.APIError
	var reqErr *api.RequestError
	switch {
	case errors.As(err, &apiErr) && apiErr.HTTPStatusCode > 0:
		return fmt.Sprintf("%s: %s", apiErr.HTTPStatus, apiErr.Message)
	case errors.As(err, &apiErr):
		return apiErr.Message
	case errors.As(err, &reqErr):
		return fmt.Sprintf("%s: %s", reqErr.HTTPStatus, reqErr.Body)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the answer was cut off"
	}
	return err.Error()
}

// giveUp makes the error that the caller decides on.
func (m *Model) giveUp(f failure, wait time.Duration) error {
	text := m.clean(f.detail)
	switch f.kind {
	case credentials:
		return &personas.AuthError{Detail: text}
	case limit:
		e := &personas.LimitError{Detail: text, UsedUp: f.usedUp}
		if m.o.Now != nil && f.retryAfter > 0 {
			e.Until = m.o.Now().Add(wait)
		}
		return e
	case overflow:
		return &personas.OverflowError{Detail: text}
	case failing:
		return m.outOfOrder(personas.ServerFails, "its server failed: "+text)
	case broken, endless:
		return &personas.EndError{Kind: personas.Crashed, Detail: "the model's server failed: " + text}
	case silent:
		return &personas.EndError{Kind: personas.TimedOut, Detail: fmt.Sprintf("the model's server sent nothing for %s", m.o.Idle)}
	case unreachable:
		if f.passes {
			return m.outOfOrder(personas.NoServer, "its server cannot be reached: "+text)
		}
		return fmt.Errorf("the model's server cannot be reached: %s; check that it runs and that base_url is right, then run the same command again", text)
	}
	remedy := "check model and base_url"
	if AboutTools(text) {
		remedy = "if the model has no tool calling, write tools: text in its backend, else name another model"
	}
	return fmt.Errorf("the model's server refuses the request: %s; %s", strings.TrimRight(text, "."), remedy)
}

// outOfOrder is the error of a server that no request was answered by. No dispatch is to blame for it.
func (m *Model) outOfOrder(outage personas.Outage, detail string) error {
	e := &personas.LimitError{Detail: detail, Outage: outage}
	if m.o.Now != nil {
		e.Until = m.o.Now().Add(m.lookout.Pause(m.o.Now()))
	}
	return e
}

// ofTools is how servers say that a model cannot call tools.
var ofTools = lazyregexp.New(`(?i)\b(?:tools?|function[ _-]call\w*)\b`)

// AboutTools says whether a server's refusal is of tools.
func AboutTools(refusal string) bool { return ofTools.MatchString(refusal) }

// maxDetail bounds a server's words in an error, in bytes.
const maxDetail = 500

// clean takes out the API key, which some servers repeat, and what would fill
// the screen.
func (m *Model) clean(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if m.o.APIKey != "" {
		text = strings.ReplaceAll(text, m.o.APIKey, "[key]")
	}
	if text = personas.NewMask(nil).Replace(text); len(text) > maxDetail {
		text = strings.ToValidUTF8(text[:maxDetail], "") + "…"
	}
	return text
}
