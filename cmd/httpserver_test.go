package cmd_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"autopilot/personas"
	"autopilot/personas/replay"
)

// chatServer speaks OpenAI's chat completions on loopback. What it says stands in a replay file; which dispatch it is
// asked for it reads from the prompt, as nothing else of a dispatch comes over the wire.
type chatServer struct {
	*httptest.Server
	t     *testing.T
	turns *replay.File
	fault func(asked) http.HandlerFunc // in place of the answer; nil, or giving nil: none

	mu    sync.Mutex
	asked []asked
}

// asked is a request that came in.
type asked struct {
	n      int // from 1
	key    personas.Key
	turn   int // from 0, of its dispatch
	prompt string
	bearer string
	body   string
	chat   chatRequest
}

type chatRequest struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name       string `json:"name"`
			Parameters struct {
				Type       string         `json:"type"`
				Properties map[string]any `json:"properties"`
			} `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
}

func serveTurns(t *testing.T, turns []byte) *chatServer {
	t.Helper()
	file, err := replay.Parse("replay.yaml", turns)
	if err != nil {
		t.Fatal(err)
	}
	s := &chatServer{t: t, turns: file}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *chatServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.URL.Path == "/v1/models" {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"m"}]}`)
		return
	}
	if r.Method == http.MethodGet { // where it might say how long a conversation may be
		http.NotFound(w, r)
		return
	}
	a, err := s.read(r)
	if err != nil {
		s.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if a.isProbe() {
		streamed(w, personas.Message{Role: "assistant", Content: "ok"}, personas.Usage{InputTokens: 20, OutputTokens: 1})
		return
	}
	s.mu.Lock()
	a.n = len(s.asked) + 1
	s.asked = append(s.asked, a)
	s.mu.Unlock()
	if s.fault != nil {
		if handle := s.fault(a); handle != nil {
			handle(w, r)
			return
		}
	}
	message, usage, err := s.say(r, a)
	if err != nil {
		s.t.Error(err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if a.chat.Stream {
		streamed(w, message, usage)
		return
	}
	whole(w, message, usage)
}

func (s *chatServer) read(r *http.Request) (asked, error) {
	a := asked{bearer: r.Header.Get("Authorization")}
	body, err := io.ReadAll(r.Body)
	if err != nil || r.URL.Path != "/v1/chat/completions" {
		return a, fmt.Errorf("not a chat completion: %w", err)
	}
	a.body = string(body)
	if err := json.Unmarshal(body, &a.chat); err != nil {
		return a, err
	}
	begun := false
	for _, m := range a.chat.Messages {
		if m.Role == "user" && begun {
			continue
		}
		if m.Role == "user" || m.Role == "system" {
			a.prompt, begun = a.prompt+m.Content, m.Role == "user"
		}
		if m.Role == "assistant" {
			a.turn++
		}
	}
	if !a.isProbe() {
		a.key, err = keyOf(a.prompt)
	}
	return a, err
}

// isProbe says whether it is doctor's small request.
func (a asked) isProbe() bool { return strings.HasPrefix(a.prompt, "Answer with the word ok") }

var (
	saysPersona = regexp.MustCompile(`(?m)^# You are the (\w+)(, and you diagnose|, and this is the final review)?`)
	saysPhase   = regexp.MustCompile(`(?m)^- Phase: \S+ \((\d+) of \d+\)`)
	saysTask    = regexp.MustCompile(`(?m)^- Task: (task-\d+)`)
	saysAttempt = regexp.MustCompile(`(?m)^- Attempt: (\d+)`)
)

// keyOf reads from a prompt which dispatch it is.
func keyOf(prompt string) (personas.Key, error) {
	persona := saysPersona.FindStringSubmatch(prompt)
	if persona == nil {
		return personas.Key{}, fmt.Errorf("the prompt names no persona: %.80q", prompt)
	}
	k := personas.Key{Persona: persona[1], Attempt: 1}
	if m := saysPhase.FindStringSubmatch(prompt); m != nil {
		k.Phase, _ = strconv.Atoi(m[1])
	}
	if m := saysTask.FindStringSubmatch(prompt); m != nil {
		k.Task = m[1]
	}
	switch {
	case strings.Contains(persona[2], "diagnose"): // the number is that of the failed attempts
	case strings.Contains(persona[2], "final"):
		k.Task = "final"
		fallthrough
	default:
		if m := saysAttempt.FindStringSubmatch(prompt); m != nil {
			k.Attempt, _ = strconv.Atoi(m[1])
		}
	}
	return k, nil
}

// say gives the turn that the conversation has come to; who wants more than there is gets the last once more, as from a
// model that insists.
func (s *chatServer) say(r *http.Request, a asked) (personas.Message, personas.Usage, error) {
	model, err := s.turns.Model(a.key)
	if err != nil {
		return personas.Message{}, personas.Usage{}, err
	}
	message, usage, err := model.Turn(r.Context(), nil, nil)
	for n := 0; n < a.turn && err == nil && model.More(); n++ {
		message, usage, err = model.Turn(r.Context(), nil, nil)
	}
	return message, usage, err
}

// object is a JSON object in the making.
type object = map[string]any

func counted(u personas.Usage) object {
	return object{
		"prompt_tokens": u.InputTokens, "completion_tokens": u.OutputTokens, "total_tokens": u.InputTokens + u.OutputTokens,
		"prompt_tokens_details": object{"cached_tokens": u.CachedTokens},
	}
}

func whole(w http.ResponseWriter, m personas.Message, u personas.Usage) {
	message, reason := object{"role": "assistant", "content": m.Content}, "stop"
	for _, c := range m.Calls {
		calls, _ := message["tool_calls"].([]object)
		message["tool_calls"] = append(calls, object{"id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": c.Arguments}})
		reason = "tool_calls"
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(object{
		"id": "c", "object": "chat.completion", "choices": []object{{"index": 0, "message": message, "finish_reason": reason}}, "usage": counted(u),
	})
}

// streamed cuts the arguments of each call in two, as servers do.
func streamed(w http.ResponseWriter, m personas.Message, u personas.Usage) {
	w.Header().Set("Content-Type", "text/event-stream")
	reason := "stop"
	chunk(w, object{"role": "assistant", "content": m.Content}, nil)
	for i, c := range m.Calls {
		half := len(c.Arguments) / 2
		chunk(w, called(object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": c.Arguments[:half]}}), nil)
		chunk(w, called(object{"index": i, "function": object{"arguments": c.Arguments[half:]}}), nil)
		reason = "tool_calls"
	}
	chunk(w, object{}, reason)
	event(w, object{"object": "chat.completion.chunk", "choices": []object{}, "usage": counted(u)})
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func called(call object) object { return object{"tool_calls": []object{call}} }

func chunk(w http.ResponseWriter, delta object, reason any) {
	event(w, object{"object": "chat.completion.chunk", "choices": []object{{"index": 0, "delta": delta, "finish_reason": reason}}})
}

func event(w http.ResponseWriter, data object) {
	line, _ := json.Marshal(data)
	fmt.Fprintf(w, "data: %s\n\n", line)
	w.(http.Flusher).Flush()
}

// refusal is an error as OpenAI's server words it.
func refusal(code int, message string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(object{"error": object{"message": message, "type": "request_error", "code": nil}})
	}
}

// cutMidStream begins an answer and closes the connection in the middle of it.
func cutMidStream(w http.ResponseWriter, _ *http.Request) {
	chunk(w, object{"role": "assistant", "content": "I am about to"}, nil)
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		_ = conn.Close()
	}
}
