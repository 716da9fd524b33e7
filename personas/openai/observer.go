package openai

import (
	"bufio"
	"bytes"
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
	body       []byte // of an error, its beginning
	stream     answerLines
	alive      func() // called for each piece that the server sends
}

type observationKey struct{}

// maxBody bounds how much of an error's body is kept, in bytes.
const maxBody = 64 << 10

// observer is a transport that fills the observation of a request's context.
type observer struct {
	next http.RoundTripper
	now  func() time.Time // may be nil
}

func (o observer) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.next.RoundTrip(r)
	seen, ok := r.Context().Value(observationKey{}).(*observation)
	if err != nil || !ok {
		return resp, err
	}
	seen.status, seen.retryAfter = resp.StatusCode, retryAfter(resp.Header, o.now)
	seen.alive()
	if resp.StatusCode >= 400 { // the library keeps only the message, and not what says until when
		seen.body, _ = io.ReadAll(io.LimitReader(&livingBody{resp.Body, seen}, maxBody)) // what came tells enough
		_ = resp.Body.Close()
		resp.Body = io.NopCloser(bytes.NewReader(seen.body))
		return resp, nil
	}
	living := &livingBody{resp.Body, seen}
	resp.Body = &textArguments{ReadCloser: living, lines: bufio.NewReader(living)}
	return resp, nil
}

// keyHeader is a transport that gives the key in a header of its own.
type keyHeader struct {
	next      http.RoundTripper
	name, key string
}

func (k keyHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Del("Authorization")
	r.Header.Set(k.name, k.key)
	return k.next.RoundTrip(r)
}

type livingBody struct {
	io.ReadCloser
	seen *observation
}

func (b *livingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.seen.alive()
		_, _ = b.seen.stream.Write(p[:n])
	}
	if b.seen.stream.tooLong() {
		return 0, errTooLong
	}
	return n, err
}

// retryAfter reads both forms of Retry-After: seconds, and a date, which is
// taken against the server's own clock, and against ours where it tells none.
func retryAfter(h http.Header, now func() time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms, 1e9) * float64(time.Millisecond))
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	from, err := http.ParseTime(h.Get("Date"))
	if err != nil && now == nil {
		return 0
	}
	if err != nil {
		from = now()
	}
	return max(at.Sub(from), 0)
}
