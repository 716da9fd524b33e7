package openai

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/personas"
)

func TestStreamIsPutTogether(t *testing.T) {
	tool := func(delta string) string { return `{"choices":[{"index":0,"delta":{"tool_calls":[` + delta + `]}}]}` }
	s := serve(t, events(
		`{"choices":[{"index":0,"delta":{"role":"assistant","content":"I "}}]}`,
		`{"choices":[{"index":0,"delta":{"content":"read."}},{"index":1,"delta":{"content":"another choice"}}]}`,
		tool(`{"index":0,"id":"c1","type":"function","function":{"name":"read_file","arguments":""}}`),
		tool(`{"index":1,"id":"c2","type":"function","function":{"name":"search","arguments":"{\"pat"}}`),
		tool(`{"index":0,"function":{"arguments":"{\"path\":"}}`),
		tool(`{"index":1,"function":{"arguments":"tern\":\"x\"}"}},{"index":0,"function":{"arguments":"\"a\"}"}}`),
		`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`, usageChunk, "[DONE]"))
	m, _ := model(t, s, Options{Model: "gpt-4o"})
	got, used, err := ask(t, m)
	if err != nil {
		t.Fatal(err)
	}
	want := personas.Message{Role: "assistant", Content: "I read.", Calls: []personas.Call{
		{ID: "c1", Name: "read_file", Arguments: `{"path":"a"}`}, {ID: "c2", Name: "search", Arguments: `{"pattern":"x"}`},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// 400 fresh at 2.50, 600 cached at 1.25, 10 out at 10 dollars a million
	if used.InputTokens != 1000 || used.CachedTokens != 600 || used.OutputTokens != 10 || math.Abs(used.CostUSD-0.00185) > 1e-9 {
		t.Errorf("%+v", used)
	}
}

func TestCallsWithoutAnIndexAreKeptApart(t *testing.T) {
	for name, index := range map[string]string{"none": "", "always 0": `"index":0,`} {
		s := serve(t, events(
			`{"choices":[{"index":0,"delta":{"tool_calls":[{`+index+`"id":"a","function":{"name":"x","arguments":"{}"}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{`+index+`"id":"b","function":{"name":"y","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"))
		m, _ := model(t, s, Options{})
		got, _, err := ask(t, m)
		if err != nil || len(got.Calls) != 2 || got.Calls[1].Name != "y" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestCountsThatNoCallCanHaveAreNotTaken: their sum would fall below zero, and no budget would ever be used up.
func TestCountsThatNoCallCanHaveAreNotTaken(t *testing.T) {
	s := serve(t, body(`{"choices":[{"message":{"role":"assistant","content":"x"}}],"usage":{"prompt_tokens":9000000000000000000,"completion_tokens":-3,"prompt_tokens_details":{"cached_tokens":-7}}}`))
	m, _ := model(t, s, Options{NoStream: true})
	_, used, err := ask(t, m)
	if err != nil || used.InputTokens <= 0 || used.Add(used).InputTokens <= used.InputTokens || used.OutputTokens != 0 || used.CachedTokens != 0 {
		t.Errorf("%+v, %v", used, err)
	}
}

func TestWholeAnswerIsReadWithoutStreaming(t *testing.T) {
	s := serve(t, body(`{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"x","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`))
	m, _ := model(t, s, Options{NoStream: true})
	got, used, err := ask(t, m)
	if err != nil || len(got.Calls) != 1 || got.Calls[0].ID != "c" || used != (personas.Usage{InputTokens: 7, OutputTokens: 3}) {
		t.Errorf("%+v %+v %v", got, used, err)
	}
	if s.requests[0].Stream {
		t.Error("it asked for a stream")
	}
	s = serve(t, body(`{"choices":[]}`), body(wholeText))
	m, _ = model(t, s, Options{NoStream: true})
	if got, _, err := ask(t, m); err != nil || got.Content != "Hi" {
		t.Errorf("an answer without choices was not asked for again: %+v, %v", got, err)
	}
}

func TestRequestHoldsConversationAndTools(t *testing.T) {
	s := serve(t, good)
	m, _ := model(t, s, Options{})
	_, _, err := m.Turn(t.Context(), []personas.Message{
		{Role: "system", Content: "S"},
		{Role: "user", Content: "U"},
		{Role: "assistant", Calls: []personas.Call{{ID: "c1", Name: "read_file", Arguments: ""}}},
		{Role: "tool", CallID: "c1", Content: ""},
		{Role: "assistant", Content: ""},
	}, []personas.Tool{{Name: "read_file", Description: "d", Parameters: json.RawMessage(`{"type":"object"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	r := s.requests[0]
	if r.Model != "m1" || !r.Stream || r.StreamOptions["include_usage"] != true || r.auth != "Bearer "+key {
		t.Errorf("%+v", r)
	}
	if len(r.Tools) != 1 || r.Tools[0].Type != "function" || r.Tools[0].Function.Parameters["type"] != "object" {
		t.Errorf("%+v", r.Tools)
	}
	call := r.Messages[2].ToolCalls[0]["function"].(map[string]any)
	if call["arguments"] != "{}" || r.Messages[3].ToolCallID != "c1" {
		t.Errorf("%+v", r.Messages)
	}
	for _, i := range []int{3, 4} { // some servers refuse a message without content
		if c := r.Messages[i].Content; c == nil || *c != "(no output)" {
			t.Errorf("message %d has content %v", i, c)
		}
	}
}

func TestPricesFitNamesAndDatedVersions(t *testing.T) {
	million := personas.Usage{InputTokens: 1_000_000}
	for name, want := range map[string]float64{
		"gpt-4o": 2.5, "gpt-4o-2024-11-20": 2.5, "gpt-4o-mini": 0.15, "openai/gpt-4o": 2.5, "gpt-4o-audio": 0, "llama": 0, "mine": 9, "a/b": 8,
		"claude-sonnet-4-5-20250929": 3, "anthropic/claude-opus-5.5": 4, "claude-opus-5": 5, "gemini-3.1-pro-preview": 2, "gpt-5-pro": 0, "x/y:free": 0,
		"gemini-2.5-flash": 0.30, "gemini-2.5-flash-lite": 0.10, "z-ai/glm-5.2": 1.4, "glm-5-turbo": 1.2, "glm-5-2": 1.4, "glm-4.5-air": 0,
		"codestral-latest": 0.30, "deepseek-flash": 0.30, "deepseek-chat": 0, "openai/gpt-oss-120b": 0, "llama-3.3-70b-versatile": 0.59,
	} {
		m, err := New(Options{Model: name, Prices: []Price{{"mine", 9, 9, 9}, {"a/b", 8, 8, 8}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.price(million).CostUSD; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s costs %v, want %v", name, got, want)
		}
		if free := strings.HasSuffix(name, ":free"); m.Priced() != (want > 0 || free) {
			t.Errorf("%s: the price is known: %v", name, m.Priced())
		}
	}
}

func TestModelMustBeNamed(t *testing.T) {
	if _, err := New(Options{}); err == nil || !strings.Contains(err.Error(), "--model") {
		t.Errorf("got %v", err)
	}
}
