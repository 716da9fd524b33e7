package machine

import (
	"fmt"
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
}

// String is the finding in one line: severity, place, title.
func (f Finding) String() string {
	place := f.File
	if place != "" && f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if place != "" {
		place += ": "
	}
	return f.Severity + ": " + place + f.Title
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

// blocking picks the findings that block: critical ones, at thorough also important ones.
func blocking(findings []Finding, rigor Rigor) []Finding {
	var bad []Finding
	for _, f := range findings {
		if f.Severity == Critical || (f.Severity == Important && rigor == Thorough) {
			bad = append(bad, f)
		}
	}
	return bad
}

// Blocking picks the findings that block at this rigor (DESIGN: critical; at thorough also important).
func Blocking(findings []Finding, rigor Rigor) []Finding { return blocking(findings, rigor) }

func titles(findings []Finding) string {
	names := make([]string, len(findings))
	for i, f := range findings {
		names[i] = f.Title
	}
	return strings.Join(names, "; ")
}

func describe(findings []Finding) string { return strings.Join(describeAll(findings), "\n") }

func describeAll(findings []Finding) []string {
	lines := make([]string, len(findings))
	for i, f := range findings {
		lines[i] = f.String()
		if f.Rationale != "" {
			lines[i] += " (" + f.Rationale + ")"
		}
	}
	return lines
}
