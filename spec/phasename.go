package spec

import (
	"path"
	"strings"

	"autopilot/spec/markdown"
)

// NamesFile says whether a file is named after the phase.
func (p Phase) NamesFile(file string) bool {
	return p.slugIn(strings.TrimSuffix(path.Base(file), path.Ext(file)))
}

// slugIn says whether the slug of a text contains whole words of the phase's.
func (p Phase) slugIn(text string) bool {
	slug := PhaseSlug(p.Name)
	return slug != "" && strings.Contains("-"+longSlug(text)+"-", "-"+slug+"-")
}

// NamedIn says whether a text names the phase: by its name, by its number, or by a label with its number.
func (p Phase) NamedIn(text string) bool {
	if p.slugIn(text) || p.Number != "" && strings.EqualFold(strings.TrimSpace(text), p.Number) {
		return true
	}
	l, ok := markdown.ParseLabel(text, markdown.PhaseKinds)
	if !ok {
		id, rest := markdown.CutID(text)
		_, ok = markdown.CutName(rest)
		l.Id = id
	}
	return ok && l.Id != "" && strings.EqualFold(l.Id, p.Number)
}
