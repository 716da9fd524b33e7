package acp

import (
	"cmp"
	"encoding/json"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/autopilot/shell"
	"autopilot/personas"
	"autopilot/personas/command"
)

// toolCall is what is known of a call: a program tells it in pieces.
type toolCall struct {
	ID        string          `json:"toolCallId"`
	Title     string          `json:"title"`
	Kind      acp.ToolKind    `json:"kind"`
	Status    string          `json:"status"`
	Locations []location      `json:"locations"`
	Content   []content       `json:"content"`
	Input     json.RawMessage `json:"rawInput"`

	told bool
}

type location struct {
	Path string `json:"path"`
}

// content is what a call shows: text, or a change of a file.
type content struct {
	Type    string `json:"type"`
	Path    string `json:"path"` // of a diff
	Content struct {
		Text string `json:"text"`
	} `json:"content"`
}

// update is what a program tells of its turn.
type update struct {
	Update struct {
		Kind      string          `json:"sessionUpdate"`
		MessageID string          `json:"messageId"`
		Content   json.RawMessage `json:"content"` // of a message: one block
		Cost      struct {
			Amount   float64 `json:"amount"`
			Currency string  `json:"currency"`
		} `json:"cost"`
		Meta struct {
			Usage *usage `json:"usage"`
			Codex struct {
				Error struct {
					Message   string `json:"message"`
					Details   string `json:"additionalDetails"`
					WillRetry bool   `json:"willRetry"`
				} `json:"error"`
			} `json:"codex"`
		} `json:"_meta"`
	} `json:"update"`
}

// update hears a notification. What cannot be read is passed over, since each
// program adds words of its own.
func (s *speaker) update(params json.RawMessage) {
	var u update
	if s.replay.Load() || !command.Decode(params, &u) {
		return
	}
	switch u.Update.Kind {
	case "agent_message_chunk":
		s.text(u)
	case "tool_call", "tool_call_update":
		if u.Update.Kind == "tool_call" {
			s.said().EndText() // programs go on in the same line when it is over
			s.denied.Store(false)
		}
		var call struct {
			Update toolCall `json:"update"`
		}
		if command.Decode(params, &call) {
			s.tool(call.Update)
		}
	case "session_info_update":
		if e := u.Update.Meta.Codex.Error; e.WillRetry {
			s.said().Retrying(command.Failure{Text: cmp.Or(e.Details, e.Message)})
		}
	case "usage_update":
		if c := u.Update.Cost; c.Currency == "USD" && c.Amount > s.cost { // of the whole session
			s.said().Spent(personas.Usage{CostUSD: c.Amount - s.cost})
			s.cost = c.Amount
		}
	}
}

// text is a piece of a message. A piece may carry the usage of a model call.
func (s *speaker) text(u update) {
	if m := u.Update.Meta.Usage; m != nil {
		s.said().Spent(m.usage())
	}
	var block struct {
		Text string `json:"text"`
	}
	if !command.Decode(u.Update.Content, &block) || block.Text == "" {
		return
	}
	if u.Update.MessageID != s.message {
		s.said().EndText()
		s.message = u.Update.MessageID
	}
	s.said().Text(block.Text)
}

// tool tells of a call once, as soon as there is something to tell.
func (s *speaker) tool(piece toolCall) {
	call := s.asked(piece)
	over := call.Status == "completed" || call.Status == "failed"
	if !call.told && (over || call.Status == "in_progress" || len(call.paths()) > 0 || call.command() != "") {
		call.told = true
		s.said().Tool(call.String())
	}
	if call.Status == "failed" {
		var said []string
		for _, c := range piece.Content {
			said = append(said, c.Content.Text)
		}
		s.said().ToolFailed(cmp.Or(strings.TrimSpace(strings.Join(said, " ")), call.String()))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[call.ID] = call; over {
		delete(s.calls, call.ID)
	}
}

// asked is what is known of a call together with a piece.
func (s *speaker) asked(piece toolCall) toolCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := s.calls[piece.ID]
	call.ID = piece.ID
	call.take(piece)
	return call
}

func (c *toolCall) take(piece toolCall) {
	c.Title = cmp.Or(piece.Title, c.Title)
	c.Kind = cmp.Or(piece.Kind, c.Kind)
	c.Status = cmp.Or(piece.Status, c.Status)
	if len(piece.Locations) > 0 {
		c.Locations = piece.Locations
	}
	if len(piece.Content) > 0 {
		c.Content = piece.Content
	}
	if len(piece.Input) > 2 { // more than {}
		c.Input = piece.Input
	}
}

// String is the call as people read it.
func (c *toolCall) String() string {
	text := cmp.Or(c.Title, string(c.Kind))
	for _, more := range append(c.paths(), c.command()) {
		if base := more[strings.LastIndexAny(more, `/\`)+1:]; !strings.Contains(text, base) {
			return text + " " + more
		}
	}
	return text
}

// paths are the files that the call is about.
func (c *toolCall) paths() []string {
	var paths []string
	for _, l := range c.Locations {
		paths = append(paths, l.Path)
	}
	for _, shown := range c.Content {
		if shown.Type == "diff" {
			paths = append(paths, shown.Path)
		}
	}
	return paths
}

// command is what the call runs; "": nothing, as far as it says.
func (c *toolCall) command() string {
	line, words := c.runs()
	return cmp.Or(line, strings.Join(words, " "))
}

// script is the command as a shell has to read it.
func (c *toolCall) script() string {
	line, words := c.runs()
	for _, w := range words {
		line += " " + shell.Quote(w)
	}
	return line
}

// runs is the line that a call runs, or its words.
func (c *toolCall) runs() (line string, words []string) {
	var input struct {
		Command json.RawMessage `json:"command"`
		Cmd     json.RawMessage `json:"cmd"`
	}
	if !command.Decode(c.Input, &input) {
		return "", nil
	}
	given := input.Command
	if given == nil {
		given = input.Cmd
	}
	if json.Unmarshal(given, &words) != nil {
		_ = json.Unmarshal(given, &line) // another type is no command that can be told
	}
	return line, words
}
