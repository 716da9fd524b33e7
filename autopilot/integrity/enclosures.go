package integrity

import (
	"strings"
)

// enclosing are the marks of lines in which a check has lost its force.
const enclosing = guarded | inverted | late | shelved

var (
	head        = lazily(`^\s*(?:\}\s*)?(?:(?:el|else )?if|elsif|while|unless|when)\b`)
	alternative = lazily(`^\s*(?:\}\s*)?(?:else|elif|elsif)\b`)
	either      = lazily(`&&|\|\||\?|\b(?:and|or|if|unless)\b`)
	excuse      = lazily(`\|\||\b(?:or|if|unless)\b`)
	way         = lazily(`(?:^|[:{)]|\bthen)\s*(?:return|continue|break)\b[^;}]*;?\s*\}?\s*$`)
)

// encloser marks the lines of a function that stand within something.
type encloser struct {
	s     *source
	l     *language
	f     function
	asked map[string]bool // names of the file that tell of the environment
}

// markEnclosed marks what stands within something that takes force from checks.
func (s *source) markEnclosed(l *language) {
	asked := s.asked(l)
	for _, f := range s.functions {
		e := encloser{s, l, f, asked}
		for i := f.from; i < f.to; i++ {
			e.condition(i)
			e.inversion(i)
			e.detour(i)
			e.shelf(i)
		}
	}
}

func (e encloser) mark(from, to int, m mark) {
	for i := from; i < min(to, e.f.to); i++ {
		e.s.marks[i] |= m
	}
}

var (
	assigned = lazily(`^\s*[\w{},:\s.$]+$`)
	declarer = setOf("const let var val final static private public boolean String str bool self this mut export")
)

// asked gives the names that get what depends on the environment.
func (s *source) asked(l *language) map[string]bool {
	found := map[string]bool{}
	for _, text := range s.lines {
		at := l.is(depends).index(text)
		if at < 0 {
			continue
		}
		left, right, is := strings.Cut(text[:at], "=")
		if !is || strings.HasPrefix(right, "=") || !assigned.MatchString(left) || head.MatchString(left) {
			continue
		}
		for from, to := range names(left) {
			if name := left[from:to]; !declarer.has(name) {
				found[name] = true
			}
		}
	}
	return found
}

// dependsAt is where a line asks for the environment, or -1.
func (e encloser) dependsAt(text string) int {
	if at := e.l.is(depends).index(text); at >= 0 {
		return at
	}
	if len(e.asked) > 0 {
		for from, to := range names(text) {
			if e.asked[text[from:to]] {
				return from
			}
		}
	}
	return -1
}

// condition marks the checks that a condition on the environment decides over,
// and those that are made where they hold already.
func (e encloser) condition(i int) {
	text := e.s.lines[i]
	at := e.dependsAt(text)
	heads := head.MatchString(text)
	if i > e.f.head && e.l.is(never).match(text) {
		e.mark(i, e.s.below(i), guarded)
	}
	if i <= e.f.head || at < 0 && !heads {
		return
	}
	check := e.l.is(asserts).index(text)
	switch {
	case at < 0:
		e.foregone(i, text)
	case check >= 0 && at > check: // x == 3 or the environment
		if !heads && excuse.MatchString(withoutStrings(text[check:at])) {
			e.mark(i, i+1, guarded)
		}
	case check >= 0:
		if heads || either.MatchString(withoutStrings(text[at:check])) {
			e.mark(i, i+1, guarded)
		}
	case strings.HasPrefix(strings.TrimSpace(text), "#["):
		e.mark(i+1, e.s.below(i+1), guarded)
	case heads:
		e.branches(i)
	}
}

// branches marks the one of two branches that checks where the other does not,
// and all that is behind a way out.
func (e encloser) branches(i int) {
	then, other, end := e.s.branches(i, e.f.to)
	checksThen, checksOther := sum(e.s.force[i+1:then]) > 0, sum(e.s.force[min(other, end):end]) > 0
	switch {
	case checksThen && !checksOther:
		e.mark(i+1, then, guarded)
	case checksOther && !checksThen:
		e.mark(other, end, guarded)
	case !checksThen && (way.MatchString(e.s.lines[i]) || then == i+2 && way.MatchString(e.s.lines[i+1])):
		e.mark(end, e.s.blockEnd(i, e.f.to), guarded)
	}
}

