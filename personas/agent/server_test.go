package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// server is a model with a window. It takes down what a real server would
// refuse, and how much of each request the one before had begun with.
type server struct {
	window   int     // tokens
	perToken float64 // bytes
	turns    int     // after which it submits
	turn     func(n int) personas.Message
	summary  string // "": it refuses to summarise

	n, summaries int
	wrong        []string
	last         string
	stable       []float64
	largest      int
	requests     [][]personas.Message
}

func (s *server) Turn(_ context.Context, messages []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
	bytes := size(messages)
	for _, t := range tools {
		bytes += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	used := personas.Usage{InputTokens: int(float64(bytes) / s.perToken), OutputTokens: 10}
	s.largest = max(s.largest, used.InputTokens)
	if used.InputTokens > s.window {
		s.wrong = append(s.wrong, fmt.Sprintf("turn %d: %d tokens", s.n, used.InputTokens))
		return personas.Message{}, personas.Usage{}, &personas.OverflowError{Detail: "too long"}
	}
	if len(tools) == 0 {
		s.summaries++
		return personas.Message{Content: s.summary}, used, nil
	}
	s.check(messages)
	s.n++
	if s.n > s.turns {
		return personas.Message{Calls: []personas.Call{{ID: "end", Name: toolbox.SubmitReply, Arguments: doneReply}}}, used, nil
	}
	return s.turn(s.n), used, nil
}

// check looks for calls without results and results without calls.
func (s *server) check(messages []personas.Message) {
	open := map[string]bool{}
	var text strings.Builder
	for i, m := range messages {
		fmt.Fprintf(&text, "%s\x00%s\x00%v\x00%s\x01", m.Role, m.Content, m.Calls, m.CallID)
		if m.Role != personas.RoleTool && len(open) > 0 {
			s.wrong = append(s.wrong, fmt.Sprintf("turn %d: message %d comes before the results of %v", s.n, i, open))
		}
		for _, call := range m.Calls {
			open[call.ID] = true
		}
		if m.Role == personas.RoleTool {
			if !open[m.CallID] {
				s.wrong = append(s.wrong, fmt.Sprintf("turn %d: message %d answers no call", s.n, i))
			}
			delete(open, m.CallID)
		}
	}
	if len(open) > 0 {
		s.wrong = append(s.wrong, fmt.Sprintf("turn %d: %v was not answered", s.n, open))
	}
	now := text.String()
	if s.last != "" {
		common := 0
		for common < min(len(now), len(s.last)) && now[common] == s.last[common] {
			common++
		}
		s.stable = append(s.stable, float64(common)/float64(len(s.last)))
	}
	s.last = now
	s.requests = append(s.requests, append([]personas.Message(nil), messages...))
}

// changed counts the requests that began with less than a share of the one before.
func (s *server) changed(share float64) int {
	n := 0
	for _, kept := range s.stable {
		if kept < share {
			n++
		}
	}
	return n
}

// works is a long honest piece of work: reading here and there, and writing.
func works(n int) personas.Message {
	read := personas.Call{ID: fmt.Sprint("r", n), Name: "read_file", Arguments: fmt.Sprintf(`{"path":"long.txt","from":%d,"to":%d}`, n*10+1, n*10+90)}
	if n%3 != 0 {
		return personas.Message{Content: fmt.Sprintf("Looking at part %d.", n), Calls: []personas.Call{read}}
	}
	write := personas.Call{ID: fmt.Sprint("w", n), Name: "write_file", Arguments: fmt.Sprintf(`{"path":"made/%d.txt","content":%q}`, n, strings.Repeat("a line that is written\n", 60))}
	return personas.Message{Calls: []personas.Call{read, write}}
}

func longFile(t testing.TB, d personas.Dispatch) {
	t.Helper()
	var text strings.Builder
	for i := range 4_000 {
		fmt.Fprintf(&text, "line %d says something of its own\n", i+1)
	}
	put(t, d.Dir, map[string]string{"long.txt": text.String()})
}
