package spec

import (
	"path"
	"strings"
)

// Fits says whether a plan belongs to a phase of the spec at specPath (relative to
// the repository): the plan file's name contains the phase's slug, or the plan
// names the spec and, in its title or "**Phase:**" line, the phase.
func (p *Plan) Fits(fileName, specPath string, phase Phase) bool {
	slug := PhaseSlug(phase.Name)
	if holds(strings.TrimSuffix(path.Base(fileName), path.Ext(fileName)), slug) {
		return true
	}
	return p.namesSpec(specPath) && (p.names(p.Phase, phase) || p.names(p.Title, phase))
}

// holds says whether the slug of a text contains whole words of another.
func holds(text, slug string) bool {
	return slug != "" && strings.Contains("-"+longSlug(text)+"-", "-"+slug+"-")
}

// namesSpec compares paths; a plan may write its spec's relative to its own folder.
func (p *Plan) namesSpec(specPath string) bool {
	own := path.Clean(strings.ReplaceAll(p.Spec, `\`, "/"))
	for strings.HasPrefix(own, "../") {
		own = own[len("../"):]
	}
	specPath = path.Clean(specPath)
	return p.Spec != "" && (own == specPath || strings.HasSuffix(specPath, "/"+own))
}

func (p *Plan) names(text string, phase Phase) bool {
	if holds(text, PhaseSlug(phase.Name)) || phase.Number != "" && strings.EqualFold(strings.TrimSpace(text), phase.Number) {
		return true
	}
	l, ok := parseLabel(text, phaseKinds)
	if !ok {
		id, rest := cutID(text)
		_, ok = cutName(rest)
		l.id = id
	}
	return ok && l.id != "" && strings.EqualFold(l.id, phase.Number)
}
