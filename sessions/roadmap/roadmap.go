package roadmap

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"
)

// RoadmapPath is where a repository keeps its roadmap, relative, with slashes.
const RoadmapPath = "docs/roadmap.md"

// maxRoadmap is the size above which a file is taken for something else, in bytes.
const maxRoadmap = 5 << 20

// RoadmapStatus is how far a feature is. A feature's status only ever goes up.
type RoadmapStatus int

// The statuses that the program tells apart. Blocked is a human's word about a feature that is under way; it gives way
// to Done only. Dropped is a human's too, and final.
const (
	Planned RoadmapStatus = iota + 1
	InProgress
	Blocked
	Finished
	Dropped
)

// Roadmap is the text of a roadmap with the features found in it. Two forms are read: headings with lists of fields
// (`- **Status:** planned`, `- **Spec:** docs/x.md`), and tables with the columns Spec and Status. All else is prose,
// and kept byte for byte.
type Roadmap struct {
	text   []byte
	rows   []RoadmapRow
	synced span // the value of last_synced in the front matter
}

// RoadmapRow is one feature.
type RoadmapRow struct {
	Line   int // of the row, or of the status
	Name   string
	Status string // as written
	Issue  string // "#12" or "owner/repo#12"; "" where the row names none, or several

	specs   []specRef
	status  statusText
	at      span   // of the status in the text
	table   bool   // it is a table's row, not a list
	room    int    // blanks behind the status, in a table that keeps its bars in line; -1 elsewhere
	problem string // why the status cannot be changed
}

// span is a piece of the text, by bytes.
type span struct{ from, to int }

// RoadmapChange is a status that was raised.
type RoadmapChange struct {
	Line     int    `json:"line"`
	Name     string `json:"name"`
	From, To string // as written
}

// RoadmapError says why a roadmap, or a feature in it, cannot be used. Line is 0 where it is about the whole file.
type RoadmapError struct {
	Line int
	Why  string
}

func (e *RoadmapError) Error() string {
	if e.Line == 0 {
		return e.Why
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Why)
}

// ParseRoadmap reads a roadmap. It is a *RoadmapError where the file is no text, or would take too long to read.
func ParseRoadmap(text []byte) (*Roadmap, error) {
	switch {
	case len(text) > maxRoadmap:
		return nil, &RoadmapError{Why: "it is larger than 5 MB"}
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return nil, &RoadmapError{Why: "it is not text in UTF-8"}
	}
	return readRoadmap(text)
}

// Rows are the features that name the spec, a path relative to the repository.
func (r *Roadmap) Rows(spec string) []RoadmapRow {
	var rows []RoadmapRow
	for _, row := range r.rows {
		if slices.ContainsFunc(row.specs, func(s specRef) bool { return s.names(spec) }) {
			rows = append(rows, row)
		}
	}
	return rows
}

// Issue is the issue of the spec's feature, as a pull request can close it: "#12" or "owner/repo#12". It is "" where
// none is named, or several are.
func (r *Roadmap) Issue(spec string) string {
	issue := ""
	for _, row := range r.Rows(spec) {
		if row.Issue == "" || row.Issue == issue {
			continue
		}
		if issue != "" {
			return ""
		}
		issue = row.Issue
	}
	return issue
}

// Raise gives the text with the features of some specs raised to what those specs reached, and what changed. A feature
// of several specs is done once all of them are. A status is never lowered. For specs, in their order, whose features
// are missing or cannot be read there is an error each, and their features stay as they are. With no change the text
// is the old one, byte for byte; else the date of the last sync in the front matter is set to now.
func (r *Roadmap) Raise(reached map[string]RoadmapStatus, now time.Time) ([]byte, []RoadmapChange, []error) {
	var changes []RoadmapChange
	var edits []edit
	problems := r.problems(reached)
	for _, row := range r.rows {
		to := row.reached(reached)
		if row.problem != "" || to == 0 || row.status.rank >= to || (row.status.rank == Blocked && to != Finished) {
			continue
		}
		value := r.worded(row, to)
		edits = append(edits, row.replaced(value))
		changes = append(changes, RoadmapChange{Line: row.Line, Name: row.Name, From: row.Status, To: value})
	}
	if len(edits) == 0 {
		return r.text, nil, problems
	}
	if stamp, ok := r.stamp(now); ok {
		edits = append(edits, edit{r.synced, stamp})
	}
	return edited(r.text, edits), changes, problems
}

// problems are the specs that have no feature which can be used.
func (r *Roadmap) problems(reached map[string]RoadmapStatus) []error {
	var all []error
	for _, spec := range slices.Sorted(maps.Keys(reached)) {
		rows := r.Rows(spec)
		switch i := slices.IndexFunc(rows, func(row RoadmapRow) bool { return row.problem == "" }); {
		case len(rows) == 0:
			all = append(all, &RoadmapError{Why: "no feature names " + spec + " as its spec"})
		case i < 0:
			all = append(all, &RoadmapError{Line: rows[0].Line, Why: "the feature of " + spec + " cannot be updated: " + rows[0].problem})
		}
	}
	return all
}

// reached is how far a feature is by its specs: as far as the last of them, but under way as soon as one is. 0 is
// none of them known.
func (row RoadmapRow) reached(reached map[string]RoadmapStatus) RoadmapStatus {
	least, most := Dropped, RoadmapStatus(0)
	for _, ref := range row.specs {
		at := RoadmapStatus(0)
		for spec, status := range reached {
			if ref.names(spec) {
				at = max(at, status)
			}
		}
		least, most = min(least, at), max(most, at)
	}
	return max(least, min(most, InProgress))
}

// edit replaces a piece of a text.
type edit struct {
	at   span
	with string
}

func edited(text []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.at.from - b.at.from })
	var out []byte
	from := 0
	for _, e := range edits {
		out = append(append(out, text[from:e.at.from]...), e.with...)
		from = e.at.to
	}
	return append(out, text[from:]...)
}
