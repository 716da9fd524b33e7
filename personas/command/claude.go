package command

import (
	"cmp"
	"encoding/json"
	"strings"

	"autopilot/autopilot/tail"
	"autopilot/personas"
	"autopilot/personas/limits"
)

// claudeEvent is an event of claude, and of qwen, which speaks alike. The keys
// come in any order. Fields that both use for different things stay raw.
type claudeEvent struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Session string `json:"session_id"`
	Parent  string `json:"parent_tool_use_id"` // set in what an agent of the agent says
	Message struct {
		ID      string          `json:"id"`
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
		Usage   claudeUsage     `json:"usage"`
	} `json:"message"`

	ErrorStatus int             `json:"error_status"`
	Error       json.RawMessage `json:"error"`
	ToolName    string          `json:"tool_name"`

	IsError bool            `json:"is_error"`
	Status  int             `json:"api_error_status"`
	Reason  string          `json:"terminal_reason"`
	Result  string          `json:"result"`
	Errors  json.RawMessage `json:"errors"`
	Cost    float64         `json:"total_cost_usd"`
	Usage   claudeUsage     `json:"usage"`
}

// claudeUsage counts what was read from and written to the cache apart.
type claudeUsage struct {
	Input   int  `json:"input_tokens"`
	Output  int  `json:"output_tokens"`
	Written int  `json:"cache_creation_input_tokens"`
	Read    int  `json:"cache_read_input_tokens"`
	Total   *int `json:"total_tokens"` // qwen alone has it, and counts the cache within the input
}

func (u claudeUsage) usage(cost float64) personas.Usage {
	input := u.Input + u.Written + u.Read
	if u.Total != nil {
		input = u.Input
	}
	return personas.Usage{InputTokens: input, CachedTokens: u.Read, OutputTokens: u.Output, CostUSD: cost}
}

// claudeBlock is a piece of a message.
type claudeBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	IsError bool            `json:"is_error"`
	Content json.RawMessage `json:"content"`
}

// synthetic is the model of what claude says in the model's place.
const synthetic = "<synthetic>"

func readClaude(s *stream, event []byte) {
	var e claudeEvent
	if !Decode(event, &e) {
		return
	}
	s.session = cmp.Or(e.Session, s.session)
	switch e.Type {
	case "assistant":
		s.claudeSays(e)
	case "user":
		for _, b := range e.blocks() {
			if b.IsError {
				s.wrong(plain(b.Content))
			}
		}
	case "system":
		s.claudeSystem(e)
	case "result":
		s.claudeEnds(e)
	}
}

func (e claudeEvent) blocks() []claudeBlock {
	var blocks []claudeBlock
	Decode(e.Message.Content, &blocks)
	return blocks
}

// claudeSays is a message. The blocks of one model call come as several events
// with the same usage; of its output they count next to nothing, which the
// result puts right.
func (s *stream) claudeSays(e claudeEvent) {
	if e.Parent == "" && e.Message.ID != s.turn {
		s.turn = e.Message.ID
		s.spent(e.Message.Usage.usage(0))
	}
	for _, b := range e.blocks() {
		switch {
		case b.Type == "tool_use":
			s.tool(b.Name, b.Input)
		case b.Type != "text" || b.Text == "":
		case e.Parent != "" || e.Message.Model == synthetic:
			s.report("text", b.Text)
		default:
			s.say(b.Text, false)
		}
	}
}

func (s *stream) claudeSystem(e claudeEvent) {
	switch e.Subtype {
	case "init": // of each turn
		s.goesOn()
	case "api_retry":
		text := "the server did not answer"
		if why := plain(e.Error); why != "" {
			text = strings.ReplaceAll(why, "_", " ")
		}
		s.trying(failure{status: e.ErrorStatus, text: text})
	case "permission_denied":
		s.report("notice", "it was not allowed to use "+e.ToolName)
	}
}

func (s *stream) claudeEnds(e claudeEvent) {
	s.spentInAll(e.Usage.usage(e.Cost))
	if e.IsError || strings.HasPrefix(e.Subtype, "error") {
		var qwen struct {
			Message string `json:"message"`
		}
		Decode(e.Error, &qwen)
		text := cmp.Or(e.Result, qwen.Message, firstOf(e.Errors), strings.ReplaceAll(e.Subtype, "_", " "))
		status := e.Status
		if status == 0 {
			status = limits.StatusIn(text)
		}
		s.fail(failure{status: status, text: text, lost: e.Reason == "api_error", cut: strings.HasPrefix(e.Reason, "aborted")})
		return
	}
	if e.Result != "" && e.Result != s.message.String() {
		s.message = tail.Writer{Limit: maxMessage}
		_, _ = s.message.Write([]byte(e.Result))
	}
	s.done()
}

// firstOf is the first of a list of texts.
func firstOf(list json.RawMessage) string {
	var texts []string
	if Decode(list, &texts); len(texts) == 0 {
		return ""
	}
	return texts[0]
}
