package integrity

import (
	"fmt"
	"slices"
	"strings"
)

// setups are functions that run before tests without a call.
var setups = setOf("setUp setUpClass setup setup_method setup_class setup_function setup_module SetupTest SetupSuite")

// skippedByHelpers finds new skips in functions that tests lead to: one that
// stands under a condition there is a doubt only.
func (d *testDiff) skippedByHelpers(a Allowed) []Finding {
	used, had := d.used(a), map[string]bool{}
	for _, s := range d.before {
		for _, text := range s.lines {
			had[strings.TrimSpace(text)] = true
		}
	}
	var found []Finding
	for _, s := range d.after {
		for _, g := range s.functions {
			if !g.test && (used[place{s, g.head}] || setups.has(g.name) && used[place{s, -1}]) || d.hadHelper(g, a) {
				found = append(found, d.newSkips(g, had)...)
			}
		}
	}
	return found
}

// hadHelper: a helper that gets a tester and was there before. Tests that use it
// need not be in the diff.
func (d *testDiff) hadHelper(g function, a Allowed) bool {
	return g.tester && !a.testAnnounced(g.src.path) &&
		slices.ContainsFunc(d.olds.all[g.name], func(old function) bool { return old.tester && !a.testAnnounced(old.src.path) })
}

// used gives the functions that tests lead to which ran before and were not
// announced, and the files of these, at line -1.
func (d *testDiff) used(a Allowed) map[place]bool {
	used := map[place]bool{}
	for _, p := range d.pairs {
		if a.testAnnounced(p.before.src.path) || a.testAnnounced(p.after.src.path) {
			continue
		}
		used[place{p.after.src, -1}] = true
		for _, g := range d.helpers.reached(p.after)[1:] {
			used[place{g.src, g.head}] = true
		}
	}
	return used
}

func (d *testDiff) newSkips(g function, had map[string]bool) []Finding {
	var found []Finding
	for i := g.head + 1; i < g.to; i++ {
		text := g.src.lines[i]
		if !d.l.is(skips).match(text) || had[strings.TrimSpace(text)] {
			continue
		}
		f := Finding{
			Critical, g.src.path, i + 1, "tests no longer run",
			fmt.Sprintf("%q in %s keeps tests that use it from running. %s", strings.TrimSpace(text), g.name, notAnnounced),
		}
		if indent(text) > indent(g.src.lines[g.head+1]) {
			f.Severity, f.Title = Important, "tests may no longer run"
		}
		found = append(found, f)
	}
	return found
}
