package integrity

import (
	"fmt"
	"slices"
	"strings"
)

// weakerHelpers compares functions that get a tester, and those that compare, as
// tests are compared: tests that use them need not be in the diff. What a test of
// the diff lost with them is told there.
func (d *testDiff) weakerHelpers(told []pair, a Allowed) []Finding {
	blamed := map[place]bool{}
	for _, p := range told {
		for _, f := range append(d.helpers.reached(p.after), d.olds.reached(p.before)...) {
			blamed[place{f.src, f.head}] = true
		}
	}
	var found []Finding
	for _, p := range d.helperPairs(a) {
		switch {
		case p.after.agrees && !p.before.agrees:
			found = append(found, p.at(Critical, p.after.head, p.after.name+" no longer compares",
				"It answers the same whatever it gets, and what tests check with it comes out well."))
		case p.after.tester:
			found = append(found, d.weakerHelper(p, blamed[place{p.after.src, p.after.head}] || blamed[place{p.before.src, p.before.head}])...)
		}
	}
	return found
}

func (d *testDiff) weakerHelper(p pair, blamed bool) []Finding {
	looks := []func(pair) (Finding, bool){d.hollowed, d.hidden, d.loosened, d.unbounded, d.narrowed, d.conditioned, d.widened}
	if !blamed && !d.prepares(p) {
		looks = append(looks, d.weakened)
	}
	for _, look := range looks {
		if f, is := look(p); is && f.Severity == Critical {
			f.Title = strings.Replace(f.Title, "test "+p.after.name, "helper "+p.after.name, 1)
			return []Finding{f}
		}
	}
	return nil
}

var (
	// guards are checks that something worked at all.
	guards = lazily(`^if (?:[^;]*; )?\w*[eE]rr\w* != nil `)
	// drop is what an error becomes that nobody looks at.
	drop = lazily(`\b_ :?=|, _ `)
)

// prepares: a helper that hands something back and lost nothing but the guards of
// calls that it makes no more, or that no longer give an error.
func (d *testDiff) prepares(p pair) bool {
	if !p.before.answers {
		return false
	}
	gone := lacking(d.says(d.helpers, p.after), d.says(d.olds, p.before))
	anew := lacking(p.before.lines(), p.after.lines())
	return !slices.ContainsFunc(gone, func(text string) bool { return !guards.MatchString(text) }) && !slices.ContainsFunc(anew, drop.MatchString)
}

// helperPairs gives the helpers that were not announced, in order.
func (d *testDiff) helperPairs(a Allowed) []pair {
	before, after := slices.Clone(d.before), slices.Clone(d.after)
	for _, l := range d.libraries {
		before, after = append(before, l[0]), append(after, l[1])
	}
	now := map[string][]function{}
	for _, s := range after {
		for _, f := range s.functions {
			if !f.test && !a.testAnnounced(s.path) {
				now[f.name] = append(now[f.name], f)
			}
		}
	}
	var pairs []pair
	taken := map[place]bool{}
	for _, s := range before {
		for _, b := range s.functions {
			if b.test || !b.tester && !b.compares || a.testAnnounced(s.path) {
				continue
			}
			if f, is := successor(b, now[b.name], taken); is {
				taken[place{f.src, f.head}] = true
				pairs = append(pairs, pair{b, f})
			}
		}
	}
	return pairs
}

// successor is what became of a helper: of several of one name, that of the same
// head and of the same file before others.
func successor(b function, among []function, taken map[place]bool) (best function, is bool) {
	rank := -1
	for _, f := range among {
		score := 0
		if f.src.path == b.src.path {
			score++
		}
		if f.src.lines[f.head] == b.src.lines[b.head] {
			score += 2
		}
		if !taken[place{f.src, f.head}] && score > rank {
			best, rank, is = f, score, true
		}
	}
	return best, is
}

// widerConstants finds tolerances beside the functions of test files.
func (d *testDiff) widerConstants(found []Finding, a Allowed) []Finding {
	for _, now := range d.after {
		if a.testAnnounced(now.path) {
			continue
		}
		for _, old := range d.before {
			if old.path != now.path || a.testAnnounced(old.path) {
				continue
			}
			i, kind := d.grown(old.outside(), now.outside())
			if i < 0 || kind == waits || slices.ContainsFunc(found, func(f Finding) bool { return f.File == now.path && f.Line == i+1 }) {
				continue
			}
			found = append(found, Finding{
				Critical, now.path, i + 1, "tests tolerate more",
				fmt.Sprintf("%q had a narrower bound. %s", strings.TrimSpace(now.lines[i]), notAnnounced),
			})
		}
	}
	return found
}
