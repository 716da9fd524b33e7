package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"autopilot/personas"
)

// server answers the n-th request with the n-th handler, the last one for ever.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	handlers []http.HandlerFunc
	requests []request
}

type request struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role       string           `json:"role"`
		Content    *string          `json:"content"`
		Reasoning  string           `json:"reasoning_content"`
		ToolCallID string           `json:"tool_call_id"`
		ToolCalls  []map[string]any `json:"tool_calls"`
	} `json:"messages"`
	Tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name       string         `json:"name"`
			Parameters map[string]any `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	StreamOptions map[string]any `json:"stream_options"`
	auth          string
}

func serve(t *testing.T, handlers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{handlers: handlers}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got request
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		got.auth = r.Header.Get("Authorization")
		s.mu.Lock()
		n := min(len(s.requests), len(s.handlers)-1)
		s.requests = append(s.requests, got)
		s.mu.Unlock()
		s.handlers[n](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

const key = "sk-loopback-0123456789"

// clock counts the time that was slept.
type clock struct{ slept []time.Duration }

func (c *clock) sleep(_ context.Context, d time.Duration) error {
	c.slept = append(c.slept, d)
	return nil
}

func (c *clock) sum() (total time.Duration) {
	for _, d := range c.slept {
		total += d
	}
	return total
}

func model(t *testing.T, s *server, o Options) (*Model, *clock) {
	t.Helper()
	c := &clock{}
	o.BaseURL, o.APIKey = s.URL+"/v1", key
	if o.Model == "" {
		o.Model = "m1"
	}
	o.Sleep, o.Jitter = c.sleep, func() float64 { return 0 }
	o.Now = func() time.Time { return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC) }
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m, c
}

func ask(t *testing.T, m *Model) (personas.Message, personas.Usage, error) {
	t.Helper()
	return m.Turn(t.Context(), []personas.Message{{Role: "user", Content: "Hello"}}, nil)
}

// events is a streamed answer; each is one chunk's JSON, or "[DONE]".
func events(chunks ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, chunk := range chunks {
			fmt.Fprintf(w, ": keep alive\n\ndata: %s\n\n", chunk)
			w.(http.Flusher).Flush()
		}
	}
}

func body(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, text)
	}
}

func status(code int, text string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprint(w, text)
	}
}

func reset(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

const (
	textChunk  = `{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}`
	stopChunk  = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	usageChunk = `{"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":600}}}`
	wholeText  = `{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":10}}`
)

var good = events(textChunk, stopChunk, usageChunk, "[DONE]")
