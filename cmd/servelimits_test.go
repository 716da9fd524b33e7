package cmd_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"autopilot/cmd/console"
)

// let serves a place with an open question, and gives a browser that was let in, with the page of the session.
func (p *place) let(t *testing.T) (b *browser, page string) {
	t.Helper()
	if got := p.command(console.Host{}, p.sameCommand("--review-plans")...); got.code != 3 {
		t.Fatalf("no question is open: exit code %d:\n%s", got.code, got.text)
	}
	b = p.serve(t)
	b.get(t, b.invitation)
	return b, "/s/" + b.only(t)
}

// cookie is what the browser is known by, as a header has it.
func (b *browser) cookie(t *testing.T) *http.Cookie {
	t.Helper()
	at, err := url.Parse(b.base)
	if err != nil || len(b.Jar.Cookies(at)) != 1 {
		t.Fatalf("%v: the browser has no cookie", err)
	}
	return b.Jar.Cookies(at)[0]
}

// TestServeAnswersAThousandAtOnce: no more than 512 connections are open at once. The others wait, and get their answers when
// those end; who comes afterwards is answered as always.
func TestServeAnswersAThousandAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	b, _ := p.let(t)
	b.CloseIdleConnections()
	request := fmt.Sprintf("GET /style.css HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", strings.TrimPrefix(b.base, "http://"), b.cookie(t))
	var answered, failed atomic.Int64
	leave := make(chan struct{})
	for range 1000 {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			defer c.Close()
			_, _ = io.WriteString(c, request)
			if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || answer.StatusCode != http.StatusOK {
				failed.Add(1)
			}
			answered.Add(1)
			<-leave
		}()
	}
	until(t, func() bool { return answered.Load() >= 512 })
	if n := answered.Load(); n != 512 {
		t.Errorf("%d are served at once", n)
	}
	close(leave)
	until(t, func() bool { return answered.Load() == 1000 })
	if n := failed.Load(); n > 0 {
		t.Errorf("%d got no answer", n)
	}
	if code, _, _ := b.get(t, "/"); code != http.StatusOK {
		t.Errorf("afterwards: %d", code)
	}
}

// TestServeReadsNoLargeAnswer: of ten megabytes most is never taken, whether they are announced or not. What is sent here stops
// after one, so that only who doesn't wait for the rest answers.
func TestServeReadsNoLargeAnswer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	b, page := p.let(t)
	api := "/api/v1/sessions/" + strings.TrimPrefix(page, "/s/") + "/answers"
	for name, c := range map[string]struct {
		path, kind, begins string
		announced          int64
		code               int
	}{
		"a form":              {page + "/answer", "application/x-www-form-urlencoded", "reason=", 10 << 20, http.StatusRequestEntityTooLarge},
		"JSON":                {api, "application/json", `{"reason":"`, 10 << 20, http.StatusRequestEntityTooLarge},
		"a form, no length":   {page + "/answer", "application/x-www-form-urlencoded", "reason=", -1, http.StatusForbidden},
		"JSON without length": {api, "application/json", `{"reason":"`, -1, http.StatusBadRequest},
	} {
		rest, hold := io.Pipe()
		body := io.MultiReader(strings.NewReader(c.begins+strings.Repeat("x", 1<<20)), rest)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.base+c.path, body)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = c.announced
		r.Header.Set("Content-Type", c.kind)
		if c.path == api {
			r.Header.Set("Authorization", "Bearer "+b.cookie(t).Value)
		}
		answer, err := b.Do(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if answer.StatusCode != c.code {
			t.Errorf("%s: %s, want %d", name, answer.Status, c.code)
		}
		_, _ = answer.Body.Close(), hold.Close()
	}
	if code, text, _ := b.get(t, page); code != http.StatusOK || !strings.Contains(text, `role="alert"`) {
		t.Errorf("the question afterwards: %d\n%s", code, text)
	}
}

// TestServeSlowsDownWhoTriesTooMuch: wrong tokens, strangers and changes are held up, each alone; who was let in looks on meanwhile.
func TestServeSlowsDownWhoTriesTooMuch(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	b, page := p.let(t)
	stranger := &browser{base: b.base}
	form := url.Values{"text": {"no key"}}
	for name, try := range map[string]func() (int, string, http.Header){
		"wrong tokens": func() (int, string, http.Header) { return stranger.get(t, "/enter?token=x") },
		"strangers":    func() (int, string, http.Header) { return stranger.get(t, page) },
		"a wrong key": func() (int, string, http.Header) {
			return stranger.get(t, "/api/v1/sessions", func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") })
		},
		"changes": func() (int, string, http.Header) { return b.ask(t, http.MethodPost, page+"/note", form) },
	} {
		code, text, header := try()
		for n := 0; code != http.StatusTooManyRequests && n < 2000; n++ {
			code, text, header = try()
		}
		if code != http.StatusTooManyRequests || !regexp.MustCompile(`Try again in \d+ s\.`).MatchString(text) || header.Get("Retry-After") == "" ||
			!strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %d, %v\n%s", name, code, header, text)
		}
		if code, _, _ := b.get(t, page); code != http.StatusOK {
			t.Errorf("%s: who was let in sees %d", name, code)
		}
	}
}

// TestServeBoundsThoseWhoFollow: beyond 300 streams of events the next is refused, until one of them ends.
func TestServeBoundsThoseWhoFollow(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	b, page := p.let(t)
	address := "/api/v1/events?session=" + strings.TrimPrefix(page, "/s/")
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	for n := range 300 {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+address, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := b.Do(r)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("stream %d: %v, %v", n+1, answer, err)
		}
		defer answer.Body.Close()
	}
	if code, text, header := b.get(t, address); code != http.StatusServiceUnavailable || !strings.Contains(text, "300") || header.Get("Retry-After") == "" {
		t.Errorf("one more: %d, %v\n%s", code, header, text)
	}
	if code, _, _ := b.get(t, page); code != http.StatusOK {
		t.Errorf("the page meanwhile: %d", code)
	}
	leave()
	until(t, func() bool {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.base+address, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := b.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
}
