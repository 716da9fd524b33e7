package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

const missedHint = "write it like '### Phase 1: Name', on the level of the others, if it is a phase"

// missedKinds are the words that a phase begins with which was meant and not read. The others of phaseKinds often group
// phases, or date them.
var missedKinds = []string{"phase", "step", "stage"}

// numberWords are what people write instead of a number.
var numberWords = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// warnMissed names what looks like a phase but was not read as such: of a section that lists phases, none is left out
// without a word.
func (d *document) warnMissed(w *problems, s stretch, found []entry) {
	read, names := passed(found), taken{found: found}
	for i := s.from; i < s.to; i++ {
		b := d.blocks[i]
		if h := b.heading(); h != nil && !read.at(b.start) {
			if text := d.plain(h); missedHeading(text, h.Level == found[0].level, &names) {
				w.add(d.line(b.start), missedHint, "the heading %q is not read as a phase", text)
			}
		} else if h == nil && found[0].level == 0 {
			d.warnMissedLabels(w, i, &read, &names)
		}
	}
	d.warnOutside(w, s, &names)
	d.warnGaps(w, found)
}

// passed are the phases from some place of the document on, while one goes through it; they are in its order.
type passed []entry

// at says whether a phase starts at an offset, which is not before the last one that was asked for.
func (p *passed) at(start int) bool {
	for len(*p) > 0 && (*p)[0].start < start {
		*p = (*p)[1:]
	}
	return len(*p) > 0 && (*p)[0].start == start
}

// missedHeading says whether a heading was meant as a phase. Deeper ones are part of a phase's text, where steps are
// common; so only on the phases' own level (beside) do other words than "phase" count, and words for a number.
func missedHeading(text string, beside bool, names *taken) bool {
	kind, signs, rest := cutKind(text)
	switch {
	case kind == "" || kind != phaseKinds[0] && !beside:
		return false
	case kind != phaseKinds[0] && !names.kind(kind):
		return names.next(numberAt(rest)) // else a remark beside the phases
	case numberAt(rest) >= 0:
		return true
	}
	return beside && namedWithout(signs, rest)
}

// taken is what the phases are called. It is put together when it is first asked for: most specs leave nothing out.
type taken struct {
	found   []entry
	kinds   map[string]bool
	ids     map[string]bool
	numbers map[int]bool
}

func (t *taken) index() {
	if t.ids != nil {
		return
	}
	t.kinds, t.ids, t.numbers = map[string]bool{}, map[string]bool{}, map[int]bool{}
	for _, e := range t.found {
		t.kinds[e.kind], t.ids[strings.ToLower(e.number)] = true, true
		if from, to, ok := numbersOf(e.number); ok {
			t.numbers[from], t.numbers[to] = true, true
		}
	}
}

func (t *taken) kind(kind string) bool { t.index(); return t.kinds[kind] }

func (t *taken) id(id string) bool { t.index(); return t.ids[strings.ToLower(id)] }

// next says whether a number goes on from that of a phase, and no phase has it.
func (t *taken) next(n int) bool { t.index(); return t.numbers[n-1] && !t.numbers[n] }

// warnMissedLabels names the bold starts of lines, and of items, that were meant as phases; an overview of those that were
// read is none.
func (d *document) warnMissedLabels(w *problems, i int, read *passed, names *taken) {
	missed := func(l lead, start int) {
		kind, signs, rest := cutKind(l.text)
		if known, ok := parseLabel(l.text, phaseKinds[:1]); ok && names.id(known.id) {
			return
		}
		if kind == phaseKinds[0] && (numberAt(rest) >= 0 || namedWithout(signs, rest)) {
			w.add(d.line(start), "write it like '**Phase 1: Name**', if it is a phase", "the label %q is not read as a phase", l.text)
		}
	}
	if _, ok := d.blocks[i].Node.(*ast.Paragraph); ok {
		for _, l := range d.leads(d.blocks[i]) {
			if !read.at(l.start) {
				missed(l, l.start)
			}
		}
	}
	for _, it := range d.items(i) {
		if it.text == nil || read.at(it.start) {
			continue
		}
		if l, bold := d.leadOf(it.text); bold {
			missed(l, it.start)
		}
	}
}

