package spec

import "strings"

// SlugIn says whether the slug of a text contains whole words of the phase's.
func (p Phase) SlugIn(text string) bool {
	slug := PhaseSlug(p.Name)
	return slug != "" && strings.Contains("-"+longSlug(text)+"-", "-"+slug+"-")
}

// NamedIn says whether a text names the phase: by its name, by its number, or by a label with its number.
func (p Phase) NamedIn(text string) bool {
	if p.SlugIn(text) || p.Number != "" && strings.EqualFold(strings.TrimSpace(text), p.Number) {
		return true
	}
	l, ok := parseLabel(text, phaseKinds)
	if !ok {
		id, rest := cutID(text)
		_, ok = cutName(rest)
		l.id = id
	}
	return ok && l.id != "" && strings.EqualFold(l.id, p.Number)
}
