package autopilot

import (
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
)

// Settings are the parts of the configuration that the engine decides by.
type Settings struct {
	Started              *machine.RunWith // how the run was started; nil: it does not say
	Idle, Dispatch, Hook time.Duration
	Validation           time.Duration // 0: max(10 min, 3 × its baseline)
	Turns                int
	Limits               budget.Limits
	LongestWait          time.Duration // for a backend's limit to end; 0: none is waited out
	PauseEvery           int           // dispatches after which a human is asked; 0: never
	Parallel             int           // how many tasks may be at work at once
	Rollback             bool          // a failed attempt is rolled back to the task's base
	Validations          []validate.Validation
	ValidateNone         bool // the configuration wishes to go on unverified
	Yes                  bool // answers gate continue, and no other
	AutoFix              int  // as machine.AutoFix takes it
	NoBranch             bool
	LearningsBudget      int // tokens
	WorktreeSetup        worktree.Setup
	OldTests             string // whether they are run on the new code: checks.OldTestsOn and so on
	Blind                bool   // phases get blind checks, but at fast
	HealthFatal          bool   // a failed health check of a service blocks, instead of being a warning
}
