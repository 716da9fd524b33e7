package cmd

import (
	"autopilot/autopilot/plans"
	"autopilot/cmd/console"
	"autopilot/spec/plan"
)

type lintedTask struct {
	Number string   `json:"number"`
	Title  string   `json:"title"`
	Files  []string `json:"files"`
	Line   int      `json:"line"`
}

// lintPlan shows the tasks of a plan; it ends with 2 where a run would not take it.
func (o *lintOptions) lintPlan(plan *plan.Plan, src []byte, path string) error {
	out := newLinted(nil, append(plan.Unknown, plan.Twins()...))
	for _, t := range plan.Tasks {
		out.Tasks = append(out.Tasks, lintedTask{t.Number, t.Title, append([]string{}, t.Files...), t.Line})
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
