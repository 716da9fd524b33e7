package openai

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"autopilot/personas"
)

const errorOfLMStudio = `{"error":"Unexpected endpoint or method."}`

func TestServersSayHowLongAConversationMayBe(t *testing.T) {
	said := func(n int) personas.Window { return personas.Window{Tokens: n, Source: "as its server says"} }
	for name, c := range map[string]struct {
		preset  string // whose quirks the server has; "": it is of no known kind
		answers map[string]string
		want    personas.Window
		asked   []string
	}{
		"OpenRouter": {
			"openrouter",
			map[string]string{"/v1/models": `{"data":[{"id":"x/m-large","context_length":9},{"id":"x/m","name":"X: M","context_length":163840,"top_provider":{}}]}`},
			said(163_840),
			[]string{"/v1/models"},
		},
		"vLLM": {"vllm", map[string]string{"/v1/models": `{"data":[{"id":"x/m","max_model_len":40960}]}`}, said(40_960), []string{"/v1/models"}},
		"a server like it, of no known kind": {
			"", map[string]string{"/v1/models": `{"data":[{"id":"x/m","max_model_len":40960}]}`}, said(40_960), []string{"/v1/models"},
		},
		"one that lists another model": {
			"vllm", map[string]string{"/v1/models": `{"data":[{"id":"other","max_model_len":40960}]}`}, personas.Window{}, []string{"/v1/models"},
		},
		"LM Studio, loaded": {
			"lmstudio",
			map[string]string{"/api/v0/models": `{"data":[{"id":"x/m","state":"loaded","max_context_length":131072,"loaded_context_length":8192}]}`},
			said(8192),
			[]string{"/api/v0/models"},
		},
		"LM Studio, not loaded": {
			"lmstudio",
			map[string]string{"/api/v0/models": `{"data":[{"id":"x/m","state":"not-loaded","max_context_length":131072}]}`},
			said(131_072),
			[]string{"/api/v0/models"},
		},
		"LM Studio by its address": {
			"", map[string]string{
				"/v1/models": `{"data":[{"id":"x/m"}]}`, "/props": errorOfLMStudio, "/api/v0/models": `{"data":[{"id":"x/m","loaded_context_length":8192}]}`,
			}, said(8192), []string{"/v1/models", "/props", "/api/v0/models"},
		},
		"Ollama, loaded": {
			"ollama",
			map[string]string{"/api/ps": `{"models":[{"name":"x/m:latest","context_length":4096}]}`},
			personas.Window{Tokens: 4096, Source: "as its server says", Silent: true},
			[]string{"/api/ps"},
		},
		"Ollama, not loaded": {
			"ollama",
			map[string]string{"/api/ps": `{"models":[]}`, "/api/generate": `{"models":[{"name":"x/m:latest","context_length":32768}]}`},
			personas.Window{Tokens: 32_768, Source: "as its server says", Silent: true},
			[]string{"/api/ps", "/api/generate", "/api/ps"},
		},
		"Ollama, without it":    {"ollama", map[string]string{"/api/ps": `{"models":[]}`}, personas.Window{Silent: true}, []string{"/api/ps", "/api/generate"}},
		"Ollama behind a proxy": {"ollama", nil, personas.Window{Silent: true}, []string{"/api/ps"}},
		"Ollama by its address": {
			"",
			map[string]string{"/v1/models": `{"data":[{"id":"x/m"}]}`, "/api/ps": `{"models":[]}`},
			personas.Window{Silent: true},
			[]string{"/v1/models", "/props", "/api/v0/models", "/api/ps", "/api/generate"},
		},
		"llama.cpp": {
			"",
			map[string]string{"/v1/models": `{"models":[],"data":[{"id":"x/m","meta":{"n_ctx_train":131072}}]}`, "/props": `{"default_generation_settings":{"n_ctx":16384}}`},
			personas.Window{Tokens: 16_384, Source: "as its server says", Silent: true},
			[]string{"/v1/models", "/props"},
		},
		"one that says nothing": {"", nil, personas.Window{}, []string{"/v1/models", "/props", "/api/v0/models", "/api/ps"}},
		"odd types":             {"vllm", map[string]string{"/v1/models": `{"data":[{"id":"x/m","context_length":"32k","max_model_len":40960}]}`}, said(40_960), []string{"/v1/models"}},
		"no JSON":               {"vllm", map[string]string{"/v1/models": `<html>`}, personas.Window{}, []string{"/v1/models"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, asked := windowAt(t, c.preset, c.answers)
			if remedy := got.Remedy; got.Silent != (remedy != "") || got.Silent != c.want.Silent {
				t.Errorf("silent: %v, remedy: %q", got.Silent, remedy)
			}
			if got.Remedy = ""; got != c.want || !slices.Equal(asked, c.asked) {
				t.Errorf("%+v after asking %q, want %+v", got, asked, c.want)
			}
		})
	}
}

// windowAt asks a server for the window of the model x/m, and tells where it was asked.
func windowAt(t *testing.T, preset string, answers map[string]string) (w personas.Window, asked []string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		method := http.MethodGet
		if r.URL.Path == "/api/generate" { // what it has loaded is what it answers from then on
			method = http.MethodPost
			if body, err := io.ReadAll(r.Body); err != nil || string(body) != `{"model":"x/m"}` {
				t.Errorf("sent %q, %v", body, err)
			}
			answers["/api/ps"] = answers[r.URL.Path]
		}
		if r.Method != method || r.Header.Get("Authorization") != "Bearer key" {
			t.Errorf("%s with %q", r.Method, r.Header.Get("Authorization"))
		}
		if answer, ok := answers[r.URL.Path]; ok {
			_, _ = fmt.Fprint(w, answer)
			return
		}
		http.NotFound(w, r)
	}))
	defer s.Close()
	known, _ := PresetOf(preset)
	m, err := New(Options{BaseURL: s.URL + "/v1", Model: "x/m", APIKey: "key", Quirks: known.Quirks})
	if err != nil {
		t.Fatal(err)
	}
	return m.Window(t.Context()), asked
}

// TestWindowIsNotAskedForInVain: a provider that is known not to say is not asked, and nobody waits for a server that is away.
func TestWindowIsNotAskedForInVain(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, address := range map[string]string{"OpenAI's own": "", "DeepSeek's own": "https://api.deepseek.com/v1", "gone": gone.URL} {
		asked := 0
		m, err := New(Options{BaseURL: address, Model: "m", Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			asked++
			return http.DefaultTransport.RoundTrip(r)
		})})
		if err != nil {
			t.Fatal(err)
		}
		if w := m.Window(t.Context()); w != (personas.Window{}) || asked > strings.Count(address, "127.0.0.1") {
			t.Errorf("%s: %+v after %d requests", name, w, asked)
		}
	}
	slow, err := New(Options{BaseURL: "http://127.0.0.1:1/v1", Model: "m", Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if at, ok := r.Context().Deadline(); !ok || at.IsZero() {
			t.Error("a server that does not answer is waited for")
		}
		return nil, context.DeadlineExceeded
	})})
	if w := slow.Window(t.Context()); err != nil || w != (personas.Window{}) {
		t.Errorf("%+v, %v", w, err)
	}
}
