package bench

import (
	"encoding/json"
	"regexp"
	"strings"

	"autopilot/personas"
)

// request is one that the program sent.
type request struct {
	key      personas.Key
	turn     int    // from 0, of its dispatch
	bytes    int    // of the whole body
	prompt   string // all that stands before the model's first word
	stream   string // what a server's cache compares: tools, then messages
	text     string // of the messages, with the arguments of calls as they are meant
	sections map[string]int
}

type chatBody struct {
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		Calls   []struct {
			Function struct{ Name, Arguments string } `json:"function"`
		} `json:"tool_calls"`
	} `json:"messages"`
	Tools json.RawMessage `json:"tools"`
}

func readRequest(body []byte) (request, error) {
	r := request{bytes: len(body), sections: map[string]int{}}
	var chat chatBody
	if err := json.Unmarshal(body, &chat); err != nil {
		return r, err
	}
	stream, text := &strings.Builder{}, &strings.Builder{}
	stream.Write(chat.Tools)
	r.sections["(tools)"] = len(chat.Tools)
	for _, m := range chat.Messages {
		if m.Role == "assistant" {
			r.turn++
		} else if r.turn == 0 {
			r.prompt += m.Content + "\n"
			r.divide(m.Role, m.Content)
		}
		stream.WriteString(m.Role + "\n" + m.Content + "\n")
		text.WriteString(m.Content + "\n")
		for _, c := range m.Calls {
			stream.WriteString(c.Function.Name + c.Function.Arguments + "\n")
			meant(text, c.Function.Arguments)
		}
	}
	r.stream, r.text = stream.String(), text.String()
	var err error
	r.key, err = keyOf(r.prompt)
	return r, err
}

// meant writes the texts among the arguments of a call, with their line ends.
func meant(w *strings.Builder, arguments string) {
	var read map[string]any
	if json.Unmarshal([]byte(arguments), &read) != nil {
		w.WriteString(arguments + "\n")
	}
	for _, value := range read {
		if text, ok := value.(string); ok {
			w.WriteString(text + "\n")
		}
	}
}

var fence = regexp.MustCompile("^(`{3,})")

// divide counts the bytes of a prompt by its headings. What a block holds is no heading.
func (r *request) divide(role, prompt string) {
	section, open := "(system)", ""
	if role != "system" {
		section = "(persona)"
	}
	for line := range strings.Lines(prompt) {
		marks := fence.FindString(line)
		switch {
		case open == "" && marks != "":
			open = marks
		case open != "" && strings.TrimSpace(line) == open:
			open = ""
		case open == "" && strings.HasPrefix(line, "# This dispatch"):
			section = "(dispatch)"
		case open == "" && strings.HasPrefix(line, "## ") && section[0] != '(' || section == "(dispatch)" && strings.HasPrefix(line, "## "):
			section = strings.TrimSpace(strings.TrimPrefix(line, "## "))
			if strings.HasPrefix(section, "The change since ") {
				section = "The change since the verdict before" // without the commit
			}
		}
		r.sections[section] += len(line)
	}
}
