package command

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"autopilot/personas"
)

// opencodeEvent is an event of opencode. It has none for the end: the last step
// is the one whose reason is not that tools were called.
type opencodeEvent struct {
	Type    string `json:"type"`
	Session string `json:"sessionID"`
	Part    struct {
		Tool  string `json:"tool"`
		Text  string `json:"text"`
		State struct {
			Status string          `json:"status"`
			Input  json.RawMessage `json:"input"`
			Error  string          `json:"error"`
		} `json:"state"`
		Reason string `json:"reason"`
		Tokens struct {
			Input     int `json:"input"`
			Output    int `json:"output"`
			Reasoning int `json:"reasoning"`
			Cache     struct {
				Read  int `json:"read"`
				Write int `json:"write"`
			} `json:"cache"`
		} `json:"tokens"`
		Cost float64 `json:"cost"`
	} `json:"part"`
	Error struct {
		Name string `json:"name"`
		Data struct {
			Message string            `json:"message"`
			Status  int               `json:"statusCode"`
			Headers map[string]string `json:"responseHeaders"`
			Body    string            `json:"responseBody"`
		} `json:"data"`
	} `json:"error"`
}

func readOpencode(s *stream, event []byte) {
	var e opencodeEvent
	if !Decode(event, &e) {
		return
	}
	s.session = cmp.Or(e.Session, s.session)
	switch e.Type {
	case "step_start":
		s.ended = false
	case "tool_use":
		s.opencodeTool(e)
	case "text":
		s.say(e.Part.Text, false)
	case "step_finish":
		t := e.Part.Tokens
		s.spent(personas.Usage{
			InputTokens: t.Input + t.Cache.Read + t.Cache.Write, CachedTokens: t.Cache.Read,
			OutputTokens: t.Output + t.Reasoning, CostUSD: e.Part.Cost,
		})
		if e.Part.Reason != "tool-calls" {
			s.done()
		}
	case "error":
		d := e.Error.Data
		s.fail(failure{status: d.Status, text: cmp.Or(d.Message, d.Body, e.Error.Name), wait: retryAfter(d.Headers), body: d.Body})
	}
}

// opencodeTool is a call of a tool. One that the agent may not call, or called
// wrongly, comes as a call of a tool "invalid" that went well.
func (s *stream) opencodeTool(e opencodeEvent) {
	name, state := e.Part.Tool, e.Part.State
	var call struct{ Tool, Error string }
	if name == "invalid" && Decode(state.Input, &call) && call.Error != "" {
		name, state.Input, state.Status, state.Error = cmp.Or(call.Tool, name), nil, "error", call.Error
	}
	s.tool(name, state.Input)
	if state.Status == "error" {
		s.wrong(state.Error)
	}
}

// retryAfter is how long a server wants to be left alone, in seconds as most say it.
func retryAfter(headers map[string]string) time.Duration {
	for name, value := range headers {
		if seconds, err := strconv.Atoi(value); err == nil && strings.EqualFold(name, "retry-after") && seconds > 0 {
			return min(time.Duration(seconds), 1<<31) * time.Second
		}
	}
	return 0
}
