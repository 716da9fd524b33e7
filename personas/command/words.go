package command

import (
	"encoding/json"
	"strings"
)

// subjects are the arguments of tools that tell best what a call is about, best first.
var subjects = []string{"command", "cmd", "file_path", "filePath", "path", "absolute_path", "pattern", "query", "url", "description", "prompt"}

// subject says in a few words what a tool was called with.
func subject(arguments json.RawMessage) string {
	var named map[string]any
	if json.Unmarshal(arguments, &named) != nil {
		return ""
	}
	for _, name := range subjects {
		if text, ok := named[name].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// brief is a text on one line, cut where it is long.
func brief(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), 4*maxLine)], "")), " ")
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	return text
}

// plain is the text of what may be a text, or blocks that hold some.
func plain(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var blocks []struct {
		Text    string `json:"text"`
		Message string `json:"message"`
	}
	if !Decode(content, &blocks) {
		return ""
	}
	var all []string
	for _, b := range blocks {
		all = append(all, b.Text+b.Message)
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}
