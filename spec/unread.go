package spec

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/spec/markdown"
)

const (
	notRead = "%q looks like a phase but isn't read as one"
	oneForm = "write all phases the same way: '### Phase 1: Name'"
)

// unread looks for what a person would take for a phase and that is not read as one.
type unread struct {
	*markdown.Document
	phases  *phaseReader
	section markdown.BlockRange
	found   []markdown.Entry
	names   *taken
	// rivals are labels with another word beside those that were read.
	rivals []sign
	all    markdown.Problems
}

// of names what looks like a phase and is not read as one: a phase's word with a number that no phase has, wherever it
// stands in the section; what is written as the phases are, with another word or without a number; and phases that lie
// outside of the section. It also names phases that were read and that a person would not take for some.
func (u *unread) of() []markdown.Problem {
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
	return u.all.Sorted()
}

// at is the phase that starts on a line.
func (u *unread) at(line int) (int, bool) {
	return slices.BinarySearchFunc(u.found, line, func(e markdown.Entry, line int) int { return u.Line(e.Start) - line })
}

// inBody says whether an offset lies inside of a phase.
func (u *unread) inBody(offset int) bool {
	i, at := u.at(u.Line(offset))
	return !at && i > 0 && offset < u.found[i-1].End
}

func (u *unread) inside(block int) bool { return u.section.From <= block && block < u.section.To }

