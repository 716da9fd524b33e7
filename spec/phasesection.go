package spec

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/spec/markdown"
)

const (
	sectionHint = "add a heading '## Implementation Order' with a '### Phase 1: Name' for each phase below it"
	phaseHint   = "write '### Phase 1: Name' below it for each phase"
)

// mainTitle is the heading that a spec should use. The others stand in for it, in
// this order, when it is absent.
const mainTitle = "implementation order"

var otherTitles = []string{"implementation phases", "implementation plan", "phases"}

// findPhases reads the phases of the section that lists them.
func (d *phaseReader) findPhases() ([]markdown.Entry, markdown.BlockRange, error) {
	if sections := d.Titled(mainTitle); len(sections) > 0 {
		return d.phasesOf(sections)
	}
	var refused error
	for _, want := range otherTitles {
		sections := d.Titled(want)
		if len(sections) == 0 {
			continue
		}
		found, where, err := d.phasesOf(sections)
		if err == nil {
			return found, where, nil
		}
		if refused == nil {
			refused = err
		}
	}
	if refused != nil {
		return nil, markdown.BlockRange{}, refused
	}
	whole := markdown.BlockRange{To: len(d.Blocks), Line: 1}
	if found := d.topLevelPhases(whole); len(found) > 0 {
		return found, whole, nil
	}
	return nil, markdown.BlockRange{}, d.noSection()
}

// phasesOf reads the phases of the one section; two of a name are refused, since
// nobody can say which one is meant.
func (d *phaseReader) phasesOf(sections []markdown.BlockRange) ([]markdown.Entry, markdown.BlockRange, error) {
	section := sections[0]
	if len(sections) > 1 {
		return nil, section, markdown.Refuse(sections[1].Line, "keep one of them and rename the other",
			"there are two sections %q, on lines %d and %d", section.Name, section.Line, sections[1].Line)
	}
	found := d.entries(section)
	if len(found) == 0 {
		return nil, section, markdown.Refuse(section.Line, phaseHint, "the section %q lists no phases", section.Name)
	}
	return found, section, nil
}

// noSection says that no section was found, and what was there instead.
func (d *phaseReader) noSection() error {
	for i := range d.Blocks {
		if e, ok := d.HeadingEntry(i, markdown.TaskKinds); ok && e.Level > 1 {
			return markdown.Refuse(d.Line(e.Start), "if this is a plan, begin its title with '# Plan:'; in a spec, add a heading '## Implementation Order' and write '### Phase 1: Name' below it",
				"%q is a task, and no section lists the phases", d.Plain(d.Blocks[i]))
		}
	}
	var headings []string
	for _, b := range d.Blocks {
		h := b.Heading()
		if h == nil {
			continue
		}
		text := d.Plain(h)
		if mentions(text) {
			return markdown.Refuse(d.Line(b.Start), "rename it to 'Implementation Order', or add a section of that name",
				"the heading %q only mentions the words of the section that lists the phases", text)
		}
		headings = append(headings, fmt.Sprintf("%q", text))
	}
	return markdown.Refuse(1, sectionHint, "no section lists the phases; headings found: %s", listed(headings))
}

// mentions says whether a heading speaks of the section without being it.
func mentions(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, mainTitle) || strings.Contains(text, otherTitles[0]) || strings.Contains(text, otherTitles[1])
}

// listed joins names for a message and says how many it left out.
func listed(names []string) string {
	const most = 20
	if len(names) == 0 {
		return "none"
	}
	if extra := len(names) - most; extra > 0 {
		names = append(names[:most:most], fmt.Sprintf("and %d more", extra))
	}
	return strings.Join(names, ", ")
}

func isSection(title string) bool { return title == mainTitle || slices.Contains(otherTitles, title) }
