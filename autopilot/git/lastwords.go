package git

import "strings"

// mostWords is how much is told of what hooks, and git itself, print, in bytes: the reason stands at the end.
const mostWords = 16 << 10

// lastWords is a writer that keeps the end of what it gets.
type lastWords struct {
	text []byte
	cut  bool
}

func (l *lastWords) Write(p []byte) (int, error) {
	l.text = append(l.text, p[max(0, len(p)-2*mostWords):]...)
	l.cut = l.cut || len(p) > 2*mostWords
	if over := len(l.text) - 2*mostWords; over > 0 {
		l.text, l.cut = append(l.text[:0], l.text[over:]...), true
	}
	return len(p), nil
}

// String is the end, of a long one from the beginning of a line.
func (l *lastWords) String() string {
	text := strings.TrimSpace(string(l.text))
	if !l.cut && len(text) <= mostWords {
		return text
	}
	text = text[max(0, len(text)-mostWords):]
	return "…" + text[strings.IndexByte(text, '\n')+1:]
}
