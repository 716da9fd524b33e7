package machine

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

// ReviewShown is what phase-N-review.json says of a phase that ends at a commit.
func ReviewShown(p Phase, head string) map[string]any {
	return map[string]any{"phase": p.Number, "name": p.Name, "findings": p.Findings, "overridden": p.Overridden, "head": head}
}

// FinalShown is what final.json says of a session that is done.
func FinalShown(s State) map[string]any {
	shown := map[string]any{
		"session": s.SessionSlug, "spec": s.SpecPath, "branch": s.Branch, "startingCommit": s.StartingCommit,
		"history": s.History, "flakes": append([]Flake{}, s.Flakes...), "finalReview": s.FinalReview, "usage": s.Usage, "runs": s.Runs, "elapsedSeconds": s.Elapsed,
	}
	if s.Metrics != (Metrics{}) { // an older program recorded none
		shown["metrics"] = ShowMetrics(s)
	}
	return shown
}
