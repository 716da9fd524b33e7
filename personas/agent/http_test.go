package agent

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"autopilot/personas"
	"autopilot/personas/openai"
)

// wire is a message as it goes to a server and back.
type wire struct {
	Role       string     `json:"role"`
	Content    string     `json:"content,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
}

type wireCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// ServeHTTP answers as a server of the OpenAI API does.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []wire
		Tools    []json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusTeapot)
		return
	}
	var messages []personas.Message
	for _, m := range request.Messages {
		message := personas.Message{Role: m.Role, Content: m.Content, CallID: m.ToolCallID}
		for _, call := range m.ToolCalls {
			message.Calls = append(message.Calls, personas.Call{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
		}
		messages = append(messages, message)
	}
	tools := make([]personas.Tool, len(request.Tools))
	answer, used, err := s.Turn(r.Context(), messages, tools)
	if _, ok := errors.AsType[*personas.OverflowError](err); ok {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":{"message":"This model's maximum context length is exceeded by your messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`))
		return
	}
	out := wire{Role: "assistant", Content: answer.Content}
	for _, call := range answer.Calls {
		c := wireCall{ID: call.ID, Type: "function"}
		c.Function.Name, c.Function.Arguments = call.Name, call.Arguments
		out.ToolCalls = append(out.ToolCalls, c)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"index": 0, "message": out, "finish_reason": "stop"}},
		"usage":   map[string]int{"prompt_tokens": used.InputTokens, "completion_tokens": used.OutputTokens},
	})
}

func TestThreeHundredTurnsOverHTTP(t *testing.T) {
	if os.Getenv("RESUME_FULL") != "1" {
		t.Skip("TestThreeHundredTurnsFitIntoASmallWindow has the same turns without a wire")
	}
	t.Parallel()
	for name, c := range map[string]struct{ real, told, refused int }{
		"a window that is known":        {32_768, 32_768, 0},
		"one smaller than it was taken": {20_000, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			d := world(t)
			d.MaxTurns = 400
			longFile(t, d)
			s := &server{window: c.real, perToken: 3, turns: 300, turn: works, summary: "The file was read in parts, and each third part was written."}
			over := httptest.NewServer(s)
			defer over.Close()
			model, err := openai.New(openai.Options{BaseURL: over.URL, Model: "some-model", NoStream: true, Retries: -1})
			if err != nil {
				t.Fatal(err)
			}
			out, err := New(model, Options{Window: c.told}).Dispatch(t.Context(), d)
			if err != nil || out.Kind != personas.GotReply || out.Turns != 301 {
				t.Fatalf("%+v, %v", out, err)
			}
			if len(s.wrong) > c.refused || out.Metrics.Compactions < 3 || s.summaries == 0 {
				t.Errorf("%+v, %d summaries: %v", out.Metrics, s.summaries, s.wrong)
			}
		})
	}
}
