package spec

// criteria are the items of the lists below the heading "Success Criteria", the
// first one that has any.
func (d *specReader) criteria() []string {
	for _, s := range d.Titled("success criteria") {
		var all []string
		for i := s.From; i < s.To; i++ {
			for _, it := range d.Items(i) {
				if text := d.Plain(it.Node); text != "" {
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
