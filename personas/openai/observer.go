package openai

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// observation is what a request's transport saw and go-openai does not tell.
type observation struct {
	status     int
	retryAfter time.Duration
	alive      func() // called for each piece that the server sends
}

type observationKey struct{}

// observer is a transport that fills the observation of a request's context.
type observer struct{ next http.RoundTripper }

func (o observer) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.next.RoundTrip(r)
	seen, ok := r.Context().Value(observationKey{}).(*observation)
	if err != nil || !ok {
		return resp, err
	}
	seen.status, seen.retryAfter = resp.StatusCode, retryAfter(resp.Header)
	seen.alive()
	resp.Body = &livingBody{ReadCloser: resp.Body, alive: seen.alive}
	return resp, nil
}

type livingBody struct {
	io.ReadCloser
	alive func()
}

func (b *livingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.alive()
	}
	return n, err
}

// retryAfter reads both forms of Retry-After: seconds, and a date, which is
// taken against the server's own clock.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}
