package spec

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"

	"autopilot/spec/markdown"
)

// taken is what the phases of a spec are called.
type taken struct {
	kinds, ids map[string]bool
	numbers    map[int]bool
}

func namesOf(found []markdown.Entry) *taken {
	t := &taken{kinds: map[string]bool{}, ids: map[string]bool{}, numbers: map[int]bool{}}
	for _, e := range found {
		t.kinds[cmp.Or(e.Kind, markdown.PhaseKinds[0])] = true
		t.take(e.Number)
	}
	return t
}

func (t *taken) take(id string) {
	const widest = 100 // of a range
	t.ids[strings.ToLower(id)] = true
	if from, to, ok := numbersOf(id); ok {
		for n := from; n <= min(to, from+widest); n++ {
			t.numbers[n] = true
		}
	}
}

// among says whether a phase has this number, or one that it is a part of: 2.1 and 2a are parts of 2. The number 5 is
// taken where 5a is.
func (t *taken) among(id string) bool {
	for part := strings.ToLower(id); part != ""; part = parentOf(part) {
		if t.ids[part] {
			return true
		}
	}
	from, to, ok := numbersOf(id)
	whole := !strings.ContainsFunc(id, func(r rune) bool { return r == '.' || unicode.IsLetter(r) })
	return ok && whole && t.numbers[from] && t.numbers[to]
}

// parentOf is 2 for 2.1 and for 2a, A for A1, and nothing for 2.
func parentOf(id string) string {
	if dot := strings.LastIndexByte(id, '.'); dot > 0 {
		return id[:dot]
	}
	if rest := strings.TrimRight(id, "0123456789"); rest != id {
		return strings.TrimRight(rest, "-–")
	}
	if rest := strings.TrimRightFunc(id, unicode.IsLetter); rest != id {
		return rest
	}
	return ""
}

// next says whether a number goes on from that of a phase, and no phase has it.
func (t *taken) next(id string) bool {
	n, _, ok := numbersOf(id)
	return ok && t.numbers[n-1] && !t.numbers[n]
}

// numbersOf are the first and the last number that a phase's stands for: 2 and 2 of "2a" and "2.1", 6 and 7 of "6-7".
func numbersOf(id string) (from, to int, ok bool) {
	from, rest, ok := cutNumber(id)
	if mark := strings.TrimLeft(rest, "-–"); len(mark) < len(rest) {
		if to, _, isRange := cutNumber(mark); isRange {
			return from, to, ok && from <= to
		}
	}
	return from, from, ok
}

// cutNumber splits the digits off the start of a text.
func cutNumber(text string) (n int, rest string, ok bool) {
	rest = strings.TrimLeft(text, "0123456789")
	n, err := strconv.Atoi(text[:len(text)-len(rest)])
	return n, rest, err == nil
}

func ranged(first, last int) string {
	if first == last {
		return "number " + strconv.Itoa(first)
	}
	return "numbers " + strconv.Itoa(first) + " to " + strconv.Itoa(last)
}
