package plan

import (
	"path"
	"strings"

	"autopilot/spec"
)

// Fits says whether a plan belongs to a phase of the spec at specPath (relative to
// the repository): the plan file's name contains the phase's slug, or the plan
// names the spec and, in its title or "**Phase:**" line, the phase.
func (p *Plan) Fits(fileName, specPath string, phase spec.Phase) bool {
	if phase.NamesFile(fileName) {
		return true
	}
	return p.namesSpec(specPath) && (phase.NamedIn(p.Phase) || phase.NamedIn(p.Title))
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
