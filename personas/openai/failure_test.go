package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"autopilot/personas"
)

func TestPassingFailuresAreTriedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		wait    time.Duration
	}{
		"429 with seconds": {status(429, `{"error":{"message":"slow","type":"rate_limit_error"}}`, "Retry-After", "7"), 7 * time.Second},
		"429 with a date": {status(429, `{"error":{"message":"slow","code":null}}`,
			"Date", "Wed, 21 Oct 2026 07:28:00 GMT", "Retry-After", "Wed, 21 Oct 2026 07:28:42 GMT"), 42 * time.Second},
		"429 with milliseconds":    {status(429, `slow`, "Retry-After-Ms", "1500", "Retry-After", "2"), 1500 * time.Millisecond},
		"429 with nonsense":        {status(429, `slow`, "Retry-After", "soon"), time.Second},
		"500":                      {status(500, `{"error":{"message":"oops"}}`), time.Second},
		"502 in HTML":              {status(502, "<html>bad gateway</html>"), time.Second},
		"503":                      {status(503, "", "Retry-After", "3"), 3 * time.Second},
		"529":                      {status(529, ""), time.Second},
		"408":                      {status(408, ""), time.Second},
		"408 in words":             {status(408, `{"error":{"message":"Request too long in the queue: request is too long to wait for"}}`), time.Second},
		"504 in words":             {status(504, `{"error":{"message":"The request took too long to process. Please try again."}}`), time.Second},
		"500 in words":             {status(500, `{"error":{"message":"The request is taking too long, please retry"}}`), time.Second},
		"409":                      {status(409, ""), time.Second},
		"reset":                    {reset, time.Second},
		"cut after a piece":        {events(textChunk), time.Second},
		"cut at once":              {events(), time.Second},
		"cut by the transport":     {cutShort, time.Second},
		"error inside a stream":    {events(textChunk, `{"error":{"message":"overloaded","type":"server_error"}}`), time.Second},
		"429 inside a stream":      {events(`{"error":{"message":"slow","code":429}}`), time.Second},
		"nonsense inside a stream": {events(`{"choices":`), time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.handler, good)
			m, clock := model(t, s, Options{Guessing: func() { t.Error("it counts no tokens, says who did not get to the end of an answer") }})
			got, _, err := ask(t, m)
			if err != nil || got.Content != "Hi" || s.count() != 2 {
				t.Fatalf("%+v, %v after %d requests", got, err, s.count())
			}
			if clock.sum() != c.wait {
				t.Errorf("waited %s, want %s", clock.sum(), c.wait)
			}
		})
	}
}

func cutShort(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	fmt.Fprintf(w, "data: %s\n\n", textChunk)
}

func TestWaitsGrowAndGiveSignsOfLife(t *testing.T) {
	s := serve(t, status(500, "oops"))
	m, clock := model(t, s, Options{Retries: 4})
	m.o.Jitter = func() float64 { return 1 }
	beats := 0
	_, _, err := m.Turn(personas.WithBeat(t.Context(), func() { beats++ }), nil, nil)
	var limit *personas.LimitError
	if !errors.As(err, &limit) || limit.Outage != personas.ServerFails || s.count() != 5 {
		t.Errorf("%v after %d requests", err, s.count())
	}
	if want := 1500*time.Millisecond + 3*time.Second + 6*time.Second + 12*time.Second; clock.sum() != want {
		t.Errorf("waited %s, want %s", clock.sum(), want)
	}
	if beats < len(clock.slept) {
		t.Errorf("%d signs of life in %d waits", beats, len(clock.slept))
	}
}

func TestWaitIsAliveAlsoWhereSilenceIsShort(t *testing.T) {
	s := serve(t, status(429, "slow", "Retry-After", "8"), good)
	m, clock := model(t, s, Options{Idle: 3 * time.Second})
	if _, _, err := ask(t, m); err != nil || clock.sum() != 8*time.Second || slices.Max(clock.slept) > time.Second {
		t.Errorf("%v after waits of %v", err, clock.slept)
	}
}

func TestLimitThatOutlastsTheRetriesIsTold(t *testing.T) {
	var limit *personas.LimitError
	s := serve(t, status(429, `{"error":{"message":"slow"}}`, "Retry-After", "60"))
	m, _ := model(t, s, Options{Retries: 2})
	if _, _, err := ask(t, m); !errors.As(err, &limit) || s.count() != 3 || limit.Until.Minute() != 1 {
		t.Errorf("%v after %d requests", err, s.count())
	}
	s = serve(t, status(429, `{"error":{"message":"slow"}}`, "Retry-After", "3600"))
	m, clock := model(t, s, Options{})
	if _, _, err := ask(t, m); !errors.As(err, &limit) || s.count() != 1 || clock.sum() != 0 || limit.Until.Hour() != 1 {
		t.Errorf("%v after %d requests and %s", err, s.count(), clock.sum())
	}
	for _, code := range []int{408, 409, 500, 502, 504} { // a server in maintenance, which says how long
		s = serve(t, status(code, `{"error":{"message":"maintenance"}}`, "Retry-After", "3600"))
		m, _ = model(t, s, Options{})
		if _, _, err := ask(t, m); !errors.As(err, &limit) || s.count() != 1 || limit.UsedUp || limit.Until.Hour() != 1 {
			t.Errorf("%d: %v after %d requests", code, err, s.count())
		}
	}
	s = serve(t, status(429, `{"error":{"message":"pay","type":"insufficient_quota","code":"insufficient_quota"}}`))
	m, _ = model(t, s, Options{})
	if _, _, err := ask(t, m); !errors.As(err, &limit) || s.count() != 1 || !limit.Until.IsZero() {
		t.Errorf("%v after %d requests", err, s.count())
	}
}

