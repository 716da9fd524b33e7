package spec

import (
	"fmt"
	"slices"
	"strings"
)

const (
	notRead = "%q looks like a phase but isn't read as one"
	oneForm = "write all phases the same way: '### Phase 1: Name'"
)

// unread looks for what a person would take for a phase and that is not read as one.
type unread struct {
	*document
	phases  *phaseReader
	section blockRange
	found   []entry
	names   *taken
	// rivals are labels with another word beside those that were read.
	rivals []sign
	all    problems
}

// of names what looks like a phase and is not read as one: a phase's word with a number that no phase has, wherever it
// stands in the section; what is written as the phases are, with another word or without a number; and phases that lie
// outside of the section. It also names phases that were read and that a person would not take for some.
func (u *unread) of() []Problem {
	signs := u.signs()
	for _, g := range signs {
		if u.phases.notPhase[g.line] && u.names.kinds[g.kind] {
			u.names.take(g.id)
		}
	}
	for _, g := range signs {
		if _, read := u.at(g.line); !read && !u.phases.notPhase[g.line] && u.left(g) {
			u.name(g)
		}
	}
	u.doubtFirst()
	u.doubtRivals()
	u.doubtWords()
	u.weaker()
	return u.all.sorted()
}

// at is the phase that starts on a line.
func (u *unread) at(line int) (int, bool) {
	return slices.BinarySearchFunc(u.found, line, func(e entry, line int) int { return u.line(e.start) - line })
}

// inBody says whether an offset lies inside of a phase.
func (u *unread) inBody(offset int) bool {
	i, at := u.at(u.line(offset))
	return !at && i > 0 && offset < u.found[i-1].end
}

func (u *unread) inside(block int) bool { return u.section.from <= block && block < u.section.to }

// left says whether a sign was meant as a phase. In the text of a phase only its own word counts: steps are common there.
func (u *unread) left(g sign) bool {
	first := u.found[0]
	same, own := g.place == first.place && g.level == first.level, u.names.kinds[g.kind]
	switch {
	case g.level == 1 && g.block == u.firstHeading():
		return false // the document's title
	case !u.inside(g.block):
		return own && u.leftOutside(g, same)
	case !own && g.kind == phaseKinds[0] && g.off && !u.inBody(g.start):
		return true
	case !own:
		if g.place == first.place && g.off && !g.near && g.id != "" {
			u.rivals = append(u.rivals, g)
		}
		return same && g.place != atParagraph && g.off && u.names.next(g.id)
	case g.id == "" || u.names.among(g.id):
		return same && g.near
	}
	return same || g.off
}

// leftOutside is left for what lies outside of the section, where other lists of phases are common.
func (u *unread) leftOutside(g sign, same bool) bool {
	if g.id == "" || g.name == "" || !g.off || g.near || u.names.among(g.id) {
		return false
	}
	if g.place == atHeading && g.kind == phaseKinds[0] {
		return startsWithDigit(g.id) == startsWithDigit(u.found[0].number)
	}
	return same && u.names.next(g.id)
}

func (u *unread) firstHeading() int {
	if len(u.blocks) > 0 && u.blocks[0].heading() == nil {
		return u.blocks[0].nextHeading
	}
	return 0
}

// say adds a problem. What is no phase is said to be none by a comment; behind the last bar of a row it would not be read.
func (u *unread) say(line int, where place, hint, format string, args ...any) {
	how := "end its line with"
	if where == atRow {
		how = "end its last cell with"
	}
	u.all.add(line, hint+"; if it isn't a phase, "+how+" <!-- "+notAPhase+" -->", format, args...)
}

// name says that a sign is not read.
func (u *unread) name(g sign) {
	switch {
	case u.inside(g.block):
		u.say(g.line, g.place, "write it like the other phases"+u.example(g), notRead, g.text)
	case g.block < u.section.from:
		u.say(g.line, g.place, "move it below that heading, one level deeper", "%q isn't read as a phase: it is above the section %q", g.text, u.section.name)
	default:
		end := u.blocks[u.section.to]
		u.say(g.line, g.place, fmt.Sprintf("make headings inside a phase deeper than the phases: '%s %s'", strings.Repeat("#", u.deeper()), u.plain(end)),
			"%q isn't read as a phase: the heading %q on line %d ends the section %q", g.text, u.plain(end), u.line(end.start), u.section.name)
	}
}

// deeper is a level that ends neither the section nor a phase.
func (u *unread) deeper() int {
	level := u.found[0].level
	if level == 0 {
		level = u.blocks[u.section.from-1].heading().Level
	}
	return min(level+1, 6)
}

