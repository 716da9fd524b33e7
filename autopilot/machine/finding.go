package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The severities of a finding.
const (
	Critical   = "critical"
	Important  = "important"
	Suggestion = "suggestion"
)

// Finding is something wrong, or worth saying, with its place.
type Finding struct {
	Severity  string `json:"severity"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Title     string `json:"title"`
	Rationale string `json:"rationale,omitempty"`
	Source    string `json:"source,omitempty"`  // check, integrity, verifier, reviewer, criterion
	Command   string `json:"command,omitempty"` // of a check that failed: what a fix has to make pass
	Dir       string `json:"dir,omitempty"`     // where that command runs, below the root
	// Overridden says that a human went on in spite of it: it stays in the record, and does not block again by itself.
	Overridden bool `json:"overridden,omitempty"`
	// Warning says that a check of the user's own asked to be heard, no more: it is important, and blocks at no rigor.
	Warning bool `json:"warning,omitempty"`
	// Unproven says that old tests fail on the new code. That blocks a phase, but spends no attempt of a task.
	Unproven bool `json:"unproven,omitempty"`
	// Outside says that it is about the user's own files, outside of the repository: it stays open until a person dismisses it,
	// blocks at no rigor, and no persona is asked about it.
	Outside bool `json:"outside,omitempty"`
}

// String is the finding in one line: severity or that it is a warning, place, title, and whether a human overrode it.
func (f Finding) String() string {
	place := f.File
	if place != "" && f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if place != "" {
		place += ": "
	}
	severity := f.Severity
	if f.Warning {
		severity = "warning"
	}
	line := severity + ": " + place + f.Title
	if f.Overridden {
		line += " (overridden by a human)"
	}
	return line
}

// FindingCount counts findings by severity.
type FindingCount struct {
	Critical   int `json:"critical"`
	Important  int `json:"important"`
	Suggestion int `json:"suggestion"`
}

// Count counts findings by severity.
func Count(findings []Finding) FindingCount {
	var n FindingCount
	for _, f := range findings {
		switch f.Severity {
		case Critical:
			n.Critical++
		case Important:
			n.Important++
		default:
			n.Suggestion++
		}
	}
	return n
}

// Blocks says whether a finding blocks: a critical one, at thorough also an important one, unless it is a warning, about the
// user's own files, or a human went on in spite of it.
func (f Finding) Blocks(rigor Rigor) bool {
	return !f.Overridden && !f.Warning && !f.Outside && (f.Severity == Critical || (f.Severity == Important && rigor == Thorough))
}

// Blocking picks the findings that block at this rigor (DESIGN: critical; at thorough also important), warnings aside and
// those that a human went on in spite of.
func Blocking(findings []Finding, rigor Rigor) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return !f.Blocks(rigor) })
}

// Titles names findings in one line.
func Titles(findings []Finding) string {
	names := make([]string, len(findings))
	for i, f := range findings {
		names[i] = f.Title
	}
	return strings.Join(names, "; ")
}

// Describe gives each finding in a line, with its rationale.
func Describe(findings []Finding) []string {
	lines := make([]string, len(findings))
	for i, f := range findings {
		lines[i] = f.String()
		if f.Rationale != "" {
			lines[i] += " (" + f.Rationale + ")"
		}
	}
	return lines
}

// Plural counts things in words for people: "1 task", "2 tasks".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
