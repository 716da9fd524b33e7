package dispatch

import (
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// Guide is the repository's own instructions for agents, and which file has them; of a long one the beginning. A link
// that leads out of the repository is none: whoever committed it would choose which of the user's files a model gets.
func Guide(m *personas.Mask, root string) (text, path string) {
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		if data, err := plainfile.ReadIn(root, name); err == nil {
			if text = string(data); len(text) > maxDiff {
				text = m.Replace(text)
			}
			return text[:min(len(text), maxDiff)], name
		}
	}
	return "", ""
}