// example shows how the phases are written that were read with a label.
func (u *unread) example(g sign) string {
	first, label := u.found[0], "Phase N: Name"
	if g.id != "" && !u.names.among(g.id) && g.name != "" {
		label = fmt.Sprintf("Phase %s: %s", g.id, g.name)
	}
	switch {
	case first.level > 0:
		return fmt.Sprintf(": '%s %s'", strings.Repeat("#", first.level), label)
	case first.kind != "":
		return fmt.Sprintf(": '**%s**'", label)
	}
	return ""
}

// doubtFirst names the heading that stands between the section's and the first phase, where only the word phase would say
// that phases are meant below it: a list there, or steps, are mostly parts of what the heading names. So are tasks behind a
// list or a table.
func (u *unread) doubtFirst() {
	first, above := u.found[0], -1
	for i := u.section.from; i < u.section.to; i++ {
		h := u.blocks[i].heading()
		if h == nil || u.phases.notPhase[u.line(u.blocks[i].start)] {
			continue
		}
		if before := u.blocks[i].start < first.start; before && (first.level == 0 || h.Level < first.level) {
			above = i
		} else if _, isTask := parseLabel(u.plain(h), taskKinds); isTask && above < 0 && first.kind == "" {
			above = i
		}
	}
	saysPhase := first.kind == phaseKinds[0] || strings.Contains(strings.ToLower(first.prefix), phaseKinds[0])
	if above < 0 || saysPhase || isSection(title(u.plain(u.blocks[above]))) {
		return
	}
	text := u.plain(u.blocks[above])
	name := undecorate(text)
	if l, ok := parseLabel(text, taskKinds); ok {
		name = l.name
	}
	u.say(u.line(u.blocks[above].start), atHeading, fmt.Sprintf("write '%s Phase 1: %s', and each phase like it", strings.Repeat("#", u.blocks[above].heading().Level), name),
		"%q on line %d is read as a phase, but the heading %q isn't", first.phaseName(), u.line(first.start), text)
}

// doubtRivals names labels with another word in the same list, where they come first and come again: the phases then stand
// inside of them, or beside.
func (u *unread) doubtRivals() {
	first := u.found[0]
	if first.place == atHeading || len(u.rivals) < 2 || u.rivals[0].start > first.start {
		return
	}
	g := u.rivals[0]
	u.say(g.line, g.place, oneForm, "%q on line %d is read as a phase, but %q isn't", first.phaseName(), u.line(first.start), g.text)
}

// doubtWords names the phases that were read and are crossed out, and sentences that only begin with a label.
func (u *unread) doubtWords() {
	for _, e := range u.found {
		before, _, _ := strings.Cut(strings.ToLower(string(u.src[e.start:u.lineEnd(e.start)])), e.kind)
		switch {
		case strings.HasPrefix(e.name, "~~") || strings.Contains(before, "~~"):
			u.say(u.line(e.start), e.place, "delete it, or remove the ~~", "%q is struck out but read as a phase", strings.ReplaceAll(e.phaseName(), "~~", ""))
		case e.sentence:
			u.say(u.line(e.start), e.place, fmt.Sprintf("write '**Phase %s: Name**'", e.number), "the sentence %q is read as a phase", e.name)
		}
	}
}

// weaker names the items and rows that would have been phases in a weaker form: all of them where labels outrank them
// that do not say phase; else rows with other numbers, and items that the phases go on counting from, or that do so behind
// the section.
func (u *unread) weaker() {
	first := u.found[0]
	outranked := first.place != atHeading && first.kind != "" && first.kind != phaseKinds[0]
	where := u.section
	if first.kind == "" {
		where.to = len(u.blocks)
	}
	others := u.phases.orderedPhases(where)
	if first.place == atRow || first.kind != "" && !outranked && !leadsTo(others, first) {
		others = nil
	}
	if first.place != atRow {
		others = append(others, u.phases.tablePhases(u.section)...)
	}
	for _, e := range others {
		if _, read := u.at(u.line(e.start)); !read && !u.inBody(e.start) && (outranked || !u.names.among(e.number)) {
			u.say(u.line(e.start), e.place, oneForm, notRead, e.name)
		}
	}
}

// leadsTo says whether a phase goes on counting from a list before it.
func leadsTo(list []entry, first entry) bool {
	low, _, ok := numbersOf(first.number)
	if !ok || len(list) == 0 || list[0].start > first.start {
		return false
	}
	from, _, _ := numbersOf(list[0].number)
	to, _, _ := numbersOf(list[len(list)-1].number)
	return from < low && low <= to+1
}
