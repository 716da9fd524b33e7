package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"autopilot/personas"
)

// TestWhatComesWithCallsGoesBackWithThem: without its thoughts and their signatures a server refuses the next request.
func TestWhatComesWithCallsGoesBackWithThem(t *testing.T) {
	const signed = `"tool_calls":[{"index":0,"id":"c1","type":"function","extra_content":{"google":{"thought_signature":"<A&B>"}},"function":{"name":"x","arguments":"{}"}},` +
		`{"index":1,"id":"c2","type":"function","function":{"name":"y","arguments":"{}"}}]`
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		whole  bool
	}{
		"streamed": {events(`{"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}`, `{"choices":[{"index":0,"delta":{"reasoning_content":"m",`+signed+`}}]}`, stopChunk, "[DONE]"), false},
		"whole":    {body(`{"choices":[{"index":0,"message":{"role":"assistant","content":"","reasoning_content":"hmm",` + signed + `}}]}`), true},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			m, _ := model(t, s, Options{NoStream: c.whole})
			got, _, err := ask(t, m)
			if err != nil || got.Reasoning != "hmm" || len(got.Calls) != 2 {
				t.Fatalf("%+v %v", got, err)
			}
			said := personas.Message{Role: "assistant", Content: `{"id":"c1","type":"function"`, Reasoning: "not sent without calls"}
			if _, _, err := m.Turn(t.Context(), []personas.Message{{Role: "user", Content: "x"}, said, got}, nil); err != nil {
				t.Fatal(err)
			}
			sent := s.requests[1].Messages
			if sent[1].Reasoning != "" || *sent[1].Content != said.Content || sent[2].Reasoning != "hmm" {
				t.Errorf("sent %+v", sent)
			}
			google, _ := sent[2].ToolCalls[0]["extra_content"].(map[string]any)["google"].(map[string]any)
			if google["thought_signature"] != "<A&B>" || sent[2].ToolCalls[1]["extra_content"] != nil {
				t.Errorf("sent calls %v", sent[2].ToolCalls)
			}
		})
	}
}

func TestStreamWithoutAReasonToFinishIsWholeAtItsEnd(t *testing.T) {
	m, slept := model(t, serve(t, events(textChunk, "[DONE]")), Options{})
	got, _, err := ask(t, m)
	if err != nil || got.Content != "Hi" || slept.sum() > 0 {
		t.Errorf("%+v %v, waited %s", got, err, slept.sum())
	}
}

// TestFailedTryIsPaidForAtOnce: each may cost, and a budget has to end the turn before the next one.
func TestFailedTryIsPaidForAtOnce(t *testing.T) {
	s := serve(t, events(textChunk, usageChunk))
	m, _ := model(t, s, Options{})
	ended := errors.New("the budget is used up")
	ctx, cancel := context.WithCancelCause(t.Context())
	var spent personas.Usage
	ctx = personas.WithSpending(ctx, func(u personas.Usage) {
		if spent = spent.Add(u); spent.InputTokens >= 2000 {
			cancel(ended)
		}
	})
	_, used, err := m.Turn(ctx, []personas.Message{{Role: "user", Content: "x"}}, nil)
	if !errors.Is(err, ended) || s.count() != 2 || spent.InputTokens != 2000 || used != (personas.Usage{}) {
		t.Errorf("%v after %d requests, %+v told, %+v left", err, s.count(), spent, used)
	}
}

func TestRequestThatIsTooLargeIsAnOverflow(t *testing.T) {
	m, _ := model(t, serve(t, status(http.StatusRequestEntityTooLarge, "<html>no</html>")), Options{})
	_, _, err := ask(t, m)
	if _, ok := errors.AsType[*personas.OverflowError](err); !ok {
		t.Errorf("%v", err)
	}
}

func TestServerThatCountsNothingIsCountedForByLength(t *testing.T) {
	said := 0
	m, _ := model(t, serve(t, events(textChunk, stopChunk, "[DONE]")), Options{Model: "gpt-4o", Guessing: func() { said++ }})
	for range 2 {
		_, used, err := m.Turn(t.Context(), []personas.Message{{Role: "user", Content: strings.Repeat("word ", 800)}}, nil)
		if err != nil || used.InputTokens < 1000 || used.InputTokens > 1100 || used.OutputTokens != 1 || used.CostUSD < 0.0025 {
			t.Errorf("%+v %v", used, err)
		}
	}
	if said != 1 {
		t.Errorf("said %d times", said)
	}
	refused, _ := model(t, serve(t, status(http.StatusBadRequest, "no")), Options{})
	if _, used, _ := ask(t, refused); used != (personas.Usage{}) {
		t.Errorf("a refusal used %+v", used)
	}
}
