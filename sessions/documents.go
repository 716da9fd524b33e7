package sessions

import (
	"fmt"
	"time"

	"autopilot/sessions/format"
	"autopilot/sessions/taskfile"
)

// Names of files in the session's folder that WriteJSON and WriteText take.
const (
	FinalVerifyName = "final-verify.json"
	FinalReviewName = "final-review.json"
	FinalName       = "final.json"
	SpecName        = "spec.md"
	handoffName     = "handoff.json"
)

// VerifyName is the name of a phase's verification, counted from 1.
func VerifyName(phase int) string { return fmt.Sprintf("phase-%d-verify.json", phase) }

// ReviewName is the name of a phase's review, counted from 1.
func ReviewName(phase int) string { return fmt.Sprintf("phase-%d-review.json", phase) }

// WriteJSON writes a value as indented JSON to a file of the session's folder, replacing it as a whole.
func (s *Session) WriteJSON(name string, v any) error {
	data, err := indented(v)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return s.write(name, data)
}

// WriteText writes a text to a file of the session's folder, replacing it as a whole.
func (s *Session) WriteText(name, text string) error { return s.write(name, []byte(text)) }

// WriteSpec keeps a copy of the spec as it was read, and returns its path: what personas are given to read.
func (s *Session) WriteSpec(spec []byte) (string, error) {
	return join(s.dir, SpecName), s.write(SpecName, spec)
}

func (s *Session) write(name string, data []byte) error {
	if err := format.CheckName(name); err != nil {
		return err
	}
	return replaced(s.opts.Disk, join(s.dir, name), data, name != handoffName) // a projection of the last reply, which the next one replaces
}

// Handoff is the last valid reply in the shape that other tools of the harness read.
type Handoff struct {
	Timestamp       time.Time         `json:"timestamp"` // the clock's when zero
	FromSkill       string            `json:"fromSkill"`
	Phase           string            `json:"phase"`
	Summary         string            `json:"summary"`
	Completed       []string          `json:"completed"`
	Pending         []string          `json:"pending"`
	Concerns        []string          `json:"concerns"`
	Decisions       []HandoffDecision `json:"decisions"`
	Blockers        []string          `json:"blockers"`
	ContextKeywords []string          `json:"contextKeywords"`
}

// HandoffDecision is a decision in a Handoff.
type HandoffDecision struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// WriteHandoff writes handoff.json. Its lists are never null there.
func (s *Session) WriteHandoff(h Handoff) error {
	if h.Timestamp.IsZero() {
		h.Timestamp = s.opts.Now().UTC()
	}
	for _, list := range []*[]string{&h.Completed, &h.Pending, &h.Concerns, &h.Blockers, &h.ContextKeywords} {
		*list = append([]string{}, *list...)
	}
	h.Decisions = append([]HandoffDecision{}, h.Decisions...)
	return s.WriteJSON(handoffName, h)
}

// Progress appends a line to progress.txt.
func (s *Session) Progress(line taskfile.ProgressLine) error {
	if line.Time.IsZero() {
		line.Time = s.opts.Now()
	}
	if line.Session == 0 {
		line.Session = s.State().Runs
	}
	return s.logs.Add(join(s.dir, "progress.txt"), line.String(), line.Key)
}
