package integrity

// force counts the checks of a test: a helper that is called twice checks twice,
// and one that the diff does not show counts as a check. A circle of helpers
// counts once.
func (d *testDiff) force(h callees, f function) int { return d.total(h, f, 0) }

// free is the force of a test without what stands within something that takes it.
func (d *testDiff) free(h callees, f function) int { return d.total(h, f, enclosing) }

// total counts the checks in lines that do not have the marks.
func (d *testDiff) total(h callees, f function, without mark) int {
	at := forceOf{place{f.src, f.head}, without}
	if n, is := d.known[at]; is {
		return n
	}
	d.known[at] = 0
	n := 0
	for i := f.from; i < f.to; i++ {
		if f.src.marks[i]&without != 0 {
			continue
		}
		n += f.src.force[i]
		for _, c := range f.src.hands[i] {
			if !d.shown(c.name) && !preparing.MatchString(c.name) {
				n++
			}
		}
		for _, g := range h.calledAt(f, i) {
			n = min(n+d.total(h, g, without), maxForce)
		}
	}
	d.known[at] = n
	return n
}

// forceOf is what the force of a function was counted for.
type forceOf struct {
	place
	without mark
}

// preparing are names of functions that get a test ready rather than check it.
var preparing = lazily(`^(?i:set|new|make|start|skip|need|init|prepare|open|load|chdir|temp|stub|mock|reset|clean|use|enable|disable|with|write|create|build|run)(?:[A-Z]\w*|up)?$`)

func (d *testDiff) shown(name string) bool {
	return d.helpers.all[name] != nil || d.olds.all[name] != nil
}

// says is what a test and the helpers that it leads to check, each helper once.
// A call of a helper says something where that checks.
func (d *testDiff) says(h callees, f function) []string {
	var all []string
	for _, g := range h.reached(f) {
		for i := g.from; i < g.to; i++ {
			all = append(all, g.src.says[i]...)
			for _, c := range g.src.hands[i] {
				if d.checks(h, c.name, g.src) {
					all = append(all, c.text)
				}
			}
		}
	}
	return all
}

// checks tells whether the function of that name checks something.
func (d *testDiff) checks(h callees, name string, src *source) bool {
	if !d.shown(name) {
		return !preparing.MatchString(name)
	}
	for _, g := range h.named(name, src) {
		if d.force(h, g) > 0 {
			return true
		}
	}
	return false
}

// pinned counts the checks among texts that want one value.
func (l *language) pinned(texts []string) int {
	n := 0
	for _, text := range texts {
		if l.pin(text) {
			n++
		}
	}
	return n
}

// unset is a comparison that no value is pinned by.
var unset = lazily(`[!=]==? (?:nil|null|None|undefined)\b`)

// pin tells whether a check wants one value, whatever else it wants.
func (l *language) pin(text string) bool {
	return l.is(pins).match(unset.ReplaceAllString(text, "")) && !l.freed(text)
}

// freed tells whether a check has the form of one that pins, and wants no one value.
func (l *language) freed(text string) bool {
	return l.is(frees).possible(text) && l.is(frees).match(withoutStrings(text))
}
