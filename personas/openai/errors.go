package openai

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	api "github.com/sashabaranov/go-openai"

	"autopilot/personas"
)

var errSilent = errors.New("the server fell silent")

// requestError is a failed request with what the transport saw.
type requestError struct {
	err        error
	status     int
	retryAfter time.Duration
}

func (e *requestError) Error() string { return e.err.Error() }
func (e *requestError) Unwrap() error { return e.err }

// failure is what a failed request means.
type failure struct {
	kind       failureKind
	again      bool // another try can help
	retryAfter time.Duration
	detail     string
}

type failureKind int

const (
	refused     failureKind = iota // the request as such
	credentials                    // 401, 403
	limit                          // 429 and overload
	broken                         // 5xx, a cut stream
	silent                         // no byte for too long
	unreachable                    // no connection
)

func classify(err error) failure {
	f := failure{detail: detail(err)}
	var seen *requestError
	status := 0
	if errors.As(err, &seen) {
		f.retryAfter = seen.retryAfter
		status = statusOf(seen)
	}
	var network *url.Error
	switch {
	case errors.Is(err, errSilent):
		f.kind, f.again = silent, true
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.kind = credentials
	case slices.Contains([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable, 529}, status):
		f.kind, f.again = limit, !outOfQuota(err)
	case status >= 500 || status == http.StatusRequestTimeout || status == http.StatusConflict:
		f.kind, f.again = broken, true
	case errors.As(err, &network) && seen.status == 0:
		f.kind, f.again = unreachable, true
	case status < 400: // the answer began well, and then did not hold
		f.kind, f.again = broken, true
	}
	return f
}

// statusOf prefers what an error inside a stream says: its transport said 200.
func statusOf(e *requestError) int {
	var apiErr *api.APIError
	if errors.As(e.err, &apiErr) {
		if code, ok := apiErr.Code.(int); ok && code >= 400 && code < 600 {
			return code
		}
		if e.status < 400 && strings.Contains(apiErr.Type, "rate_limit") {
			return http.StatusTooManyRequests
		}
	}
	return e.status
}

// outOfQuota is a 429 that waiting a little does not mend.
func outOfQuota(err error) bool {
	var apiErr *api.APIError
	return errors.As(err, &apiErr) && (apiErr.Type == "insufficient_quota" || apiErr.Code == "insufficient_quota")
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
		e := &personas.LimitError{Detail: text}
		if m.o.Now != nil && f.retryAfter > 0 {
			e.Until = m.o.Now().Add(wait)
		}
		return e
	case broken:
		return &personas.EndError{Kind: personas.Crashed, Detail: "the model's server failed: " + text}
	case silent:
		return &personas.EndError{Kind: personas.TimedOut, Detail: fmt.Sprintf("the model's server sent nothing for %s", m.o.Idle)}
	case unreachable:
		return fmt.Errorf("the model's server cannot be reached: %s; check that it runs and that base_url is right, then run the same command again", text)
	}
	return fmt.Errorf("the model's server refuses the request: %s; check model and base_url", text)
}

// maxDetail bounds a server's words in an error, in bytes.
const maxDetail = 500

// clean takes out the API key, which some servers repeat, and what would fill
// the screen.
func (m *Model) clean(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if m.o.APIKey != "" {
		text = strings.ReplaceAll(text, m.o.APIKey, "[key]")
	}
	if len(text) > maxDetail {
		text = strings.ToValidUTF8(text[:maxDetail], "") + "…"
	}
	return text
}
