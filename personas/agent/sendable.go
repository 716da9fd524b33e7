package agent

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// maxName is how many bytes of a tool's name servers take.
const maxName = 64

// sendableName is a name of a tool that every server takes back.
func sendableName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "unnamed"
	}
	return name[:min(len(name), maxName)]
}

// asObject is a text as the only argument of a call.
func asObject(key, text string) string {
	object, err := json.Marshal(map[string]string{key: text})
	if err != nil {
		return "{}"
	}
	return string(object)
}