// branches gives the end of the block below the head at i, the begin of what
// stands behind its else, and the end of both.
func (s *source) branches(i, limit int) (then, other, end int) {
	depth := indent(s.lines[i])
	for k := i + 1; k < limit; k++ {
		text := strings.TrimSpace(s.lines[k])
		if text == "" || indent(s.lines[k]) > depth || text[0] == '{' {
			continue
		}
		isElse := indent(s.lines[k]) == depth && alternative.MatchString(s.lines[k])
		if then == 0 {
			then, other = k, k+1
		}
		if !isElse {
			end = k
			break
		}
	}
	if end == 0 {
		end = limit
	}
	if then == 0 {
		then = limit
	}
	if other == 0 || other > end {
		other = end
	}
	return then, other, end
}

// blockEnd is where the block that line i stands in ends.
func (s *source) blockEnd(i, limit int) int {
	for k := i + 1; k < limit; k++ {
		if text := strings.TrimSpace(s.lines[k]); text != "" && indent(s.lines[k]) < indent(s.lines[i]) {
			return k
		}
	}
	return limit
}

// foregone marks a check below a condition that asks the same.
func (e encloser) foregone(i int, text string) {
	left, right := sides("if ", strings.TrimRight(head.ReplaceAllString(text, ""), " {:)"))
	if left == "" {
		return
	}
	left = strings.TrimLeft(left, " (")
	then, _, _ := e.s.branches(i, e.f.to)
	for k := i + 1; k < then; k++ {
		for _, at := range e.l.is(argued).all(e.s.lines[k]) {
			x, y := sides(e.s.lines[k][at[0]:at[1]], e.s.lines[k][at[1]:])
			if x != "" && (same(x, left) && same(y, right) || same(x, right) && same(y, left)) {
				e.mark(k, k+1, guarded)
			}
		}
	}
}

func same(x, y string) bool { return resolve(x, nil) == resolve(y, nil) }

// inversion marks the checks that are wanted to fail.
func (e encloser) inversion(i int) {
	text, end := e.s.lines[i], e.s.below(i)
	whole := text
	if end > i+1 && opens(strings.TrimSpace(text)) {
		whole += " " + strings.TrimSpace(e.s.lines[end-1])
	}
	switch {
	case !e.l.is(inverts).match(whole):
	case i < e.f.head:
		e.mark(e.f.head+1, e.f.to, inverted)
	case i > e.f.head && whole != text:
		e.mark(i+1, end, inverted)
	case i > e.f.head && (len(e.l.is(asserts).all(text)) > 1 || wantedCheck.MatchString(text)):
		e.mark(i, i+1, inverted)
	}
}

// wantedCheck hands a check over to another that wants it to fail.
var wantedCheck = lazily(`Raises\w*\(.*self\.assert|\bassertThatThrownBy\(.*assert\w+\(|\bcatchThrowable\(.*assert\w+\(`)

// detour marks the checks that run later or beside the test, where the function
// does not wait for them.
func (e encloser) detour(i int) {
	text := e.s.lines[i]
	at := e.l.is(aside).index(text)
	if i <= e.f.head || at < 0 {
		return
	}
	for _, other := range e.f.lines() {
		if e.l.is(joins).match(other) {
			return
		}
	}
	if e.l.is(asserts).match(text[at:]) {
		e.mark(i, i+1, late)
	}
	e.mark(i+1, e.s.below(i), late)
}

// shelf marks the body of a function within a test that the test does not name
// again.
func (e encloser) shelf(i int) {
	if !e.f.test || i <= e.f.head || !e.l.is(shelves).possible(e.s.lines[i]) || indent(e.s.lines[i]) != indent(e.s.lines[e.f.head+1]) {
		return
	}
	name, end := firstGroup(e.l.is(shelves).re, e.s.lines[i]), e.s.below(i)
	if name == "" || e.s.above(i) != i {
		return
	}
	for k := e.f.from; k < e.f.to; k++ {
		if k >= i && k < end {
			continue
		}
		for from, to := range names(e.s.lines[k]) {
			if e.s.lines[k][from:to] == name {
				return
			}
		}
	}
	e.mark(i, end, shelved)
}
