package spec

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/plans"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/spec"
	"autopilot/spec/markdown"
	"autopilot/spec/plan"
)

type lintOptions struct{ console.Output }

// NewLint is the command lint.
func NewLint(h *console.Host) *cobra.Command {
	o := &lintOptions{console.Output{Host: h}}
	return o.WithJSON("one JSON object", &cobra.Command{
		Use: "lint FILE.md", Short: "Check a spec or a plan, and show the phases or tasks that autopilot reads",
		Long:    "Shows the phases of a spec, or the tasks of a plan (a file that begins with \"# Plan:\"), and its problems by line. It needs no\nrepository. Exit code 0: it can run, 2: fix the problems first.",
		Example: "  autopilot lint docs/spec.md\n  autopilot lint docs/spec.md --json\n  autopilot lint docs/plans/first.md", Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error {
			spec, err := app.Named(c.Context(), o.Host, args[0])
			if err != nil {
				return err
			}
			return runLint(o, spec)
		},
	})
}

// linted is what lint finds: the answer of --json.
type linted struct {
	Phases   []lintedPhase      `json:"phases"`
	Problems []markdown.Problem `json:"problems"`
	Criteria []string           `json:"criteria"`
	Tasks    []lintedTask       `json:"tasks,omitempty"` // of a plan
}

type lintedPhase struct {
	Number     string          `json:"number"`
	Name       string          `json:"name"`
	Complexity spec.Complexity `json:"complexity"`
	Explicit   bool            `json:"explicit"`
	Line       int             `json:"line"`
}

type lintedTask struct {
	Number string   `json:"number"`
	Title  string   `json:"title"`
	Files  []string `json:"files"`
	Line   int      `json:"line"`
}

// runLint needs no repository; it ends with 2 where a problem stops.
func runLint(o *lintOptions, path string) error {
	src, err := plainfile.Read(o.Path(path))
	if err != nil {
		return console.UsageError("can't read the spec: %v\nName an existing Markdown file", err)
	}
	parsed, err := spec.Parse(src)
	var bad *markdown.ParseError
	if plan, planErr := plan.ParsePlan(src); err != nil && planErr == nil && plan.Titled {
		return o.lintPlan(plan, src, path)
	}
	var out linted
	switch {
	case errors.As(err, &bad):
		out = newLinted(nil, bad.Problems)
	case err != nil:
		return err
	default:
		out = newLinted(parsed, slices.Concat(parsed.Unread, parsed.Warnings))
	}
	if err := o.print(out, path); err != nil {
		return err
	}
	if bad != nil || len(parsed.Unread) > 0 {
		return &console.CodedError{Code: 2}
	}
	return nil
}

// lintPlan shows the tasks of a plan; it ends with 2 where a run would not take it.
func (o *lintOptions) lintPlan(plan *plan.Plan, src []byte, path string) error {
	out := newLinted(nil, append(plan.Unknown, plan.Twins()...))
	for _, t := range plan.Tasks {
		out.Tasks = append(out.Tasks, lintedTask{t.Number, t.Title, append([]string{}, t.Files...), t.Line})
		if t.Title == "Task "+t.Number {
			out.Problems = append(out.Problems, markdown.Problem{Line: t.Line, Message: "task " + t.Number + " has no title", Hint: "say what it does: ### Task " + t.Number + ": Parse the rules"})
		}
		if t.Validation == "" && !t.ValidationNone {
			out.Problems = append(out.Problems, markdown.Problem{Line: t.Line, Message: "task " + t.Number + " has no validation", Hint: "name a command that shows that it works: **Validation:** `go test ./...`"})
		}
	}
	if err := o.print(out, path); err != nil {
		return err
	}
	if len(plan.Unknown) > 0 {
		return &console.CodedError{Code: 2} // what is wrong was shown
	}
	_, err := plans.Check(path, src)
	return err
}

// newLinted is what there is to say of a spec; nil is one that cannot be read.
func newLinted(parsed *spec.Spec, problems []markdown.Problem) linted {
	out := linted{Phases: []lintedPhase{}, Problems: append([]markdown.Problem{}, problems...), Criteria: []string{}}
	if parsed == nil {
		return out
	}
	out.Criteria = append(out.Criteria, parsed.Criteria...)
	for _, p := range parsed.Phases {
		out.Phases = append(out.Phases, lintedPhase{p.Number, p.Name, p.Complexity, p.Explicit, p.Line})
	}
	return out
}

func (o *lintOptions) print(out linted, path string) error {
	if o.JSON {
		return o.Encode(out)
	}
	out.show(o.Host, path)
	return nil
}

// show prints it for people: problems go to standard error.
func (out linted) show(h *console.Host, path string) {
	for _, p := range out.Phases {
		fmt.Fprintf(h.Out, "phase %-4s %-7s line %-5d %s\n", console.Clean(p.Number), p.Complexity, p.Line, console.Clean(p.Name))
	}
	for _, t := range out.Tasks {
		fmt.Fprintf(h.Out, "task %-5s line %-5d %s\n", console.Clean(t.Number), t.Line, console.Clean(t.Title))
	}
	for _, c := range out.Criteria {
		fmt.Fprintf(h.Out, "criterion  %s\n", console.Clean(c))
	}
	for _, p := range out.Problems {
		fmt.Fprintf(h.Err, "%s:%d: %s\n", path, p.Line, console.Clean(p.Message))
		if p.Hint != "" {
			fmt.Fprintf(h.Err, "    %s\n", console.Clean(p.Hint))
		}
	}
}
