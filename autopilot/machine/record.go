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
	Status     string      `json:"status"` // pending, passed, overridden
	Findings   []Finding   `json:"findings"`
	Criteria   []Criterion `json:"criteria,omitempty"`
	RetryCount int         `json:"retryCount"`
	Dispatches int         `json:"dispatches,omitempty"`

	Fixes map[string]int `json:"fixes,omitempty"` // dispatches by fix task, as in Phase.Dispatches
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

// decide records a decision of the current phase.
func (m *move) decide(decision, reason, by string) *Decision {
	m.s.Decisions = append(m.s.Decisions, Decision{
		Phase: m.s.CurrentPhase, State: m.s.CurrentState, Decision: decision, Reason: reason, By: by, Timestamp: m.e.Time,
	})
	return &m.s.Decisions[len(m.s.Decisions)-1]
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
