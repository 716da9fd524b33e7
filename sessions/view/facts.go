package view

import (
	"time"

	"autopilot/autopilot/machine"
)

// Facts are all that a view is made of.
type Facts struct {
	State machine.State
	Past  *Transcript // that took the whole journal; nil: not read, or a session of an older program without one
	Now   *Now        // of a run that is alive; nil: none is, or it wrote nothing yet
	End   *End        // how the last run ended; nil while one is alive, and after a kill
	Held  bool        // a live process holds the session
	At    time.Time   // when it is looked at

	Budgets   []Budget              // that the configuration sets
	Tasks     []machine.TaskMetrics // of all phases, where they were read
	StackedOn string                // the branch of other work that it began on
	Footing   string                // that in words: stacked on autopilot/one, which is not merged
	Base      string                // of such a branch: what its pull request goes into
	Limit     *Limit                // what would keep a run from going on now
}