// cutKind splits the word for a phase off a text, and the signs behind it that no label has; kind is empty where there is
// no such word.
func cutKind(text string) (kind, signs, rest string) {
	text = undecorate(text)
	for _, kind := range missedKinds {
		if len(text) <= len(kind) || !strings.EqualFold(text[:len(kind)], kind) {
			continue
		}
		rest = strings.TrimLeftFunc(text[len(kind):], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if signs = text[len(kind) : len(text)-len(rest)]; signs == "" && !startsWithDigit(rest) {
			return "", "", "" // "phases", "stepwise"
		}
		return kind, strings.TrimSpace(signs), rest
	}
	return "", "", ""
}

func startsWithDigit(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsDigit(r)
}

// firstWord splits the letters off the start of a text.
func firstWord(text string) (word, rest string) {
	rest = strings.TrimLeftFunc(text, unicode.IsLetter)
	return text[:len(text)-len(rest)], rest
}

// numberAt is the number that a text starts with, in digits or as a word; -1 where it starts with none.
func numberAt(text string) int {
	if n, _, ok := numbersOf(text); ok {
		return n
	}
	word, _ := firstWord(text)
	if i := slices.Index(numberWords, strings.ToLower(word)); i >= 0 {
		return i + 1
	}
	return -1
}

// namedWithout says whether a name is set off where the number belongs: by the signs themselves, or behind another word.
func namedWithout(signs, rest string) bool {
	if signs != "" {
		return rest != "" && separator.MatchString(signs)
	}
	_, name := firstWord(rest)
	mark := separator.FindString(name)
	return mark != "" && trimName(name[len(mark):]) != ""
}

// warnOutside names the phases that lie outside of the section, unless the section has a phase of their number: then they
// say more about that one. A document's first heading is its title.
func (d *document) warnOutside(w *problems, s stretch, names *taken) {
	title := true
	for i, b := range d.blocks {
		h := b.heading()
		if h == nil || s.from <= i && i < s.to {
			continue
		}
		if title && h.Level == 1 {
			title = false
			continue
		}
		title = false
		l, ok := parseLabel(d.plain(h), phaseKinds[:1])
		if ok && l.name != "" && startsWithDigit(l.id) && !names.id(l.id) {
			w.add(d.line(b.start), "move it there, one level deeper than the section's heading, if it is a phase",
				"the heading %q lies outside of the section %q and is not read as a phase", d.plain(h), s.name)
		}
	}
}

// warnGaps names the numbers that are left out between those of the phases: often those of phases that were not read.
func (d *document) warnGaps(w *problems, found []entry) {
	type numbers struct{ from, to, start int }
	all := make([]numbers, 0, len(found))
	for _, e := range found {
		from, to, ok := numbersOf(e.number)
		if !ok {
			return // letters and roman numbers
		}
		all = append(all, numbers{from, to, e.start})
	}
	slices.SortFunc(all, func(a, b numbers) int { return cmp.Compare(a.from, b.from) })
	last := all[0].to
	for _, t := range all {
		if t.from > last+1 {
			w.add(d.line(t.start), "number the phases one after the other, and see whether one was not read",
				"no phase has the %s", ranged(last+1, t.from-1))
		}
		last = max(last, t.to)
	}
}

// numbersOf are the first and the last number that a phase's stands for: 2 and 2 of "2a" and "2.1", 6 and 7 of "6-7".
func numbersOf(id string) (from, to int, ok bool) {
	from, rest, ok := cutNumber(id)
	if mark := strings.TrimLeft(rest, "-–"); len(mark) < len(rest) {
		if to, _, isRange := cutNumber(mark); isRange {
			return from, to, ok && from <= to
		}
	}
	return from, from, ok
}

// cutNumber splits the digits off the start of a text.
func cutNumber(text string) (n int, rest string, ok bool) {
	rest = strings.TrimLeft(text, "0123456789")
	n, err := strconv.Atoi(text[:len(text)-len(rest)])
	return n, rest, err == nil
}

func ranged(first, last int) string {
	if first == last {
		return "number " + strconv.Itoa(first)
	}
	return "numbers " + strconv.Itoa(first) + " to " + strconv.Itoa(last)
}
