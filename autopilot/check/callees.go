package check

import "strings"

// callees are the functions of test files that are no tests, by name. Checks
// may be moved to them and back without loss.
type callees map[string][]function

// named gives the functions that a call in src means: those of its own file, if
// there are any.
func (h callees) named(name string, src *source) []function {
	var own []function
	for _, f := range h[name] {
		if f.src == src {
			own = append(own, f)
		}
	}
	if own != nil {
		return own
	}
	return h[name]
}

// called gives what f calls, once for each call, without what lies within f.
func (h callees) called(f function) []function {
	var found []function
	for i := f.from; i < f.to; i++ {
		for _, name := range f.src.calls[i] {
			for _, g := range h.named(name, f.src) {
				if g.src != f.src || g.head < f.from || g.head >= f.to {
					found = append(found, g)
				}
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

// reach gives the lines of a test and of all helpers that it leads to.
func (h callees) reach(f function) []string {
	lines := append([]string{}, f.lines()...)
	seen := map[place]bool{{f.src, f.head}: true}
	for queue := h.called(f); len(queue) > 0; queue = queue[1:] {
		g := queue[0]
		if at := (place{g.src, g.head}); !seen[at] {
			seen[at] = true
			lines = append(lines, g.body()...)
			queue = append(queue, h.called(g)...)
		}
	}
	return lines
}

// force counts the checks of a test: a helper that is called twice checks twice.
// Known is kept between calls; a circle of helpers counts once.
func (h callees) force(f function, known map[place]int) int {
	at := place{f.src, f.head}
	if n, is := known[at]; is {
		return n
	}
	known[at] = 0
	n := 0
	for i := f.from; i < f.to; i++ {
		n += f.src.force[i]
	}
	for _, g := range h.called(f) {
		n = min(n+h.force(g, known), maxForce)
	}
	known[at] = n
	return n
}

// maxForce keeps sums of sums within bounds.
const maxForce = 1 << 20

// called gives the names that a line calls, or hands over as the last or a
// middle argument: t.Run("x", testX).
func called(text string) []string {
	var names []string
	for _, at := range word.FindAllStringIndex(text, -1) {
		rest := strings.TrimLeft(text[at[1]:], " ")
		if rest != "" && strings.ContainsRune("([),", rune(rest[0])) {
			names = append(names, text[at[0]:at[1]])
		}
	}
	return names
}
