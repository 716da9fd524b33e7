package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"autopilot/personas"
	"autopilot/personas/replay"
)

// modelServer speaks OpenAI's chat completions, says what recordings hold, and keeps what it was sent. Which dispatch it is
// asked for it reads from the first prompt.
type modelServer struct {
	tb         testing.TB
	recordings []*replay.File

	mu       sync.Mutex
	requests []request
}

func newModelServer(tb testing.TB, names []string) *modelServer {
	tb.Helper()
	s := &modelServer{tb: tb}
	for _, name := range names {
		f, err := replay.Load(filepath.Join("testdata", "outcome", name))
		if err != nil {
			tb.Fatal(err)
		}
		s.recordings = append(s.recordings, f)
	}
	return s
}

func (s *modelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"m"}]}`)
		return
	}
	body, err := io.ReadAll(r.Body)
	var asked request
	if err == nil {
		asked, err = readRequest(body)
	}
	var says personas.Message
	if err == nil {
		s.mu.Lock()
		s.requests = append(s.requests, asked)
		s.mu.Unlock()
		says, err = s.turn(r, asked)
	}
	if err != nil {
		s.tb.Error(err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer(w, says, len(body)/4)
}

// turn is what comes next in the conversation. Who wants more than was recorded gets the last turn again.
func (s *modelServer) turn(r *http.Request, asked request) (says personas.Message, err error) {
	model, err := (*replay.Model)(nil), errors.New("no recordings")
	for _, f := range s.recordings {
		if model, err = f.Model(asked.key); err == nil {
			break
		}
	}
	for n := 0; err == nil && n <= asked.turn && model.More(); n++ {
		says, _, err = model.Turn(r.Context(), nil, nil)
	}
	for i := range says.Calls {
		if says.Calls[i].Name == "submit_reply" {
			says.Calls[i].Arguments, err = named(says.Calls[i].Arguments, asked.prompt)
		}
	}
	return says, err
}

// named gives judgements the id that the prompt has on the line of the title, or of the command of a blind check. What a prompt
// does not name is not judged.
func named(arguments, prompt string) (string, error) {
	var reply map[string]any
	if err := json.Unmarshal([]byte(arguments), &reply); err != nil {
		return "", err
	}
	judged, _ := reply["judged"].([]any)
	var known []any
	for _, j := range judged {
		j, _ := j.(map[string]any)
		if title, ok := j["title"].(string); ok {
			id := regexp.MustCompile(`\b([FB]\d+)\b.*` + regexp.QuoteMeta(title)).FindStringSubmatch(prompt)
			if id == nil {
				continue
			}
			j["id"] = id[1]
			delete(j, "title")
		}
		known = append(known, j)
	}
	if delete(reply, "judged"); known != nil {
		reply["judged"] = known
	}
	out, err := json.Marshal(reply)
	return string(out), err
}

// answer streams a message, as the program asks for it.
func answer(w http.ResponseWriter, m personas.Message, tokens int) {
	type object = map[string]any
	var calls []object
	for i, c := range m.Calls {
		calls = append(calls, object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": c.Arguments}})
	}
	delta := object{"role": "assistant", "content": m.Content, "tool_calls": calls}
	for _, data := range []object{
		{"choices": []object{{"index": 0, "delta": delta, "finish_reason": "stop"}}},
		{"choices": []object{}, "usage": object{"prompt_tokens": tokens, "completion_tokens": 20}},
	} {
		line, _ := json.Marshal(data)
		fmt.Fprintf(w, "data: %s\n\n", line)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}
