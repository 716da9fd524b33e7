package personas

import "strings"

// Sentences puts sentences behind each other, each with one full stop, whoever wrote them and however they end.
func Sentences(parts ...string) string {
	var whole []string
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if text := strings.TrimRight(part, "."); part != "" && !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, "!") && !strings.HasSuffix(text, ":") {
			part = text + "."
		}
		if part != "" {
			whole = append(whole, part)
		}
	}
	return strings.Join(whole, " ")
}
