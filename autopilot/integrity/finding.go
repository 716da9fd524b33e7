package integrity

// Severity is how much a finding weighs.
type Severity string

// The severities, as in every reply and review.
const (
	Critical   Severity = "critical"
	Important  Severity = "important"
	Suggestion Severity = "suggestion"
)

// Finding is something that a check holds against a change.
type Finding struct {
	Severity  Severity `json:"severity"`
	File      string   `json:"file"` // slashes, relative to the root; the old path of what is gone
	Line      int      `json:"line"` // 1-based, in the old file for what is gone; 0 for a whole file
	Title     string   `json:"title"`
	Rationale string   `json:"rationale"`
}
