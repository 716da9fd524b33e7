package report

import (
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/audit"
	"autopilot/sessions/view"
)

// Facts are what a report is made of.
type Facts struct {
	Session view.Session
	Record  *Record           // of the whole journal
	Plans   map[string]string // the beginning of each plan, by its path
	Outputs map[string]string // the beginning of each file of output, by its name in the session's folder
	Audit   *audit.Report     // nil: not made
	Altered []string          // evidence that is missing or changed
	CanPR   bool              // a pull request can be made with --pr
	At      time.Time         // when it is made, in the reader's time zone
}

// Done says whether the session came to its end.
func (f Facts) Done() bool { return f.Session.State == machine.Done }

// change is what commits changed.
type change struct{ commits, files, added, removed int }

// changed sums up commits; a file that several changed counts once where their paths are known.
func changed(commits []view.Commit) change {
	sum, paths := change{}, map[string]bool{}
	for _, c := range commits {
		sum.commits, sum.added, sum.removed = sum.commits+1, sum.added+c.Added, sum.removed+c.Removed
		for _, p := range c.Paths {
			paths[p] = true
		}
		if len(c.Paths) == 0 {
			sum.files += c.Files
		}
	}
	sum.files += len(paths)
	return sum
}

// commitsOf are the commits of a phase by its position; 0 is the final review.
func (f Facts) commitsOf(phase int) (own []view.Commit) {
	for _, c := range f.Session.Commits {
		if c.Phase == phase {
			own = append(own, c)
		}
	}
	return own
}

// tasks are how many were completed, and how often one was tried again.
func (f Facts) tasks() (completed, retries int) {
	for _, p := range f.Session.Phases {
		retries += p.Retries
		for _, t := range p.Tasks {
			if t.Mark == view.Passed {
				completed++
			}
		}
	}
	for _, t := range f.Session.Tasks {
		if t.Kind == machine.KindFinalFix {
			retries += t.Retries()
			if t.Status == machine.TaskCompleted {
				completed++
			}
		}
	}
	return completed, retries
}
