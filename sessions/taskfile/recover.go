package taskfile

// Traces are what an interrupted task of a list left behind.
type Traces struct {
	Uncommitted bool // changes in the working tree that are the task's
	Commits     bool // of the task, since its base
	Checkpoints bool // that its worker reported
}

// Recovery says what becomes of a task that a run finds in progress.
type Recovery string

// The recoveries. What RecoverValidate and RecoverCheck lead to depends on the task's validation: see Settle.
const (
	RecoverFail     Recovery = "fail"     // nothing of the work is there
	RecoverCheck    Recovery = "check"    // only checkpoints tell of work: validate what they claim
	RecoverValidate Recovery = "validate" // validate with the work in place
)

// Recovers decides how an interrupted task is taken up, with the reason for the log.
func (t Traces) Recovers() (Recovery, string) {
	switch {
	case t.Uncommitted && t.Commits:
		return RecoverValidate, "commits and uncommitted changes since its base"
	case t.Uncommitted:
		return RecoverValidate, "uncommitted changes since its base"
	case t.Commits:
		return RecoverValidate, "commits since its base"
	case t.Checkpoints:
		return RecoverCheck, "checkpoints, and no changes"
	}
	return RecoverFail, "No progress detected"
}

// Settled is what a recovery comes to.
type Settled string

// The ends of a recovery. A task is never completed on an empty diff.
const (
	SettledCompleted Settled = "completed" // commit what is uncommitted
	SettledResumed   Settled = "resumed"   // the attempt goes on from its last checkpoint
	SettledFailed    Settled = "failed"    // save the work, reset to the base
)

// Settle says what a recovery comes to once the validation passed, or did not.
func (r Recovery) Settle(passed bool) Settled {
	switch {
	case !passed || r == RecoverFail:
		return SettledFailed
	case r == RecoverCheck:
		return SettledResumed
	}
	return SettledCompleted
}
