package command

import (
	"encoding/json"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
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

// statusWords are how programs name the status that a server answered with.
var statusWords = lazyregexp.New(`(?i)(?:"(?:code|status|statusCode)"\s*:\s*|\bstatus(?: code)?:?\s+|API Error:\s*)([45]\d\d)\b`)

// statusIn finds the status that an error names; 0: none.
func statusIn(text string) int {
	m := statusWords.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	status, _ := strconv.Atoi(m[1]) // three digits
	return status
}
