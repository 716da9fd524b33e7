package command

import (
	"cmp"
	"encoding/json"

	"autopilot/personas"
	"autopilot/personas/limits"
)

// geminiEvent is an event of gemini. Messages come in pieces.
type geminiEvent struct {
	Type       string          `json:"type"`
	Session    string          `json:"session_id"`
	Role       string          `json:"role"`
	Content    string          `json:"content"`
	Delta      bool            `json:"delta"`
	Tool       string          `json:"tool_name"`
	Parameters json.RawMessage `json:"parameters"`
	Status     string          `json:"status"`
	Message    string          `json:"message"`
	Error      struct {
		Message string `json:"message"`
	} `json:"error"`
	Stats struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
		Cached int `json:"cached"`
	} `json:"stats"`
}

func readGemini(s *stream, event []byte) {
	var e geminiEvent
	if !Decode(event, &e) {
		return
	}
	s.session = cmp.Or(e.Session, s.session)
	switch e.Type {
	case "message":
		if e.Role == "assistant" {
			s.say(e.Content, e.Delta)
		}
	case "tool_use":
		s.tool(e.Tool, e.Parameters)
	case "tool_result":
		if e.Status == "error" {
			s.wrong(e.Error.Message)
		}
	case "error":
		s.report("notice", e.Message)
	case "result":
		s.spentInAll(personas.Usage{InputTokens: e.Stats.Input, CachedTokens: e.Stats.Cached, OutputTokens: e.Stats.Output})
		if e.Status == "error" {
			s.fail(failure{status: limits.StatusIn(e.Error.Message), text: e.Error.Message})
			return
		}
		s.done()
	}
}
