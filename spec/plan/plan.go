package plan

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"autopilot/spec/markdown"
)

// Plan is what autopilot reads from the plan of a phase.
type Plan struct {
	Title string
	// Titled says that the title begins with the word "Plan:".
	Titled bool `json:"-"`
	// Spec is the path of the spec as written, or "".
	Spec string
	// Phase is the phase as a "**Phase:**" line names it, or "".
	Phase string
	// Goal is Markdown.
	Goal string
	// Tasks are in the order of the document, which need not be that of their
	// dependencies. There is at least one.
	Tasks       []Task
	Checkpoints []Checkpoint
	// Unknown are the dependencies that name no task of the plan. They stand in
	// DependsOn as written.
	Unknown []markdown.Problem `json:"-"`
	// SHA256 is over the parsed content, in hex. Lines, check-box marks, trailing
	// space and blank lines do not count.
	SHA256 string
}

// Task is one task of a plan.
type Task struct {
	// Number is as written: "1", "A1".
	Number, Title string
	// DependsOn are numbers of tasks of the same plan, and behind them what is
	// Unknown. They may form a cycle.
	DependsOn []string
	// Files are the paths that the task announces to change, Owns the globs that it
	// may change, ChangesTests the tests that it may alter. All are relative to the
	// repository.
	Files, Owns, ChangesTests []string
	// FilesNone says that the plan announces a task without changes.
	FilesNone bool
	// Validation is a command for "sh -c", or "".
	Validation string
	// ValidationNone says that the plan waives the validation.
	ValidationNone bool
	// Steps are in plain text.
	Steps []string
	// Body is the Markdown below the heading.
	Body string
	// Line is the 1-based line of the heading.
	Line int
}

// The kinds of checkpoints. A human-verify comes after its task's commit, the
// others before the task.
const (
	Decision    = "decision"
	HumanVerify = "human-verify"
	HumanAction = "human-action"
)

// Checkpoint is a gate that a plan asks for. A task has at most one of a kind;
// marks that name the same one again are the same checkpoint.
type Checkpoint struct {
	// Task is the number of its task.
	Task, Kind string
	// Text says what is asked, in plain text.
	Text string
	// Options are the answers to choose from, for a decision that lists them.
	Options []string
	Line    int
}

// Doubt is a *ParseError of what is unknown, or nil.
func (p *Plan) Doubt() error { return markdown.Problems(p.Unknown).Err() }

// ParsePlan reads a plan. The error is a *ParseError with everything malformed.
func ParsePlan(src []byte) (*Plan, error) {
	d, err := markdown.Read(src)
	if err != nil {
		return nil, err
	}
	r := &planReader{Document: d, consumed: map[int]bool{}, choices: map[int][]string{}}
	p := r.plan()
	if err := r.wrong.Err(); err != nil {
		return nil, err
	}
	p.SHA256 = p.digest(r)
	return p, nil
}

// digest is the hash of what was read.
func (p *Plan) digest(r *planReader) string {
	content := *p
	content.Tasks = append([]Task(nil), p.Tasks...)
	for i, e := range r.entries {
		content.Tasks[i].Line, content.Tasks[i].Body = 0, string(r.AppendNormal(nil, e.Body, e.End))
	}
	content.Checkpoints = append([]Checkpoint(nil), p.Checkpoints...)
	for i := range content.Checkpoints {
		content.Checkpoints[i].Line = 0
	}
	content.Goal = strings.Join(strings.Fields(p.Goal), " ")
	encoded, err := json.Marshal(content)
	if err != nil {
		// Strings and slices of strings always encode.
		panic(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(encoded))
}
