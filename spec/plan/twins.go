package plan

import (
	"path"
	"slices"
	"strings"

	"autopilot/spec/markdown"
)

// Twins names paths of the plan that differ in case alone. Not every file system tells them apart, and where it does not
// the later one would replace the earlier.
func (p *Plan) Twins() []markdown.Problem {
	var w markdown.Problems
	type named struct{ path, task string }
	first, told := map[string]named{}, map[string]bool{}
	for _, t := range p.Tasks {
		for _, written := range slices.Concat(t.Files, t.Owns, t.ChangesTests) {
			name := path.Clean(written)
			folded := strings.ToLower(name)
			was, there := first[folded]
			if !there {
				first[folded] = named{name, t.Number}
			}
			if !there || was.path == name || told[name] {
				continue
			}
			told[name] = true
			w.Add(t.Line, "give one of them another name; till then their tasks never run at the same time",
				"%q of task %s and %q of task %s differ in case alone, and are one file where a system does not tell that apart", was.path, was.task, name, t.Number)
		}
	}
	return w
}
