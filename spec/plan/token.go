package plan

import (
	"strings"

	"autopilot/spec/markdown"
)

// token is a part of a field's value: code in back-quotes, or the text around it.
type token struct {
	text string
	code bool
}

// tokenise splits a value at its back-quotes, by the rule of Markdown: a run of
// them ends at the next run of the same length. The source is read, not the
// tree, since stars and underscores of globs are no emphasis here.
func tokenise(raw string) (tokens []token, closed bool) {
	for raw != "" {
		at := strings.IndexByte(raw, '`')
		if at < 0 {
			return addText(tokens, raw), true
		}
		tokens = addText(tokens, raw[:at])
		raw = raw[at:]
		run := len(raw) - len(strings.TrimLeft(raw, "`"))
		end := closing(raw[run:], run)
		if end < 0 {
			return addText(tokens, raw), false
		}
		tokens = append(tokens, token{text: markdown.Collapse(raw[run : run+end]), code: true})
		raw = raw[run+end+run:]
	}
	return tokens, true
}

func addText(tokens []token, text string) []token {
	if strings.TrimSpace(text) == "" {
		return tokens
	}
	return append(tokens, token{text: text})
}

// closing is the offset of the first run of exactly n back-quotes, or -1.
func closing(text string, n int) int {
	for at := 0; at < len(text); {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return -1
		}
		at += next
		run := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		if run == n {
			return at
		}
		at += run
	}
	return -1
}

// plain is the value without back-quotes.
func (f field) plain() string { return markdown.Collapse(f.text()) }

// text is plain with the white space as it is written.
func (f field) text() string {
	var b strings.Builder
	for _, t := range f.tokens {
		b.WriteString(t.text)
	}
	return b.String()
}
