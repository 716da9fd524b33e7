package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/jsonedit"
	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// TextTools is a Model over one that has no tool calling: the tools are told in
// the system prompt, calls are blocks in what it says, and results go back as a
// message of the user. Everybody else sees calls and results as always.
type TextTools struct {
	of   Model
	mask *personas.Mask
}

// NewTextTools has a model call its tools in text. What a call that is not understood is quoted by goes through the mask.
func NewTextTools(of Model, mask *personas.Mask) *TextTools { return &TextTools{of: of, mask: mask} }

// Turn asks for one answer, and reads the calls in it.
func (m *TextTools) Turn(ctx context.Context, messages []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
	if len(tools) == 0 {
		return m.of.Turn(ctx, messages, nil)
	}
	answer, used, err := m.of.Turn(ctx, asText(messages, tools), nil)
	if err == nil {
		prose, calls := readCalls(m.mask, answer.Content, tools)
		answer.Content, answer.Calls = prose, append(answer.Calls, calls...)
	}
	return answer, used, err
}

// asText is a conversation without calls and results. What the user says in a
// row becomes one message, since some servers refuse two.
func asText(messages []personas.Message, tools []personas.Tool) []personas.Message {
	var out []personas.Message
	names := map[string]string{}
	for _, m := range messages {
		said := personas.Message{Role: m.Role, Content: m.Content}
		switch m.Role {
		case personas.RoleSystem:
			said.Content += "\n\n" + textFormat + manual(tools)
		case personas.RoleUser:
			if m.Content == nobodyReads { // it may have called in a form of its own
				said.Content += "\n\nA call is written so, and in no other way:\n\n" + textExample
			}
		case personas.RoleAssistant:
			for _, call := range m.Calls {
				names[call.ID] = call.Name
				said.Content = strings.TrimLeft(said.Content+"\n\n"+written(call), "\n")
			}
		case personas.RoleTool:
			said = personas.Message{Role: personas.RoleUser, Content: quoted("result of "+names[m.CallID], m.Content)}
		}
		if last := len(out) - 1; last >= 0 && said.Role == personas.RoleUser && out[last].Role == personas.RoleUser {
			out[last].Content += "\n\n" + said.Content
			continue
		}
		out = append(out, said)
	}
	return out
}

const textFormat = `# Tools

You call a tool by writing a block: the line <<<NAME, a line KEY: VALUE for each argument, the line >>>. Its result comes
in the next message. A value of several lines, or with blanks at an end, stands between <<WORD and the line WORD; take a
WORD that is no line of it. <<WORD- leaves out its last line end. Numbers, true and false stand as they are, lists and
objects as JSON.

` + textExample + "\n"

const textExample = `<<<write_file
path: docs/a "b".txt
content: <<END
first line
END
>>>
`

// property is what a schema says of one argument.
type property struct {
	Type any      `json:"type"` // a name, or a list of names
	Enum []string `json:"enum"`
}

// kind is the JSON type of a value: what is not said to be another is a text.
func (p property) kind() string {
	types, _ := p.Type.([]any)
	if one, ok := p.Type.(string); ok {
		types = []any{one}
	}
	if len(types) == 0 || slices.Contains(types, any("string")) {
		return "string"
	}
	for _, t := range types {
		if name, ok := t.(string); ok && name != "null" {
			return name
		}
	}
	return "string"
}

// parameters reads a tool's schema: the names in its order, and what each is.
func parameters(t personas.Tool) (names []string, about map[string]json.RawMessage, required []string) {
	var schema struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if json.Unmarshal(t.Parameters, &schema) != nil {
		return nil, nil, nil
	}
	names, about = members(schema.Properties)
	return names, about, schema.Required
}

// members are the keys of a JSON object in its order, with their values.
func members(object []byte) ([]string, map[string]json.RawMessage) {
	n, _ := jsonedit.Parse(object) // what is no JSON has none
	values := map[string]json.RawMessage{}
	var names []string
	for name, value := range n.Members() {
		names, values[name] = append(names, name), value.Raw()
	}
	return names, values
}

func kindOf(about json.RawMessage) string {
	var p property
	if json.Unmarshal(about, &p) != nil {
		return "string"
	}
	return p.kind()
}

// manual describes the tools, each in a line.
func manual(tools []personas.Tool) string {
	var out strings.Builder
	for _, t := range tools {
		names, about, required := parameters(t)
		described := make([]string, len(names))
		for i, name := range names {
			described[i] = name
			switch kind := kindOf(about[name]); {
			case kind == "array" || kind == "object":
				described[i] += " (JSON: " + toolbox.Compact(string(about[name])) + ")"
			case kind != "string":
				described[i] += " (" + kind + ")"
			case bytes.Contains(about[name], []byte(`"enum"`)):
				described[i] += " " + toolbox.Compact(string(about[name]))
			}
			if slices.Contains(required, name) {
				described[i] += " (required)"
			}
		}
		fmt.Fprintf(&out, "- %s: %s Arguments: %s\n", t.Name, t.Description, strings.Join(described, ", "))
	}
	return out.String()
}

// written is a call as the model writes it.
func written(call personas.Call) string {
	var out strings.Builder
	out.WriteString("<<<" + call.Name + "\n")
	names, values := members([]byte(call.Arguments))
	for _, name := range names {
		var text string
		if json.Unmarshal(values[name], &text) != nil {
			text = toolbox.Compact(string(values[name]))
		}
		out.WriteString(quoted(name, text) + "\n")
	}
	return out.String() + ">>>"
}

// quoted is an argument with its value, so that it is read as it is.
func quoted(name, text string) string {
	if text == strings.TrimSpace(text) && !strings.ContainsAny(text, "\r\n") && !strings.HasPrefix(text, "<<") {
		return strings.TrimRight(name+": "+text, " ")
	}
	word, lines := "END", strings.Split(text, "\n")
	for i := 1; slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) == word }); i++ {
		word = fmt.Sprint("END", i)
	}
	if text, ended := strings.CutSuffix(text, "\n"); ended {
		return name + ": <<" + word + "\n" + text + "\n" + word
	}
	return name + ": <<" + word + "-\n" + text + "\n" + word
}
