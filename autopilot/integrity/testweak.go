package integrity

import (
	"fmt"
	"slices"
	"strings"
)

// marked finds the first line of a test that has a mark now and had none before.
// Again is that the line was there before, without the mark.
func (p pair) marked(m mark) (at int, again, found bool) {
	had := map[string]bool{}
	for i := p.before.from; i < p.before.to; i++ {
		key := strings.TrimSpace(p.before.src.lines[i])
		had[key] = had[key] || p.before.src.marks[i]&m != 0
	}
	for i := p.after.from; i < p.after.to; i++ {
		was, there := had[strings.TrimSpace(p.after.src.lines[i])]
		if p.after.src.marks[i]&m != 0 && !was {
			return i, there, true
		}
	}
	return 0, false, false
}

// hollowed finds a check that can no longer fail: of a constant, of a value with
// itself, in a loop over nothing.
func (d *testDiff) hollowed(p pair) (Finding, bool) {
	at, again, found := p.marked(hollow)
	plain := found
	if !found {
		at, again, found = p.marked(echo)
	}
	if !found {
		return Finding{}, false
	}
	gone := lacking(d.says(d.helpers, p.after), d.says(d.olds, p.before))
	if !again && len(gone) == 0 {
		return Finding{}, false
	}
	severity := Critical
	if !plain && !p.lostValue(gone) {
		severity = Important // to run a function twice may be the point of the test
	}
	return p.at(severity, at, "a check of test "+p.after.name+" cannot fail",
		fmt.Sprintf("By %q something comes out the same whatever the code does.", strings.TrimSpace(p.after.src.lines[at]))), true
}

// empty finds new tests that assert, and nothing that could fail.
func (d *testDiff) empty() []Finding {
	var found []Finding
	for _, f := range d.added {
		for i := f.from; i < f.to; i++ {
			if f.src.marks[i]&hollow != 0 && d.force(d.helpers, f) == 0 {
				found = append(found, Finding{
					Important, f.src.path, i + 1, "the new test " + f.name + " checks nothing",
					fmt.Sprintf("%q comes out the same whatever the code does.", strings.TrimSpace(f.src.lines[i])),
				})
				break
			}
		}
	}
	return found
}

// lostValue tells whether a value that was written down is gone from a check, or
// from a name that the test gives to it.
func (p pair) lostValue(gone []string) bool {
	now := pool{}
	now.add(p.after.lines())
	for _, text := range lacking(p.after.lines(), p.before.lines()) {
		if m := binding.FindStringSubmatch(text); m != nil && isConstant(m[2]) {
			return true
		}
	}
	for _, text := range gone {
		if literals, _ := tokens(text); !now.hasValues(literals) {
			return true
		}
	}
	return false
}

// hidden finds a recover, an empty catch or the like around checks.
func (d *testDiff) hidden(p pair) (Finding, bool) {
	at, _, found := p.marked(hiding)
	return p.at(Critical, at, "test "+p.after.name+" swallows its failure",
		fmt.Sprintf("%q keeps a failed check from being seen.", strings.TrimSpace(p.after.src.lines[at]))), found
}

// left finds a new way out before the last check: a doubt, since the condition
// may be a good one.
func (d *testDiff) left(p pair) (Finding, bool) {
	at, _, found := p.marked(leaving)
	if !found || sum(p.after.src.force[at:p.after.to]) == 0 {
		return Finding{}, false
	}
	return p.at(Important, at, "test "+p.after.name+" may end before it checks",
		fmt.Sprintf("The new way out is behind %q.", strings.TrimSpace(p.after.src.lines[max(0, at-1)]))), true
}

// loosened finds a check for one value that became one that only bounds it.
func (d *testDiff) loosened(p pair) (Finding, bool) {
	before, after := d.says(d.olds, p.before), d.says(d.helpers, p.after)
	gone := lacking(after, before)
	if len(gone) == 0 || d.l.pinned(after) >= d.l.pinned(before) {
		return Finding{}, false
	}
	for i := p.after.from; i < p.after.to; i++ {
		for _, text := range p.after.src.says[i] {
			if d.l.pin(text) || !d.l.is(loosens).match(text) && !d.l.freed(text) || len(lacking(before, []string{text})) == 0 {
				continue
			}
			for _, old := range gone {
				if d.l.pin(old) && !d.pinnedElsewhere(old) && (sameSubject(old, text) || d.l.freed(text) && sharesWord(old, text)) {
					return p.at(Critical, i, "test "+p.after.name+" was weakened",
						fmt.Sprintf("It checked %q and checks only %q.", old, strings.TrimSpace(text))), true
				}
			}
		}
	}
	return Finding{}, false
}

// pinnedElsewhere: the check went to another test as it was.
func (d *testDiff) pinnedElsewhere(text string) bool {
	for _, f := range d.added {
		if len(lacking(d.says(d.helpers, f), []string{text})) == 0 {
			return true
		}
	}
	return false
}

// sharesWord is less than sameSubject: of a value that anything may be now, all
// words are gone.
func sharesWord(x, y string) bool {
	_, words := tokens(x)
	_, others := tokens(y)
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(others, w) })
}

// sameSubject tells whether two checks speak of one thing.
func sameSubject(x, y string) bool {
	_, words := tokens(x)
	_, others := tokens(y)
	wanted := setOf(strings.Join(others, " "))
	known := 0
	for _, w := range words {
		if wanted.has(w) {
			known++
		}
	}
	return len(words) == 0 || 3*known >= 2*len(words)
}