// left says whether a sign was meant as a phase. In the text of a phase only its own word counts: steps are common there.
func (u *unread) left(g sign) bool {
	first := u.found[0]
	same, own := g.place == first.Place && g.level == first.Level, u.names.kinds[g.kind]
	switch {
	case g.level == 1 && g.block == u.firstHeading():
		return false // the document's title
	case !u.inside(g.block):
		return own && u.leftOutside(g, same)
	case !own && g.kind == markdown.PhaseKinds[0] && g.off && !u.inBody(g.start):
		return true
	case !own:
		if g.place == first.Place && g.off && !g.near && g.id != "" {
			u.rivals = append(u.rivals, g)
		}
		return same && g.place != markdown.AtParagraph && g.off && u.names.next(g.id)
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
	if g.place == markdown.AtHeading && g.kind == markdown.PhaseKinds[0] {
		return startsWithDigit(g.id) == startsWithDigit(u.found[0].Number)
	}
	return same && u.names.next(g.id)
}

func (u *unread) firstHeading() int {
	if len(u.Blocks) > 0 && u.Blocks[0].Heading() == nil {
		return u.Blocks[0].NextHeading
	}
	return 0
}

// say adds a problem. What is no phase is said to be none by a comment; behind the last bar of a row it would not be read.
func (u *unread) say(line int, where markdown.Place, hint, format string, args ...any) {
	how := "end its line with"
	if where == markdown.AtRow {
		how = "end its last cell with"
	}
	u.all.Add(line, hint+"; if it isn't a phase, "+how+" <!-- "+markdown.NotAPhase+" -->", format, args...)
}

// name says that a sign is not read.
func (u *unread) name(g sign) {
	switch {
	case u.inside(g.block):
		u.say(g.line, g.place, "write it like the other phases"+u.example(g), notRead, g.text)
	case g.block < u.section.From:
		u.say(g.line, g.place, "move it below that heading, one level deeper", "%q isn't read as a phase: it is above the section %q", g.text, u.section.Name)
	default:
		end := u.Blocks[u.section.To]
		u.say(g.line, g.place, fmt.Sprintf("make headings inside a phase deeper than the phases: '%s %s'", strings.Repeat("#", u.deeper()), u.Plain(end)),
			"%q isn't read as a phase: the heading %q on line %d ends the section %q", g.text, u.Plain(end), u.Line(end.Start), u.section.Name)
	}
}

// deeper is a level that ends neither the section nor a phase.
func (u *unread) deeper() int {
	level := u.found[0].Level
	if level == 0 {
		level = u.Blocks[u.section.From-1].Heading().Level
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
	case first.Level > 0:
		return fmt.Sprintf(": '%s %s'", strings.Repeat("#", first.Level), label)
	case first.Kind != "":
		return fmt.Sprintf(": '**%s**'", label)
	}
	return ""
}

// doubtFirst names the heading that stands between the section's and the first phase, where only the word phase would say
// that phases are meant below it: a list there, or steps, are mostly parts of what the heading names. So are tasks behind a
// list or a table.
func (u *unread) doubtFirst() {
	first, above := u.found[0], -1
	for i := u.section.From; i < u.section.To; i++ {
		h := u.Blocks[i].Heading()
		if h == nil || u.phases.notPhase[u.Line(u.Blocks[i].Start)] {
			continue
		}
		if before := u.Blocks[i].Start < first.Start; before && (first.Level == 0 || h.Level < first.Level) {
			above = i
		} else if _, isTask := markdown.ParseLabel(u.Plain(h), markdown.TaskKinds); isTask && above < 0 && first.Kind == "" {
			above = i
		}
	}
	saysPhase := first.Kind == markdown.PhaseKinds[0] || strings.Contains(strings.ToLower(first.Prefix), markdown.PhaseKinds[0])
	if above < 0 || saysPhase || isSection(markdown.Title(u.Plain(u.Blocks[above]))) {
		return
	}
	text := u.Plain(u.Blocks[above])
	name := markdown.Undecorate(text)
	if l, ok := markdown.ParseLabel(text, markdown.TaskKinds); ok {
		name = l.Name
	}
	u.say(u.Line(u.Blocks[above].Start), markdown.AtHeading, fmt.Sprintf("write '%s Phase 1: %s', and each phase like it", strings.Repeat("#", u.Blocks[above].Heading().Level), name),
		"%q on line %d is read as a phase, but the heading %q isn't", first.PhaseName(), u.Line(first.Start), text)
}

// doubtRivals names labels with another word in the same list, where they come first and come again: the phases then stand
// inside of them, or beside.
func (u *unread) doubtRivals() {
	first := u.found[0]
	if first.Place == markdown.AtHeading || len(u.rivals) < 2 || u.rivals[0].start > first.Start {
		return
	}
	g := u.rivals[0]
	u.say(g.line, g.place, oneForm, "%q on line %d is read as a phase, but %q isn't", first.PhaseName(), u.Line(first.Start), g.text)
}

// doubtWords names the phases that were read and are crossed out, and sentences that only begin with a label.
func (u *unread) doubtWords() {
	for _, e := range u.found {
		before, _, _ := strings.Cut(strings.ToLower(string(u.Src[e.Start:u.LineEnd(e.Start)])), e.Kind)
		switch {
		case strings.HasPrefix(e.Name, "~~") || strings.Contains(before, "~~"):
			u.say(u.Line(e.Start), e.Place, "delete it, or remove the ~~", "%q is struck out but read as a phase", strings.ReplaceAll(e.PhaseName(), "~~", ""))
		case e.Sentence:
			u.say(u.Line(e.Start), e.Place, fmt.Sprintf("write '**Phase %s: Name**'", e.Number), "the sentence %q is read as a phase", e.Name)
		}
	}
}

// weaker names the items and rows that would have been phases in a weaker form: all of them where labels outrank them
// that do not say phase; else rows with other numbers, and items that the phases go on counting from, or that do so behind
// the section.
func (u *unread) weaker() {
	first := u.found[0]
	outranked := first.Place != markdown.AtHeading && first.Kind != "" && first.Kind != markdown.PhaseKinds[0]
	where := u.section
	if first.Kind == "" {
		where.To = len(u.Blocks)
	}
	others := u.phases.orderedPhases(where)
	if first.Place == markdown.AtRow || first.Kind != "" && !outranked && !leadsTo(others, first) {
		others = nil
	}
	if first.Place != markdown.AtRow {
		others = append(others, u.phases.tablePhases(u.section)...)
	}
	for _, e := range others {
		if _, read := u.at(u.Line(e.Start)); !read && !u.inBody(e.Start) && (outranked || !u.names.among(e.Number)) {
			u.say(u.Line(e.Start), e.Place, oneForm, notRead, e.Name)
		}
	}
}

// leadsTo says whether a phase goes on counting from a list before it.
func leadsTo(list []markdown.Entry, first markdown.Entry) bool {
	low, _, ok := numbersOf(first.Number)
	if !ok || len(list) == 0 || list[0].Start > first.Start {
		return false
	}
	from, _, _ := numbersOf(list[0].Number)
	to, _, _ := numbersOf(list[len(list)-1].Number)
	return from < low && low <= to+1
}
