package toolbox

import (
	"encoding/json"
	"fmt"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// strictJSON is the JSON that a text is meant as: one in a fence, with a comma too many, with line breaks or lone backslashes
// in its strings, with Python's quotes and words. What ends in the middle still does.
func strictJSON(text string) string {
	if json.Valid([]byte(text)) {
		return text
	}
	if inner, fenced := strings.CutPrefix(text, "```"); fenced {
		_, inner, _ = strings.Cut(inner, "\n")
		text = strings.TrimSpace(strings.TrimSuffix(inner, "```"))
	}
	var out strings.Builder
	for text != "" {
		at := strings.IndexAny(text+`"`, `"'`)
		out.WriteString(commaBeforeEnd.ReplaceAllString(pythonWords.Replace(text[:at]), "$1"))
		text = strictString(&out, text[at:])
	}
	return out.String()
}

var (
	commaBeforeEnd = lazyregexp.New(`,(\s*[\]}])`)
	pythonWords    = strings.NewReplacer("True", "true", "False", "false", "None", "null")
)

// strictString writes the string that a text begins with, and gives what follows.
func strictString(out *strings.Builder, text string) string {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			out.WriteByte('"')
			if i > 0 {
				return text[i+1:]
			}
		case c == '\\' && i+1 < len(text):
			i++
			switch {
			case text[i] == '\'':
				out.WriteByte(text[i])
			case strings.IndexByte(`"\/bfnrtu`, text[i]) < 0: // as in a pattern
				out.WriteString(`\\` + text[i:i+1])
			default:
				out.WriteString(text[i-1 : i+1])
			}
		case c == '"':
			out.WriteString(`\"`)
		case c < ' ':
			fmt.Fprintf(out, `\u%04x`, c)
		default:
			out.WriteByte(c)
		}
	}
	return ""
}
