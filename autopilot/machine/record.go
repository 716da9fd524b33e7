package machine

import (
	"time"
)

// Decision is a recorded decision, of a rule or of a human.
type Decision struct {
	Phase     int       `json:"phase"` // 0-based; -1 where the session has it no more
	State     Name      `json:"state"`
	Decision  string    `json:"decision"`
	Reason    string    `json:"reason"`
	By        string    `json:"by"`
	Timestamp time.Time `json:"timestamp,omitzero"` // zero where an older program recorded none
	Signals   *Signals  `json:"signals,omitempty"`
	Gate      string    `json:"gate,omitempty"`
	PlanSHA   string    `json:"planSha256,omitempty"`
}

// Shown is the decision as --json prints it: there the first phase is 1, and 0 is none.
func (d Decision) Shown() Decision {
	d.Phase++
	return d
}

// HistoryEntry sums up a finished phase.
type HistoryEntry struct {
	Phase              int          `json:"phase"` // as a decision's
	Name               string       `json:"name"`
	StartedAt          time.Time    `json:"startedAt,omitzero"` // zero where an older program recorded none
	CompletedAt        time.Time    `json:"completedAt,omitzero"`
	TasksCompleted     int          `json:"tasksCompleted"`
	RetriesUsed        int          `json:"retriesUsed"`
	VerificationPassed *bool        `json:"verificationPassed"`
	Outcome            string       `json:"outcome"` // complete, skipped, failed
	ReviewFindings     FindingCount `json:"reviewFindings"`
	Usage              Usage        `json:"usage"`
}

// FinalReviewed is the state of the final review.
type FinalReviewed struct {
	Status     string      `json:"status"` // pending, in_progress, passed, overridden
	Findings   []Finding   `json:"findings"`
	Criteria   []Criterion `json:"criteria,omitempty"`
	RetryCount int         `json:"retryCount"`
	Dispatches int         `json:"dispatches,omitempty"`
	Judged     *Judged     `json:"judged,omitempty"` // by the last one that was done

	Fixes map[string]int `json:"fixes,omitempty"` // dispatches by fix task, as in Phase.Dispatches
}

// Judged is a dispatch that judged the work, and the commit that it saw.
type Judged struct {
	Attempt int    `json:"attempt"`
	Commit  string `json:"commit"`
}

// Begun says whether the review found something already, so that what was done since is to be checked.
func (f FinalReviewed) Begun() bool { return f.RetryCount > 0 || len(f.Findings) > 0 }

// Baseline is the validation as it was before anything changed.
type Baseline struct {
	Commit string  `json:"commit"`
	Checks []Check `json:"checks"`
	// Waived says that the configuration wants no validation.
	Waived bool `json:"waived,omitempty"`
}

// Usage counts what dispatches cost.
type Usage struct {
	Dispatches   int     `json:"dispatches"`
	InputTokens  int     `json:"inputTokens"`
	CachedTokens int     `json:"cachedTokens"`
	OutputTokens int     `json:"outputTokens"`
	CostUSD      float64 `json:"costUSD"`
}

// Plus adds two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Dispatches: u.Dispatches + v.Dispatches, InputTokens: u.InputTokens + v.InputTokens,
		CachedTokens: u.CachedTokens + v.CachedTokens, OutputTokens: u.OutputTokens + v.OutputTokens,
		CostUSD: u.CostUSD + v.CostUSD,
	}
}

// Minus is what was used between v and u.
func (u Usage) Minus(v Usage) Usage {
	return u.Plus(Usage{-v.Dispatches, -v.InputTokens, -v.CachedTokens, -v.OutputTokens, -v.CostUSD})
}

// Spent is what a phase, the final review or a task used: what its budgets count.
type Spent struct {
	Usage
	// Seconds are running time of a phase; of a task, the time of its dispatches and its checks, which may run beside others.
	Seconds float64 `json:"seconds,omitempty"`
}

// BackendLimit is a limit that a backend reported, and when it is over.
type BackendLimit struct {
	Backend string    `json:"backend"`
	Until   time.Time `json:"until"`
	UsedUp  bool      `json:"usedUp,omitempty"` // a quota or balance
	Outage  bool      `json:"outage,omitempty"` // its server was out of order: when to look again
}

// OutcomeWords says for people how a phase ended. One that a human let pass against a check is over, and still counts as failed.
func OutcomeWords(outcome string) string {
	if outcome == "failed" {
		return "counts as failed"
	}
	return "is " + outcome
}

// VerifiedWords says whether a phase was verified, for people; nil is not checked.
func VerifiedWords(passed *bool) string {
	switch {
	case passed == nil:
		return "not checked"
	case *passed:
		return "yes"
	}
	return "no"
}
