package integrity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// numeral is what a bound is; shape is the line without its numbers.
var numeral = lazily(`\d[\d.]*(?:[eE][+-]?\d+)?`)

func shape(text string) string { return numeral.ReplaceAllString(strings.TrimSpace(text), "#") }

// widened finds a tolerance that grew, of a line that is otherwise the same.
func (d *testDiff) widened(p pair) (Finding, bool) {
	i, kind := d.grown(p.before.lines(), p.after.lines())
	if f, is := d.farOff(p); is && (i < 0 || kind == waits) {
		return f, true
	}
	switch {
	case i < 0:
		return Finding{}, false
	case kind == waits:
		return p.at(Important, p.after.from+i, "test "+p.after.name+" waits longer",
			fmt.Sprintf("%q had a shorter limit.", strings.TrimSpace(p.after.lines()[i]))), true
	}
	return p.at(Critical, p.after.from+i, "test "+p.after.name+" tolerates more",
		fmt.Sprintf("%q had a narrower bound.", strings.TrimSpace(p.after.lines()[i]))), true
}

// widening tells for each bound whether it is wider when it grows, or shrinks.
var widening = map[kind]float64{tolerates: 1, rounds: -1, waits: 1}

// grown gives the first new line whose bound is wider than that of a gone line
// of the same shape, or -1.
func (d *testDiff) grown(before, after []string) (int, kind) {
	waiting := -1
	gone := map[string][]string{}
	for _, text := range lacking(after, before) {
		gone[shape(text)] = append(gone[shape(text)], text)
	}
	if len(gone) == 0 {
		return -1, 0
	}
	fresh := map[string]int{}
	for _, text := range lacking(before, after) {
		fresh[text]++
	}
	for i, text := range after {
		old := gone[shape(text)]
		if fresh[text]--; fresh[text] < 0 || len(old) == 0 {
			continue
		}
		gone[shape(text)] = old[1:]
		for k, sign := range widening {
			if !wider(d.l.boundsIn(k, old[0]), d.l.boundsIn(k, text), sign) {
				continue
			}
			if k != waits {
				return i, k
			}
			waiting = i
		}
	}
	return waiting, waits
}

// tightened tells whether a check is there anew with a narrower bound, and the
// same in all else.
func (d *testDiff) tightened(old string, anew []string) bool {
	for _, text := range anew {
		if shape(text) != shape(old) {
			continue
		}
		for k, sign := range widening {
			bounds, now := d.l.boundsIn(k, old), d.l.boundsIn(k, text)
			if len(bounds) == len(now) && wider(now, bounds, sign) && !wider(bounds, now, sign) &&
				len(lacking(append(numeral.FindAllString(text, -1), bounds...), numeral.FindAllString(old, -1))) == 0 {
				return true
			}
		}
	}
	return false
}

func wider(before, after []string, sign float64) bool {
	for i := range min(len(before), len(after)) {
		x, isX := amountOf(before[i])
		y, isY := amountOf(after[i])
		if isX && isY && sign*y > sign*x {
			return true
		}
	}
	return false
}

// amountOf reads a number as it is written in code; a name of the largest number
// is limitless.
func amountOf(text string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(text, "."), "_", ""), 64)
	switch {
	case err == nil:
		return n, true
	case limitless.MatchString(text):
		return math.Inf(1), true
	}
	return 0, false
}

var limitless = lazily(`(?i)inf|max`)

// How much wider a check of closeness is when it is another kind of check, which
// library swaps make a little: more than loose times and no longer small, or distant.
const (
	loose   = 2.5
	small   = 1e-3
	distant = 100
	rough   = 0.1 // of the wanted value, where it was wanted exactly
)

// farOff finds a check of closeness that lets values be much farther off than the
// one it stands for, whatever bound that has.
func (d *testDiff) farOff(p pair) (Finding, bool) {
	before := d.says(d.olds, p.before)
	gone := lacking(d.says(d.helpers, p.after), before)
	for i := p.after.from; i < p.after.to && len(gone) > 0; i++ {
		for _, text := range lacking(before, p.after.src.says[i]) {
			now, near := d.l.closeness(text)
			if !near {
				continue
			}
			old := likest(gone, text)
			was, near := d.l.closeness(old)
			wider := near && (now > distant*was || now > loose*was && now > small) ||
				!near && d.l.pin(old) && now > rough*largest(old)
			if wider && !d.pinnedElsewhere(old) {
				return p.at(Critical, i, "test "+p.after.name+" tolerates more", fmt.Sprintf("%q became %q.", old, text)), true
			}
		}
	}
	return Finding{}, false
}

// likest gives the check of the same subject that has the most values in common
// with text, or "".
func likest(checks []string, text string) string {
	best, most := "", -1
	values, _ := tokens(text)
	for _, check := range checks {
		literals, _ := tokens(check)
		if common := len(literals) - len(lacking(values, literals)); common > most && sameSubject(check, text) {
			best, most = check, common
		}
	}
	return best
}

// closeness is how far off a check lets a value be; false where it wants none
// that is close to another.
func (l *language) closeness(text string) (float64, bool) {
	bound, is := 0.0, false
	for _, tolerance := range l.boundsIn(tolerates, text) {
		if n, number := amountOf(tolerance); number {
			if relative.MatchString(text) {
				n *= max(1, largest(relative.ReplaceAllString(text, "")))
			}
			bound, is = max(bound, n), true
		}
	}
	for _, digits := range l.boundsIn(rounds, text) {
		if n, number := amountOf(digits); number {
			bound, is = max(bound, math.Pow(10, -n)/2), true
		}
	}
	if !is && l.is(nearly).match(text) {
		return l.rows.numbers[nearly], true
	}
	return bound, is
}

// relative is a tolerance in proportion to the value.
var relative = lazily(`\b(?:rel|rel_tol|rtol|max_relative)\s*<?=.*`)

// boundsIn gives the numbers of a kind that stand in text. One without a name has
// to be the last argument, and an assertion has two values before it.
func (l *language) boundsIn(k kind, text string) []string {
	var found []string
	for _, at := range l.is(k).groups(text) {
		for g := 2; g+1 < len(at); g += 2 {
			if at[g] >= 0 && isArgument(text, at[0], text[at[g]:at[g+1]]) {
				found = append(found, text[at[g]:at[g+1]])
				break
			}
		}
	}
	return found
}

func isArgument(text string, from int, number string) bool {
	name, list, is := strings.Cut(text[from:], "(")
	if !is || !strings.HasPrefix(name, "assert") {
		return true
	}
	arguments := topLevel(untilClosed(list))
	return len(arguments) > 2 && strings.HasPrefix(arguments[len(arguments)-1], number)
}

// largest is the largest number that stands in text for itself.
func largest(text string) float64 {
	most := 0.0
	for _, s := range numeral.FindAllString(withoutStrings(text), -1) {
		if n, is := amountOf(s); is {
			most = max(most, n)
		}
	}
	return most
}
