package machine

import (
	"fmt"
	"strings"
)

// manyTasks is the number of tasks above which a plan is shown to a human.
const manyTasks = 15

// Signals are what speaks for showing a plan to a human; a snapshot of them stands in the decision.
type Signals struct {
	ReviewPlans        bool       `json:"reviewPlans"`
	HighComplexity     bool       `json:"highComplexity"`
	ComplexityOverride Complexity `json:"complexityOverride,omitempty"`
	Concerns           []string   `json:"concerns,omitempty"`
	Tasks              int        `json:"tasks"`
	DirtyFiles         []string   `json:"dirtyFiles,omitempty"`
	Waived             []string   `json:"waived,omitempty"`
	ChangedTests       []string   `json:"changedTests,omitempty"`
	ChecksTouched      []string   `json:"checksTouched,omitempty"`
	Imported           bool       `json:"imported,omitempty"`
	SpecChanged        bool       `json:"specChanged,omitempty"`
	Revised            bool       `json:"revised,omitempty"`
	Edited             bool       `json:"edited,omitempty"`
}

// Fired says, in words for people, which signals fired.
func (s Signals) Fired() []string {
	var fired []string
	add := func(on bool, format string, args ...any) {
		if on {
			fired = append(fired, fmt.Sprintf(format, args...))
		}
	}
	add(s.ReviewPlans, "plan reviews were asked for")
	add(s.HighComplexity, "the phase is of high complexity")
	add(s.ComplexityOverride != "", "the plan is larger than a low-complexity phase suggests (%s)", s.ComplexityOverride)
	for _, c := range s.Concerns {
		add(true, "the planner is concerned: %s", c)
	}
	add(s.Tasks == 0, "the plan holds no task")
	add(s.Tasks > manyTasks, "the plan has %d tasks (more than %d)", s.Tasks, manyTasks)
	add(len(s.DirtyFiles) > 0, "the plan names files with your uncommitted changes: %s", strings.Join(s.DirtyFiles, ", "))
	add(len(s.Waived) > 0, "the plan waives the validation of %s", strings.Join(s.Waived, ", "))
	add(len(s.ChangedTests) > 0, "the plan announces changed tests: %s", strings.Join(s.ChangedTests, ", "))
	add(len(s.ChecksTouched) > 0, "the plan names existing CI or validation files: %s", strings.Join(s.ChecksTouched, ", "))
	add(s.Imported, "the session was imported from an older program")
	add(s.SpecChanged, "the spec changed since the plan was made")
	add(s.Revised, "you wanted it revised")
	add(s.Edited, "it was edited by hand since it was last looked at")
	return fired
}
