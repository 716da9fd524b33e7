package toolbox

import (
	"strings"
	"unicode/utf8"

	"autopilot/autopilot/tail"
	"autopilot/personas"
)

// Cut shortens a text to about n bytes, at a rune's border, and says so. Secrets go first: half of one would not be known
// as one any more.
func Cut(m *personas.Mask, s string, n int) string {
	if len(s) <= n {
		return s
	}
	if s = m.Replace(s); len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// gap stands where the middle of a text is left out.
const gap = "\n… %d bytes left out …\n"

// Capped is the beginning and the end of a text, secrets taken out before as in cut.
func Capped(m *personas.Mask, s string, limit int) string {
	if len(s) > limit {
		s = m.Replace(s)
	}
	e := tail.NewEnds(limit/2, limit/2)
	_, _ = e.Write([]byte(s)) // it never fails
	return e.Text(gap)
}

// OrNoOutput fills an empty result: some servers refuse an empty tool message.
func OrNoOutput(s string) string {
	if strings.TrimSpace(s) == "" {
		return "(no output)"
	}
	return s
}

// FirstLine is a text up to its first line break, white space around it aside.
func FirstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// InWord says whether a rune is a letter or a digit, as far as code is concerned.
func InWord(r rune) bool {
	return r > 127 || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}
