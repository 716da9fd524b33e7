package integrity

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// testDiff is what a whole diff does to the tests of one language.
type testDiff struct {
	l       *language
	removed []function // no test of that name is left
	added   []function
	pairs   []pair
	before  []*source
	after   []*source
	// Packages for tests; what tests call in them counts as a check, whatever it is.
	libraries [][2]*source
	helpers   callees         // of the new sources
	olds      callees         // of the old ones
	brought   pool            // vocabulary of what is new in tests
	known     map[forceOf]int // force of functions, see there
	told      map[string]bool
}

type pair struct{ before, after function }

// newTestDiff pairs the tests of l before and after a change.
func newTestDiff(l *language, changes []Change) *testDiff {
	d := &testDiff{l: l, helpers: newCallees(), olds: newCallees(), brought: pool{}, known: map[forceOf]int{}, told: map[string]bool{}}
	moved := map[string]string{}
	for _, c := range changes {
		if c.Status != Added && l.holdsTests(c.before()) {
			d.before = append(d.before, l.parse(c.before(), c.Before))
			moved[c.before()] = c.Path
		}
		if c.Status != Deleted && l.holdsTests(c.Path) {
			d.after = append(d.after, l.parse(c.Path, c.After))
		}
		if c.Status == Modified && l.helpsTests(c.Path, c.Before) {
			d.libraries = append(d.libraries, [2]*source{l.parse(c.Path, c.Before), l.parse(c.Path, c.After)})
		}
	}
	d.match(collect(d.before, d.olds), collect(d.after, d.helpers), moved)
	d.gather()
	return d
}

// helpsTests tells whether a file of Go that is no test file may fail tests: it
// imports testing, and what it exports is there for tests of other packages.
func (l *language) helpsTests(p string, content []byte) bool {
	return l.name == "Go" && path.Ext(p) == ".go" && !l.holdsTests(p) && bytes.Contains(content, []byte(`"testing"`)) && !matchesGlobs(l.idle, p)
}

// collect splits functions into tests, in order, and helpers, by name.
func collect(sources []*source, h callees) []function {
	var tests []function
	for _, s := range sources {
		for _, f := range s.functions {
			switch {
			case f.test:
				tests = append(tests, f)
			case !f.gone:
				h.add(f)
			}
		}
	}
	return tests
}

// match pairs tests of one name: first within a file, then wherever they moved.
func (d *testDiff) match(before, after []function, moved map[string]string) {
	taken := make([]bool, len(after))
	find := func(b function, sameFile bool) bool {
		for i, a := range after {
			if !taken[i] && a.name == b.name && (!sameFile || a.src.path == moved[b.src.path]) {
				taken[i] = true
				d.pairs = append(d.pairs, pair{b, a})
				return true
			}
		}
		return false
	}
	var rest []function
	for _, b := range before {
		if !find(b, true) {
			rest = append(rest, b)
		}
	}
	for _, b := range rest {
		if !find(b, false) {
			d.removed = append(d.removed, b)
		}
	}
	for i, a := range after {
		if !taken[i] {
			d.added = append(d.added, a)
		}
	}
}

// gather fills brought: new tests with the helpers they call, what is new in
// tests that stayed, and new lines outside of functions (tables). A helper that
// no test calls brings nothing: a test renamed so that it no longer runs is one.
// Nor does a new test that is skipped, or a check within what takes its force.
func (d *testDiff) gather() {
	idle := slices.ContainsFunc(d.removed, d.idle)
	for _, f := range d.added {
		if idle || !d.idle(f) {
			d.brought.add(d.helpers.free(f))
		}
	}
	for _, p := range d.pairs {
		if now := d.fresh(p); len(now) > 0 {
			d.brought.add(now)
			d.brought.addWords(d.says(d.helpers, p.after)) // a new case of an old table is checked by these
		}
	}
	var outside []string
	for _, s := range d.before {
		outside = append(outside, s.outside()...)
	}
	var now []string
	for _, s := range d.after {
		now = append(now, s.outside()...)
	}
	d.brought.add(lacking(outside, now))
}

// fresh are the lines of a test, helpers included, that it did not have.
func (d *testDiff) fresh(p pair) []string {
	return lacking(d.olds.reach(p.before), d.helpers.reach(p.after))
}

// lacking gives those of lines that are not among old: a line that stands there
// once more often than in old is lacking once.
func lacking(old, lines []string) []string {
	had := map[string]int{}
	for _, text := range old {
		had[strings.TrimSpace(text)]++
	}
	var fresh []string
	for _, text := range lines {
		key := strings.TrimSpace(text)
		if had[key]--; had[key] < 0 {
			fresh = append(fresh, text)
		}
	}
	return fresh
}

// outside gives the lines that belong to no function; the others are empty, so
// that an index is still a line.
func (s *source) outside() []string {
	lines := append([]string{}, s.lines...)
	for _, f := range s.functions {
		for i := f.from; i < f.to; i++ {
			lines[i] = ""
		}
	}
	return lines
}
