package toolbox

import (
	"fmt"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/personas"
)

// nearest shows the place of a text that is most like what was looked for, so
// that the next edit can be exact. It compares the first line that says
// something, without its indentation, by the words that both have.
func nearest(m *personas.Mask, text, wanted string) string {
	first := FirstLine(wanted)
	if first == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	best, score := -1, 0.0
	for i, line := range lines {
		if s := likeness(strings.TrimSpace(line), strings.TrimSpace(first)); s > score {
			best, score = i, s
		}
	}
	if score < 0.3 {
		return "; read the file again"
	}
	var out strings.Builder
	for i := max(0, best-1); i < min(len(lines), best+strings.Count(wanted, "\n")+2, best+20); i++ {
		fmt.Fprintf(&out, "\n%6d\t%s", i+1, Cut(m, strings.TrimRight(lines[i], "\r"), maxShown))
	}
	return "; the nearest is" + out.String()
}

// numbered is how read_file begins a line.
var numbered = lazyregexp.New(`(?m)^ *\d+\t`)

// withoutNumbers is a text as it stands in the file it was copied from.
func withoutNumbers(shown string) string { return numbered.ReplaceAllString(shown, "") }

// likeness is the share of words that two lines have in common, from 0 to 1.
func likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	wordsA, wordsB := words(a), words(b)
	if len(wordsA) == 0 || len(wordsB) == 0 {
		return 0
	}
	count := map[string]int{}
	for _, w := range wordsA {
		count[w]++
	}
	common := 0
	for _, w := range wordsB {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(wordsA)+len(wordsB))
}

func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !InWord(r) && r != '_' })
}
