//go:build unix

package cmd_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"autopilot/personas"
)

// agentServer plays the model of an agent program on loopback, in any of the four languages that such programs speak.
// What it says depends on the dispatch, which it reads from the prompt, and on how many results of tools came since:
// programs may ask again, and several at the same time.
type agentServer struct {
	*httptest.Server
	t      *testing.T
	script func(agentAsked) []move

	mu       sync.Mutex
	refusals int
	answers  int // to dispatches: their tokens count
}

// agentAsked is a request of an agent program.
type agentAsked struct {
	key   personas.Key
	turn  int  // from 0: the results of tools since the prompt
	tools bool // the model is offered tools; else it is asked for something beside, such as a title
}

// move is what the model does: it calls a tool, or says something.
type move struct {
	tool work
	args [2]string // of write the path and the content, of shell the command
	say  string
}

// work is a tool by what it does. Its name is that of the program.
type work string

const (
	writes work = "write"
	shell  work = "shell"
)

func serveAgents(t *testing.T, script func(agentAsked) []move) *agentServer {
	t.Helper()
	s := &agentServer{t: t, script: script}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *agentServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	language, ok := languageOf(r.URL.Path)
	if r.Method != http.MethodPost || !ok {
		http.NotFound(w, r) // lists of models and the like: the programs do without
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // it was killed
	}
	a := readAgent(body)
	if !a.tools || a.key.Persona == "" {
		language.speak(w, move{say: "a title"}, language.hands)
		return
	}
	if s.limits(a) {
		limit(w)
		return
	}
	moves := s.script(a)
	if len(moves) == 0 {
		s.t.Errorf("nothing is written for %s", a.key)
		moves = []move{{say: "nothing is written for this"}}
	}
	s.mu.Lock()
	s.answers++
	s.mu.Unlock()
	language.speak(w, moves[min(a.turn, len(moves)-1)], language.hands)
}

// limits says whether this is the request that is refused: the first one of an executor.
func (s *agentServer) limits(a agentAsked) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.key.Persona != "executor" || s.refusals > 0 {
		return false
	}
	s.refusals++
	return true
}

// limit refuses in words that each of the programs reads.
func limit(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusTooManyRequests)
	_ = json.NewEncoder(w).Encode(object{"type": "error", "error": object{
		"type": "rate_limit_error", "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Too many requests, slow down",
	}})
}

// agentBody holds the conversation in each of the languages: only one of the three lists is there.
type agentBody struct {
	Messages, Input, Contents []struct {
		Role    string          `json:"role"`
		Type    string          `json:"type"`
		Content json.RawMessage `json:"content"`
		Parts   []agentBlock    `json:"parts"`
	}
	Tools []json.RawMessage `json:"tools"`
}

type agentBlock struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Response json.RawMessage `json:"functionResponse"`
}

func readAgent(body []byte) agentAsked {
	var b agentBody
	_ = json.Unmarshal(body, &b) // what cannot be read is no dispatch
	a := agentAsked{tools: len(b.Tools) > 0}
	for _, m := range append(append(b.Messages, b.Input...), b.Contents...) {
		blocks := m.Parts
		var text string
		if json.Unmarshal(m.Content, &text) == nil {
			blocks = []agentBlock{{Text: text}}
		} else if blocks == nil {
			_ = json.Unmarshal(m.Content, &blocks)
		}
		if m.Role == "tool" || strings.HasSuffix(m.Type, "_call_output") {
			a.turn++
			continue
		}
		for _, block := range blocks {
			a.take(m.Role, block)
		}
	}
	return a
}

// take reads a piece of a message. The programs put pieces of their own beside the prompt.
func (a *agentAsked) take(role string, b agentBlock) {
	at := strings.Index(b.Text, "# You are the ")
	switch {
	case b.Type == "tool_result" || b.Response != nil:
		a.turn++
	case role == "user" && at >= 0:
		if key, err := keyOf(b.Text[at:]); err == nil {
			a.key, a.turn = key, 0
		}
	}
}
