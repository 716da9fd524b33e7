package command

import (
	"cmp"
	"encoding/json"
	"strings"

	"autopilot/autopilot/jsonedit"
	"autopilot/personas"
	"autopilot/personas/limits"
)

// codexEvent is an event of codex.
type codexEvent struct {
	Type    string `json:"type"`
	Thread  string `json:"thread_id"`
	Message string `json:"message"`
	Error   struct {
		Message string `json:"message"`
	} `json:"error"`
	Item struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Message  string `json:"message"`
		Command  string `json:"command"`
		Output   string `json:"aggregated_output"`
		ExitCode *int   `json:"exit_code"`
		Query    string `json:"query"`
		Tool     string `json:"tool"`
		Changes  []struct {
			Path string `json:"path"`
		} `json:"changes"`
	} `json:"item"`
	Usage struct {
		Input  int `json:"input_tokens"`
		Cached int `json:"cached_input_tokens"`
		Output int `json:"output_tokens"`
	} `json:"usage"`
}

// readCodex reads an event of codex. Its error events are warnings, tries to
// get over a problem, and what ends the work; only the last is told twice.
func readCodex(s *stream, event []byte) {
	var e codexEvent
	if !Decode(event, &e) {
		return
	}
	switch e.Type {
	case "thread.started":
		s.session = cmp.Or(e.Thread, s.session)
	case "turn.started":
		s.goesOn()
	case "item.started":
		if e.Item.Type == "command_execution" {
			s.tool("shell", named("command", e.Item.Command))
		}
	case "item.completed":
		s.codexItem(e)
	case "error":
		f := failure{status: limits.StatusIn(e.Message), text: e.Message}
		if strings.HasPrefix(e.Message, "Reconnecting") {
			s.trying(f)
			return
		}
		s.retry = &f
	case "turn.completed":
		u := e.Usage
		s.spentInAll(personas.Usage{InputTokens: u.Input, CachedTokens: u.Cached, OutputTokens: u.Output})
		s.done()
	case "turn.failed":
		s.fail(failure{status: limits.StatusIn(e.Error.Message), text: e.Error.Message})
	}
}

func (s *stream) codexItem(e codexEvent) {
	switch e.Item.Type {
	case "agent_message":
		s.say(e.Item.Text, false)
	case "command_execution":
		if code := e.Item.ExitCode; code != nil && *code != 0 {
			s.wrong(lastLine(e.Item.Output))
		}
	case "file_change":
		for _, c := range e.Item.Changes {
			s.tool("edit", named("path", c.Path))
		}
	case "mcp_tool_call":
		s.tool(e.Item.Tool, nil)
	case "web_search":
		s.tool("search", named("query", e.Item.Query))
	case "error":
		s.report("notice", e.Item.Message)
	}
}

// named makes arguments of one text.
func named(name, text string) json.RawMessage { return jsonedit.Compact(map[string]string{name: text}) }

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
