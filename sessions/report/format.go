package report

import (
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

const dot = " · "

// count writes how many of something there are: 1 task, 1,200 tasks.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return view.Grouped(n) + " " + many
}

// tokens are those that agents were sent and wrote.
func tokens(u machine.Usage) int { return u.InputTokens + u.OutputTokens }

// lines writes how many lines were added and removed: +1,204 −188.
func lines(added, removed int) string {
	return "+" + view.Grouped(added) + " −" + view.Grouped(removed)
}

// String is what commits changed: 13 commits, 27 files +1,204 −188.
func (c change) String() string {
	text := count(c.commits, "commit", "commits")
	if c.files > 0 {
		text += ", " + count(c.files, "file", "files") + " " + lines(c.added, c.removed)
	}
	return text
}

// sign is a mark as a character.
func sign(m view.Mark) string {
	switch m {
	case view.Passed:
		return "✓"
	case view.Broken:
		return "✗"
	case view.Skipped:
		return "-"
	case view.Asking:
		return "?"
	}
	return "!"
}

// placeOf is where a finding is; "" where it says none.
func placeOf(f machine.Finding) string {
	if f.File != "" && f.Line > 0 {
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return f.File
}

// person is who decided, for people.
func person(by string) string {
	if by == "human" {
		return "you"
	}
	return strings.ReplaceAll(by, "human", "you")
}
