package integrity

import (
	"fmt"
	"slices"
	"strings"
)

// testFindings compares the tests of one language over the whole diff.
func testFindings(d *testDiff, a Allowed) []Finding {
	found := d.deleted(a)
	var told []pair // these lost something for sure
	for _, p := range d.pairs {
		if a.testAnnounced(p.before.src.path) || a.testAnnounced(p.after.src.path) {
			continue
		}
		lost := d.changed(p)
		if slices.ContainsFunc(lost, func(f Finding) bool { return f.Severity == Critical }) {
			told = append(told, p)
		}
		found = append(found, lost...)
	}
	found = append(found, d.weakerHelpers(told, a)...)
	found = d.widerConstants(found, a)
	found = append(found, d.empty()...)
	found = append(found, d.skippedTogether(a)...)
	found = append(found, d.runAlone(a)...)
	found = append(found, d.skippedByHelpers(a)...)
	found = append(found, d.renamedAway(a)...)
	return append(found, d.freshFindings(a)...)
}

// changed gives what a test lost: the plainest of what is critical, and a doubt
// only where nothing is.
func (d *testDiff) changed(p pair) []Finding {
	var doubts []Finding
	for _, look := range []func(pair) (Finding, bool){
		d.skipped, d.hollowed, d.hidden, d.enclosed, d.weakened, d.loosened, d.unbounded, d.narrowed, d.conditioned, d.widened, d.left,
	} {
		f, is := look(p)
		switch {
		case is && f.Severity == Critical:
			return []Finding{f}
		case is:
			doubts = append(doubts, f)
		}
	}
	return doubts[:min(len(doubts), 1)]
}

// at begins a finding about the line i of the test as it is now.
func (p pair) at(s Severity, i int, title, rationale string) Finding {
	return Finding{s, p.after.src.path, i + 1, title, rationale + " " + notAnnounced}
}

// deleted gives one finding for all tests that one file lost.
func (d *testDiff) deleted(a Allowed) []Finding {
	var found []Finding
	lost := map[string][]string{}
	for _, f := range d.removed {
		if a.testAnnounced(f.src.path) || d.accounted(f) {
			continue
		}
		if lost[f.src.path] == nil {
			found = append(found, Finding{Severity: Critical, File: f.src.path, Line: f.head + 1})
		}
		lost[f.src.path] = append(lost[f.src.path], f.name)
	}
	for i := range found {
		names := lost[found[i].File]
		found[i].Title = "test " + names[0] + " was deleted"
		if len(names) > 1 {
			found[i].Title = fmt.Sprintf("%d tests were deleted", len(names))
		}
		found[i].Rationale = fmt.Sprintf("What %s checked is checked nowhere else in the change. %s",
			strings.Join(names[:min(len(names), 10)], ", "), notAnnounced)
	}
	return found
}

// helperOf gives the function that a call in f names, or else the text itself.
func (f function) helperOf(text string) string {
	for i := f.from; i < f.to; i++ {
		for _, c := range f.src.hands[i] {
			if c.text == text {
				return c.name
			}
		}
	}
	return text
}

// accounted: its checks are found again in what the change brought, so it was
// renamed, split or made a case of a table. A test without checks is no loss.
func (d *testDiff) accounted(f function) bool {
	checks := d.says(d.olds, f)
	if len(checks) == 0 {
		checks = f.body()
	}
	for _, g := range d.olds.reached(f) {
		for i := g.from; i < g.to && g.src.readied != nil; i++ {
			checks = append(checks, g.src.readied[i]...)
		}
	}
	if !slices.ContainsFunc(checks, word.MatchString) {
		return true
	}
	return len(d.brought) > 0 && d.brought.accounts(checks)
}

// weakened compares how much can fail in a test, helpers included. Fewer checks
// are no loss where each that is gone is found again in what the change brought.
func (d *testDiff) weakened(p pair) (Finding, bool) {
	had, has := d.force(d.olds, p.before), d.force(d.helpers, p.after)
	gone := lacking(d.says(d.helpers, p.after), d.says(d.olds, p.before))
	if len(gone) == 0 {
		return Finding{}, false
	}
	anew := lacking(d.says(d.olds, p.before), d.says(d.helpers, p.after))
	if slices.Equal(p.before.lines(), p.after.lines()) {
		// A helper lost it, or a table beside the tests: one test tells for all.
		why := p.before.helperOf(gone[0])
		if d.told[why] {
			return Finding{}, false
		}
		d.told[why] = true
	}
	own := pool{}
	own.add(d.helpers.reach(p.after))
	for _, text := range gone {
		literals, words := tokens(text)
		found := d.brought.covers(text) && (len(anew) > 0 || len(literals)+len(words) > 0)
		switch {
		case has < had && !found, has == 0:
			return p.at(Critical, p.after.head, "test "+p.after.name+" was hollowed out",
				fmt.Sprintf("It checks %d things where it checked %d; gone is %q.", has, had, text)), true
		case has >= had && !own.hasValues(literals, d.brought) && !d.tightened(text, anew) && !p.asWhole(text):
			return p.at(Important, p.after.head, "test "+p.after.name+" expects something else", fmt.Sprintf("Gone is %q.", text)), true
		}
	}
	return Finding{}, false
}
