package spec

// criteria are the items of the lists below the heading "Success Criteria", the
// first one that has any.
func (d *phaseReader) criteria() []string {
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
