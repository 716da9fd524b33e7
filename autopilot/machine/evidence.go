package machine

import (
	"fmt"
	"strings"
)

// Evidence is what the checks of one event rest on: the tree that they ran on, and the file that has their output.
type Evidence struct {
	Commit string `json:"commit,omitempty"` // HEAD while they ran
	// Tree is the hash of the working tree that they left, as git would commit it (git.Tree.Hash).
	Tree string `json:"tree,omitempty"`
	// CommitTree is the hash of HEAD with the session's own uncommitted work, and nothing else that lies in the tree:
	// what a commit of the work holds.
	CommitTree string   `json:"commitTree,omitempty"`
	Dirty      []string `json:"dirty,omitempty"`     // the first of the paths that differed from HEAD
	DirtyMore  int      `json:"dirtyMore,omitempty"` // how many more there were
	Clean      bool     `json:"clean,omitempty"`     // they ran in a clean worktree of Commit

	Output       string `json:"output,omitempty"` // the file of their whole output, in the session's folder, with slashes
	OutputSHA256 string `json:"outputSha256,omitempty"`
	OutputBytes  int64  `json:"outputBytes,omitempty"`
}

// Key names the event that leads to a revision, in commits and in files beside the journal.
func Key(session string, rev int64) string { return fmt.Sprintf("%s/%d", session, rev) }

// OutputName is the file of the output that the next evidence of a session has; task is whose, "" of none. Tasks that are
// checked at the same time have files of their own.
func OutputName(s State, task string) string {
	return fmt.Sprintf("evidence/%03d%s.log", s.Evidences+1, strings.TrimSuffix("-"+task, "-"))
}

// OutputEnd is the line that ends a command's part of the output: it ties the outcome to the file's hash.
func OutputEnd(c Check) string { return fmt.Sprintf("[%s, exit code %d]", c.Outcome, c.ExitCode) }

// CleanPlace and CommandsPlace say in a phase's shown verification where its commands ran.
const (
	CommandsPlace = "commands"
	CleanPlace    = "clean worktree"
)

// VerifyShown is what phase-N-verify.json says of an event of checks with a key. What it and those below say follows from
// the journal, so that an audit can hold the files against it.
func VerifyShown(key, where string, e Event) map[string]any {
	return map[string]any{
		"key": key, "where": where, "evidence": e.Evidence, "checks": e.Checks, "findings": e.Findings, "waived": e.Waived,
	}
}

// EvidenceShown is what evidence.json in the folder of an attempt says of a validation with a key.
func EvidenceShown(key string, e Event) map[string]any {
	return map[string]any{"key": key, "task": e.Task, "evidence": e.Evidence, "checks": e.Checks, "findings": e.Findings}
}

// ReviewShown is what phase-N-review.json says of the current phase, which ends at a commit.
func ReviewShown(s State, head string) map[string]any {
	p := s.Phases[s.CurrentPhase]
	return map[string]any{"phase": p.Number, "name": p.Name, "findings": s.Drawn(s.CurrentPhase+1, p.Findings), "overridden": p.Overridden, "head": head}
}

// FinalShown is what final.json says of a session that is done.
func FinalShown(s State) map[string]any {
	shown := map[string]any{
		"session": s.SessionSlug, "spec": s.SpecPath, "branch": s.Branch, "startingCommit": s.StartingCommit,
		"history": s.History, "flakes": append([]Flake{}, s.Flakes...), "finalReview": s.FinalReviewShown(), "usage": s.Usage, "runs": s.Runs, "elapsedSeconds": s.Elapsed,
	}
	if s.Metrics.Ended > 0 { // an older program recorded none
		shown["metrics"] = ShowMetrics(s)
	}
	return shown
}

// ShowMetrics gives a session's metrics with their rates.
func ShowMetrics(s State) MetricsShown { return s.Metrics.Shown(s.Usage) }

// Shown are metrics with their rates, beside what was used meanwhile.
func (m Metrics) Shown(used Usage) MetricsShown {
	shown := MetricsShown{
		CountsShown: m.Counts(), ToolSuccessRate: ratio(m.ToolCalls-m.ToolFailures, m.ToolCalls), FirstPassRate: ratio(m.FirstPass, m.Checked),
		ContextUse: ratio(m.Fill, m.Window), CachedRate: ratio(used.CachedTokens, used.InputTokens),
	}
	shown.ContextStatus = contextStatus(shown.ContextUse)
	shown.SecondsPerTurn = each(m.Seconds, m.Turns)
	shown.TurnsPerTask, shown.SecondsPerTask = each(float64(m.TaskTurns), m.Tasks), each(m.TaskSeconds, m.Tasks)
	return shown
}
