// Package changes tells whose the changes in a working tree are: a task's, the user's, what other tasks left, or what a command
// left behind.
//
// A call goes: Changes.Since lists what changed and whose that is, by rules in their order (owner.go); Changes.OfTask what of it
// is to count as a task's work, and Changes.Uncommittable what of it git would not take;
// Changes.BeforeCheck keeps what is there before commands run, so that what they leave is recognized, also after a kill.
// Changes.External lists what somebody else changed since the last run. It takes nothing back, and commits nothing.
package changes

import (
	"time"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
)

// Changes are those of one working tree of a session.
type Changes struct {
	Repo     *git.Repo
	Journal  *journal.Journal
	Facts    facts.Facts
	Plans    plans.Plans
	Lane     string    // the task whose working tree it is; "" is the run's own
	KilledAt time.Time // when nothing of a run that was cut off was left; zero: not known
	// ByHand says whether what changes in the tree, while the question of a state is open, is the work that it waits for.
	ByHand func(machine.State) bool
}

// ref is the name of a ref of the session's own.
func (cs Changes) ref(kind string) string {
	return "refs/autopilot/" + branches.RefName(cs.Journal.State().SessionSlug) + "/" + kind
}

// NewIn are those of a list that were not there before.
func NewIn(list, before []string) []string {
	known := map[string]bool{} // a list would take quadratic time
	for _, p := range before {
		known[p] = true
	}
	var fresh []string
	for _, p := range list {
		if !known[p] {
			fresh = append(fresh, p)
		}
	}
	return fresh
}
