package spec

import "strings"

// criteria are the items of the lists below the heading "Success Criteria", the
// first one that has any.
func (d *document) criteria() []string {
	for _, s := range d.titled("success criteria") {
		var all []string
		for i := s.from; i < s.to; i++ {
			for _, it := range d.items(i) {
				if text := d.plain(it.node); text != "" {
					all = append(all, text)
				}
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// warnings says what a reader should know of a spec that can be run.
func (d *document) warnings(s *Spec, section blockRange, found []entry, names *taken) []Problem {
	var w problems
	if strings.EqualFold(s.Status, "draft") {
		w.add(1, "approve it before you run it", "the spec's status is %q", s.Status)
	}
	if len(s.Phases) == 1 {
		w.add(s.Phases[0].Line, "this is fine for a small change", "the spec has a single phase")
	}
	if len(s.Criteria) == 0 {
		w.add(1, "add a list below a heading '## Success Criteria'", "the spec has no success criteria for the final review")
	}
	d.warnUnclosed(&w)
	d.warnGaps(&w, found, names)
	d.warnComments(&w, section, found)
	return w.sorted()
}