func TestRefusedCredentialsEndAtOnceWithoutTheKey(t *testing.T) {
	for _, code := range []int{401, 403} {
		for _, text := range []string{`{"error":{"message":"Incorrect API key: ` + key + `"}}`, "plain: " + key + strings.Repeat(" long", 1000)} {
			s := serve(t, status(code, text))
			m, _ := model(t, s, Options{})
			_, _, err := ask(t, m)
			var auth *personas.AuthError
			if !errors.As(err, &auth) || s.count() != 1 {
				t.Errorf("%d: %v after %d requests", code, err, s.count())
			}
			if strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "[key]") || len(err.Error()) > 800 {
				t.Errorf("%d: the error says %s", code, err)
			}
		}
	}
}

func TestRequestThatIsRefusedIsNotTriedAgain(t *testing.T) {
	for _, code := range []int{400, 404, 422} {
		s := serve(t, status(code, `{"error":{"message":"no such model","code":"model_not_found"}}`))
		m, _ := model(t, s, Options{})
		_, _, err := ask(t, m)
		var end *personas.EndError
		if err == nil || errors.As(err, &end) || s.count() != 1 || !strings.Contains(err.Error(), "no such model") {
			t.Errorf("%d: %v after %d requests", code, err, s.count())
		}
	}
}

func TestRefusedToolsAreToldApart(t *testing.T) {
	s := serve(t, status(400, `{"error":{"message":"registry.example/gemma:2b does not support tools"}}`))
	m, _ := model(t, s, Options{})
	if _, _, err := ask(t, m); err == nil || !strings.Contains(err.Error(), "write tools: text in its backend") || s.count() != 1 {
		t.Errorf("%v after %d requests", err, s.count())
	}
}

func TestServerThatIsNotThereIsNamed(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	c := &clock{}
	m, err := New(Options{BaseURL: s.URL + "/v1", Model: "m", Retries: -1, Sleep: c.sleep})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = ask(t, m)
	var limit *personas.LimitError
	if !errors.As(err, &limit) || limit.Outage != personas.NoServer || !strings.Contains(err.Error(), "cannot be reached: nothing listens at ") {
		t.Errorf("got %v", err)
	}
	plain := serve(t, good)
	if m, err = New(Options{BaseURL: "https" + strings.TrimPrefix(plain.URL, "http"), Model: "m", Retries: -1}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ask(t, m); err == nil || errors.As(err, &limit) || !strings.Contains(err.Error(), "base_url") {
		t.Errorf("an address that is wrong is said to be an outage: %v", err)
	}
}

// TestServerOutOfOrderIsNoFaultOfTheDispatch: nobody knows when it is back, so that it is looked at less and less often.
func TestServerOutOfOrderIsNoFaultOfTheDispatch(t *testing.T) {
	for name, broken := range map[string]http.HandlerFunc{
		"500": status(500, "oops"), "502": status(502, "<html>Bad Gateway</html>"), "504": status(504, ""), "409": status(409, ""), "reset": reset,
	} {
		var out atomic.Bool
		out.Store(true)
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if out.Load() {
				broken(w, r)
				return
			}
			good(w, r)
		})
		m, _ := model(t, s, Options{Retries: 1})
		now := m.o.Now()
		m.o.Now = func() time.Time { return now }
		looks := func(want ...time.Duration) {
			t.Helper()
			for _, pause := range want {
				_, _, err := ask(t, m)
				var limit *personas.LimitError
				if !errors.As(err, &limit) || limit.Outage == "" || limit.UsedUp || limit.Until.Sub(now) != pause {
					t.Fatalf("%s: %v, want to look again after %s", name, err, pause)
				}
				now = limit.Until
			}
		}
		looks(time.Minute, time.Minute, 2*time.Minute, 4*time.Minute, 8*time.Minute, 16*time.Minute, 30*time.Minute, 30*time.Minute)
		out.Store(false)
		if _, _, err := ask(t, m); err != nil {
			t.Fatal(err)
		}
		out.Store(true)
		looks(time.Minute)
	}
}

func TestSilentServerIsNotWaitedForForEver(t *testing.T) {
	for begun, noStream := range map[string]bool{"data: " + textChunk + "\n\n": false, `{"choices":`: true} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, begun)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		m, _ := model(t, s, Options{Idle: 20 * time.Millisecond, Retries: 1, NoStream: noStream})
		_, _, err := ask(t, m)
		var end *personas.EndError
		if !errors.As(err, &end) || end.Kind != personas.TimedOut || s.count() != 2 {
			t.Errorf("%v after %d requests", err, s.count())
		}
	}
}

func TestSlowStreamIsAlive(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) {
		for _, chunk := range []string{textChunk, textChunk, textChunk, textChunk, textChunk, stopChunk, "[DONE]"} {
			time.Sleep(60 * time.Millisecond) // a real server's pace: longer in all than the limit
			fmt.Fprintf(w, "data: %s\n\n", chunk)
			w.(http.Flusher).Flush()
		}
	}
	s := serve(t, slow)
	m, _ := model(t, s, Options{Idle: 300 * time.Millisecond})
	if got, _, err := ask(t, m); err != nil || got.Content != "HiHiHiHiHi" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCancelledTurnEndsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	m, clock := model(t, s, Options{})
	if _, _, err := m.Turn(ctx, nil, nil); !errors.Is(err, context.Canceled) || len(clock.slept) != 0 {
		t.Errorf("got %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	s = serve(t, status(500, "oops"))
	m, _ = model(t, s, Options{})
	m.o.Sleep = func(ctx context.Context, _ time.Duration) error {
		cancel()
		return personas.Sleep(ctx, time.Hour)
	}
	if _, _, err := m.Turn(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("in a wait: %v", err)
	}
	if err := personas.Sleep(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
}
