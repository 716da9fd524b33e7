package integrity

import (
	"strconv"
	"strings"
)

var (
	element = lazily(`\b([a-zA-Z_]\w*)\[(\d+)\] != ("(?:[^"\\]|\\.)*"|-?\d[\w.]*)`)
	length  = lazily(`\blen\(([a-zA-Z_]\w*)\) != (\d+)`)
	written = lazily(`\{([^{}]*)\}`)
)

// asWhole tells whether what a check asked of single elements of a list is asked
// of the list at once: got[0] != "a" || got[1] != "b" became
// !slices.Equal(got, []string{"a", "b"}).
func (p pair) asWhole(text string) bool {
	single := element.FindAllStringSubmatch(text, -1)
	if len(single) == 0 {
		return false
	}
	count := -1
	if m := length.FindStringSubmatch(text); m != nil && m[1] == single[0][1] {
		count, _ = strconv.Atoi(m[2])
	}
	now := strings.Join(p.after.lines(), "\n")
	own := pool{}
	own.add(p.after.lines())
	if rest, _ := tokens(length.ReplaceAllString(element.ReplaceAllString(text, ""), "")); !own.hasValues(rest) {
		return false
	}
	for _, m := range written.FindAllStringSubmatch(now, -1) {
		if list := topLevel(strings.TrimSuffix(strings.TrimSpace(m[1]), ",")); holdsAll(list, single, count) {
			return true
		}
	}
	return false
}

// holdsAll tells whether a list that is written out has the elements in their places.
func holdsAll(list []string, single [][]string, count int) bool {
	if count >= 0 && len(list) != count {
		return false
	}
	for _, m := range single {
		i, err := strconv.Atoi(m[2])
		if err != nil || i >= len(list) || list[i] != m[3] || m[1] != single[0][1] {
			return false
		}
	}
	return true
}
