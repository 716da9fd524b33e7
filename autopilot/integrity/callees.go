package integrity

import "path"

// callees are the functions of test files that are no tests, by name. Checks
// may be moved to them and back without loss.
type callees struct {
	all  map[string][]function
	own  map[*source]map[string][]function
	near map[string]map[string][]function // by folder and name
	led  map[place][]function             // what functions call, once it was asked for
}

func newCallees() callees {
	return callees{all: map[string][]function{}, own: map[*source]map[string][]function{}, near: map[string]map[string][]function{}, led: map[place][]function{}}
}

func (h callees) add(f function) {
	h.all[f.name] = append(h.all[f.name], f)
	if h.own[f.src] == nil {
		h.own[f.src] = map[string][]function{}
	}
	h.own[f.src][f.name] = append(h.own[f.src][f.name], f)
	folder := path.Dir(f.src.path)
	if h.near[folder] == nil {
		h.near[folder] = map[string][]function{}
	}
	h.near[folder][f.name] = append(h.near[folder][f.name], f)
}

// common is how many files may have a function of one name before a call of it
// from elsewhere means none of them.
const common = 3

// far is how many functions are followed from a test at most.
const far = 60

// named gives the functions that a call in src means: those of its own file, or
// else of its folder, if there are any.
func (h callees) named(name string, src *source) []function {
	if own := h.own[src][name]; own != nil {
		return own
	}
	if near := h.near[path.Dir(src.path)][name]; near != nil && len(near) <= common {
		return near
	}
	if len(h.all[name]) > common {
		return nil
	}
	return h.all[name]
}

// called gives what f calls, once for each call, without what lies within f.
func (h callees) called(f function) []function {
	at := place{f.src, f.head}
	if known, is := h.led[at]; is {
		return known
	}
	var found []function
	for i := f.from; i < f.to; i++ {
		found = append(found, h.calledAt(f, i)...)
	}
	h.led[at] = found
	return found
}

// calledAt gives what line i of f calls.
func (h callees) calledAt(f function, i int) []function {
	var found []function
	for _, name := range f.src.calls[i] {
		if h.all[name] == nil {
			continue
		}
		for _, g := range h.named(name, f.src) {
			if g.src != f.src || g.head < f.from || g.head >= f.to {
				found = append(found, g)
			}
		}
	}
	return found
}

// place tells functions apart.
type place struct {
	src  *source
	head int
}

// reached gives a test and all helpers that it leads to, each once.
func (h callees) reached(f function) []function {
	all := []function{f}
	seen := map[place]bool{{f.src, f.head}: true}
	for k := 0; k < len(all) && len(all) < far; k++ {
		for _, g := range h.called(all[k]) {
			if at := (place{g.src, g.head}); !seen[at] {
				seen[at] = true
				all = append(all, g)
			}
		}
	}
	return all
}

// reach gives the lines of a test and of all helpers that it leads to.
func (h callees) reach(f function) []string {
	lines := append([]string{}, f.lines()...)
	for _, g := range h.reached(f)[1:] {
		lines = append(lines, g.body()...)
	}
	return lines
}

// free gives the lines of reach without those within what takes the force from checks.
func (h callees) free(f function) []string {
	var lines []string
	for _, g := range h.reached(f) {
		for i := g.from; i < g.to; i++ {
			if g.src.marks[i]&enclosing == 0 {
				lines = append(lines, g.src.lines[i])
			}
		}
	}
	return lines
}

// maxForce keeps sums of sums within bounds.
const maxForce = 1 << 20
