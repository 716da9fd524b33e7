package integrity

import (
	"fmt"
	"strings"
)

// enclosures are the marks of lines in which a check has lost its force, and
// what is said of them.
var enclosures = []struct {
	mark       mark
	title, why string
}{
	{guarded, "checks under a condition only", "%q stood free, and stands behind a condition now that need not hold."},
	{inverted, "wants its checks to fail", "%q stood free, and its failure is what makes the test pass now."},
	{late, "does not wait for its checks", "%q stood free, and runs now where its failure comes too late or to nobody."},
	{shelved, "does not call its checks", "%q stood free, and stands now in a function that the test does not call."},
}

// enclosed finds a check that stood free before and stands now within something
// that takes its force.
func (d *testDiff) enclosed(p pair) (Finding, bool) {
	free := map[string]int{} // checks of the old test less those of the new one
	for _, g := range d.olds.reached(p.before) {
		for i := g.from; i < g.to; i++ {
			if g.src.marks[i]&enclosing == 0 && d.isCheck(d.olds, g, i) {
				free[strings.TrimSpace(g.src.lines[i])]++
			}
		}
	}
	var within []place
	for _, g := range d.helpers.reached(p.after) {
		for i := g.from; i < g.to; i++ {
			switch {
			case !d.isCheck(d.helpers, g, i):
			case g.src.marks[i]&enclosing == 0:
				free[strings.TrimSpace(g.src.lines[i])]--
			default:
				within = append(within, place{g.src, i})
			}
		}
	}
	if len(within) == 0 {
		return Finding{}, false
	}
	fewer := d.free(d.helpers, p.after) < d.free(d.olds, p.before)
	for _, at := range within {
		text := strings.TrimSpace(at.src.lines[at.head])
		if free[text] <= 0 && (!fewer || d.wasEnclosed(p.before, text)) {
			continue
		}
		if at.src != p.after.src || at.head < p.after.from || at.head >= p.after.to {
			why := fmt.Sprintf("%s:%d", at.src.path, at.head) // of a helper one test tells for all
			if d.told[why] {
				continue
			}
			d.told[why] = true
		}
		for _, e := range enclosures {
			if at.src.marks[at.head]&e.mark != 0 {
				return Finding{
					Critical, at.src.path, at.head + 1, "test " + p.after.name + " " + e.title,
					fmt.Sprintf(e.why, text) + " " + notAnnounced,
				}, true
			}
		}
	}
	return Finding{}, false
}

// isCheck tells whether line i of f checks something, itself or by a call.
func (d *testDiff) isCheck(h callees, f function, i int) bool {
	if f.src.force[i] > 0 {
		return true
	}
	for _, g := range h.calledAt(f, i) {
		if d.force(h, g) > 0 {
			return true
		}
	}
	return false
}

// wasEnclosed: the line stood within something before.
func (d *testDiff) wasEnclosed(f function, text string) bool {
	for _, g := range d.olds.reached(f) {
		for i := g.from; i < g.to; i++ {
			if g.src.marks[i]&enclosing != 0 && strings.TrimSpace(g.src.lines[i]) == text {
				return true
			}
		}
	}
	return false
}
