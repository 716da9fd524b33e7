package check

import (
	"fmt"
	"slices"
	"strings"
)

// testFindings compares the tests of one language over the whole diff.
func testFindings(l language, changes []Change, a Allowed) []Finding {
	d := newTestDiff(&l, changes)
	if d == nil {
		return nil
	}
	found := d.deleted(a)
	for _, p := range d.pairs {
		if a.testAnnounced(p.before.src.path) || a.testAnnounced(p.after.src.path) {
			continue
		}
		if f, is := d.skipped(p); is {
			found = append(found, f)
		}
		if f, is := d.weakened(p); is {
			found = append(found, f)
		}
	}
	return append(found, d.skippedTogether(a)...)
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

// accounted: its checks are found again in what the change brought, so it was
// renamed, split or made a case of a table. A test without checks is no loss.
func (d *testDiff) accounted(f function) bool {
	checks := d.l.checkLines(d.olds.reach(f))
	if len(checks) == 0 {
		checks = f.body()
	}
	if !slices.ContainsFunc(checks, word.MatchString) {
		return true
	}
	return len(d.brought) > 0 && d.brought.accounts(checks)
}

// skipped finds a new mark that keeps a test which ran before from running, or
// a new return before all of its checks.
func (d *testDiff) skipped(p pair) (Finding, bool) {
	had := map[string]int{}
	for _, text := range p.before.lines() {
		had[strings.TrimSpace(text)]++
	}
	first := ""
	for i, text := range p.after.lines() {
		if first == "" && i > p.after.head-p.after.from {
			first = text
		}
		key := strings.TrimSpace(text)
		if had[key]--; had[key] >= 0 {
			continue
		}
		returns := (key == "return" || key == "return;") && indent(text) == indent(first)
		if skips := d.l.skip.MatchString(text) && !d.wasSkipped(p.before, text); skips || returns {
			return Finding{
				Critical, p.after.src.path, p.after.from + i + 1, "test " + p.after.name + " no longer runs",
				fmt.Sprintf("The new line %q keeps it from checking what it checked. %s", key, notAnnounced),
			}, true
		}
	}
	return Finding{}, false
}

// wasSkipped: the same kind of mark with other words, a new reason say.
func (d *testDiff) wasSkipped(f function, text string) bool {
	mark := d.l.skip.FindString(text)
	return slices.ContainsFunc(f.lines(), func(old string) bool { return d.l.skip.FindString(old) == mark })
}

// weakened compares how much can fail in a test, helpers included. Fewer checks
// are no loss where each that is gone is found again in what the change brought.
func (d *testDiff) weakened(p pair) (Finding, bool) {
	had, has := d.count(d.olds, p.before), d.count(d.helpers, p.after)
	after := d.helpers.reach(p.after)
	gone := d.lost(d.olds.reach(p.before), after)
	if len(gone) == 0 {
		return Finding{}, false
	}
	at := Finding{File: p.after.src.path, Line: p.after.head + 1}
	checksAnew := d.l.checks(d.fresh(p)) > 0
	now := d.brought.with(after)
	for _, text := range gone {
		literals, words := tokens(text)
		found := d.brought.covers(text) && (checksAnew || len(literals)+len(words) > 0)
		switch {
		case has < had && !found, has == 0:
			at.Severity, at.Title = Critical, "test "+p.after.name+" was hollowed out"
			at.Rationale = fmt.Sprintf("It checks %d things where it checked %d; gone is %q. %s", has, had, text, notAnnounced)
			return at, true
		case has >= had && !now.hasValues(literals):
			at.Severity, at.Title = Important, "test "+p.after.name+" expects something else"
			at.Rationale = fmt.Sprintf("Gone is %q. %s", text, notAnnounced)
			return at, true
		}
	}
	return Finding{}, false
}

// count adds the calls of helpers that the diff does not show, since they may
// check as well.
func (d *testDiff) count(h callees, f function) int {
	n := h.force(f, d.known)
	if d.l.handed == nil {
		return n
	}
	for _, text := range f.lines() {
		name := firstGroup(d.l.handed, text)
		if name != "" && d.helpers[name] == nil && d.olds[name] == nil && !d.l.check.MatchString(text) {
			n++
		}
	}
	return n
}

// lost are the checks of a test that are not there any more as they were.
func (d *testDiff) lost(before, after []string) []string {
	has := map[string]int{}
	for _, text := range d.l.checkLines(after) {
		has[text]++
	}
	var gone []string
	for _, text := range d.l.checkLines(before) {
		if has[text]--; has[text] < 0 {
			gone = append(gone, text)
		}
	}
	return gone
}

// skippedTogether finds new marks outside of test functions (a suite, a class, a
// build constraint) in files with tests that ran before.
func (d *testDiff) skippedTogether(a Allowed) []Finding {
	had, tested := map[string]int{}, map[string]bool{}
	for _, p := range d.pairs {
		tested[p.after.src.path] = !a.testAnnounced(p.before.src.path) && !a.testAnnounced(p.after.src.path)
	}
	for _, s := range d.oldSources() {
		for _, text := range s.outside() {
			had[strings.TrimSpace(text)]++
		}
	}
	var found []Finding
	for _, s := range d.after {
		for i, text := range s.outside() {
			key := strings.TrimSpace(text)
			if had[key]--; had[key] < 0 && tested[s.path] && d.l.skip.MatchString(text) {
				found = append(found, Finding{
					Critical, s.path, i + 1, "tests no longer run",
					fmt.Sprintf("The new line %q keeps tests of the file from running. %s", key, notAnnounced),
				})
			}
		}
	}
	return found
}

func (d *testDiff) oldSources() []*source {
	var olds []*source
	add := func(f function) {
		if !slices.Contains(olds, f.src) {
			olds = append(olds, f.src)
		}
	}
	for _, p := range d.pairs {
		add(p.before)
	}
	for _, f := range d.removed {
		add(f)
	}
	return olds
}
