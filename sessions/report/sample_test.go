package report

import (
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/audit"
	"autopilot/sessions/view"
)

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func at(minutes float64) time.Time { return noon.Add(time.Duration(minutes * float64(time.Minute))) }

func passing(command string, ran int) machine.Check {
	c := machine.Check{Command: command, Outcome: machine.CheckPassed, Seconds: 38, StartedAt: at(461)}
	if ran > 0 {
		c.Tests = &machine.TestCounts{Ran: ran, Passed: ran}
	}
	return c
}

// sample is a finished session with something of everything.
func sample() Facts {
	yes := true
	dearest := machine.Usage{Dispatches: 25, InputTokens: 600_000, CachedTokens: 400_000, OutputTokens: 50_000, CostUSD: 2.14}
	second := machine.Usage{Dispatches: 27, InputTokens: 700_000, CachedTokens: 500_000, OutputTokens: 52_300, CostUSD: 5.66}
	failing := machine.Check{Command: "go test ./...", Outcome: machine.CheckFailed, ExitCode: 1, Seconds: 7, StartedAt: at(20), FailedTests: []string{"TestLimitFromKey"}}
	checks := []machine.Check{passing("go vet ./...", 0), passing("go test ./...", 226)}
	s := view.Session{
		ID: "16f9987f", Slug: "limits", Spec: "docs/limits.md", Title: "Rate limits per API key", Branch: "autopilot/limits", Rigor: machine.Standard,
		Standing: view.Finished, State: machine.Done, CostKnown: true, Usage: dearest.Plus(second), Budgets: []view.Budget{{Name: "cost", Used: 7.8, Of: 20}},
		Clock: view.Clock{Work: 15120, You: 1140, Limits: 4200, Wall: 20460},
		Phases: []view.Phase{
			{
				Phase:    machine.Phase{Number: "1", Name: "Count requests", Complexity: machine.Low, Status: machine.PhaseDone, PlanPath: "docs/plans/count-plan.md", Spent: machine.Spent{Usage: dearest, Seconds: 3550}, Checks: checks[:1]},
				Position: 1, Outcome: "complete", Verified: &yes, Retries: 1,
				Tasks: []view.Task{
					{N: 1, ID: "task-001", Title: "Store counters", Mark: view.Passed, Commit: "3f9ac1e0000000000000000000000000000000aa", Seconds: 400, USD: 0.44, Files: []string{"store.go"}, Attempts: []view.Attempt{{N: 1, Mark: view.Passed, Start: at(6), End: at(12.6)}}, Summary: "Counters are kept."},
					{N: 2, ID: "task-002", Title: "Read the limit", Mark: view.Passed, Commit: "77e01bd0000000000000000000000000000000aa", Seconds: 772, USD: 0.83, After: []int{1}, Files: []string{"limit.go"}, Attempts: []view.Attempt{
						{N: 1, Mark: view.Broken, Start: at(13), End: at(20), Error: "TestLimitFromKey: limit_test.go:31: got 100, want 20", Checks: []machine.Check{failing}},
						{N: 2, Mark: view.Passed, Start: at(21), End: at(27)},
					}, Summary: "The key's limit is read."},
				},
			},
			{
				Phase:    machine.Phase{Number: "2", Name: "Rule engine", Complexity: machine.High, Status: machine.PhaseDone, Spent: machine.Spent{Usage: second, Seconds: 11570}, Checks: checks, Concerns: []string{"The parser has no tests yet."}},
				Position: 2, Outcome: "complete", Verified: &yes,
				Tasks: []view.Task{{N: 1, ID: "task-001", Title: "Parse the rules", Mark: view.Passed, Commit: "e41c0aa0000000000000000000000000000000aa", Seconds: 900, USD: 1.2, Attempts: []view.Attempt{{N: 1, Mark: view.Passed, Start: at(440), End: at(455)}}, Summary: "Rules are parsed."}},
			},
		},
		Findings: machine.Register{
			{ID: "F2", Phase: 1, Finding: machine.Finding{Severity: machine.Important, File: "limit.go", Line: 3, Title: "No default", Source: "verifier"}, Fate: machine.FateFixed, Commit: "77e01bd0000000000000000000000000000000aa"},
			{ID: "F7", Phase: 1, Finding: machine.Finding{Severity: machine.Suggestion, File: "store.go", Line: 40, Title: "expiry is never tested", Source: "reviewer"}, Fate: machine.FateOpen, RaisedAt: at(59)},
			{ID: "F8", Phase: 2, Finding: machine.Finding{Severity: machine.Critical, File: "rules/match.go", Line: 88, Title: "A rule without a host matches every host", Source: "reviewer"}, Fate: machine.FateWaived, By: "human", Reason: "hosts come with phase 4"},
		},
		Criteria: []view.Criterion{
			{Text: "Each key has its own limit", Mark: view.Passed, By: "program", Evidence: "TestLimitFromKey, 77e01bd"},
			{Text: "A request over it gets 429", Mark: view.Passed, By: "program", Evidence: "TestTooMany, e41c0aa"},
			{Text: "Limits survive a restart", Mark: view.Passed, By: "reviewer"},
		},
		Decisions: []view.Decision{
			{Phase: 1, Decision: "auto approved plan", Words: "auto approved plan", Reason: "low complexity", By: "rule", Timestamp: at(5)},
			{Phase: 2, Decision: "review_blocking: override", Words: "override: the review of phase 2 (Rules) found 1 problem that blocks", Reason: "hosts come with phase 4", By: "human", Timestamp: at(457)},
		},
		Commits: []view.Commit{
			{SHA: "3f9ac1e0000000000000000000000000000000aa", Subject: "[autopilot][phase 1] Store counters", Phase: 1, Files: 2, Added: 120, Removed: 8, Paths: []string{"store.go", "store_test.go"}},
			{SHA: "77e01bd0000000000000000000000000000000aa", Subject: "[autopilot][phase 1] Read the limit", Phase: 1, Files: 2, Added: 31, Removed: 4, Paths: []string{"limit.go", "store.go"}},
			{SHA: "e41c0aa0000000000000000000000000000000aa", Subject: "[autopilot][phase 2] Parse the rules", Phase: 2, Files: 1, Added: 1053, Removed: 176, Paths: []string{"rules/parse.go"}},
		},
		Assumptions: []string{"phase 2: Hosts are compared without case."},
	}
	f := Facts{Session: s, Record: sampleRecord(failing, checks), CanPR: true, At: at(464), Plans: map[string]string{"docs/plans/count-plan.md": "# Plan: Count requests\n"}}
	f.Outputs = map[string]string{"evidence/002-task-002.log": "$ go test ./...\nFAIL\n"}
	f.Audit = &audit.Report{Events: 143, Outputs: 3, Replies: 2, Claims: []audit.Claim{{Kind: audit.ClaimTask, Standing: audit.Proven}, {Kind: audit.ClaimTask, Standing: audit.Marked, Task: "task-002", What: "Read the limit", Why: "unverified"}}}
	return f
}

// sampleRecord is the journal of the sample.
func sampleRecord(failing machine.Check, checks []machine.Check) *Record {
	r := &Record{}
	state := func(phase int) machine.State {
		return machine.State{CurrentState: machine.Execute, CurrentPhase: phase, StartingCommit: "c7733d81", Spec: machine.SpecRef{SHA256: "5a823ca7"}, Tasks: []machine.Task{{ID: "task-001"}, {ID: "task-002"}}}
	}
	dispatch := func(id, persona, task string, phase int, from, to float64, usd float64, outcome machine.DispatchOutcome) {
		used := &machine.Usage{Dispatches: 1, InputTokens: 1000, OutputTokens: 100, CostUSD: usd}
		r.Take(state(phase), machine.Event{Type: machine.Dispatched, Time: at(from), Dispatch: &machine.Dispatch{ID: id, Persona: persona, Task: task, Attempt: 1}}, state(phase))
		r.Take(state(phase), machine.Event{Type: machine.DispatchEnded, Time: at(to), Ended: &machine.Ended{ID: id, Outcome: outcome, Used: used, Reply: &machine.Reply{Status: "done"}}}, state(phase))
	}
	r.Take(machine.State{}, machine.Event{Type: machine.BaselineMeasured, Time: at(1), Baseline: &machine.Baseline{Checks: []machine.Check{passing("go vet ./...", 0), passing("go test ./...", 214)}}}, state(0))
	dispatch("a", "planner", "", 0, 2, 5, 0.21, machine.OutcomeReply)
	dispatch("b", "executor", "task-001", 0, 6, 12, 0.44, machine.OutcomeReply)
	dispatch("c", "executor", "task-002", 0, 13, 20, 0.52, machine.OutcomeTimedOut)
	r.Take(state(0), machine.Event{Type: machine.Validated, Time: at(20.2), Task: "task-002", Checks: []machine.Check{failing}, Evidence: &machine.Evidence{Output: "evidence/002-task-002.log", OutputSHA256: "4b1cd6c6e9c2ef92", OutputBytes: 70, Commit: "3f9ac1e0"}}, state(0))
	limited, asked := state(0), state(1)
	until := at(430)
	limited.LimitedUntil = &until
	r.Take(state(0), machine.Event{Type: machine.Noted, Time: at(60)}, limited)
	r.Take(limited, machine.Event{Type: machine.Noted, Time: at(130)}, state(1))
	asked.Gate = &machine.Gate{ID: "g45"}
	r.Take(state(1), machine.Event{Type: machine.Noted, Time: at(433)}, asked)
	r.Take(asked, machine.Event{Type: machine.Answered, Time: at(439)}, state(1))
	dispatch("d", "executor", "task-001", 1, 440, 455, 1.2, machine.OutcomeReply)
	dispatch("e", "reviewer", "", 1, 455, 457, 0.3, machine.OutcomeReply)
	r.Take(state(1), machine.Event{Type: machine.Checked, Time: at(462), Checks: checks, Proofs: []string{"go test ./... passes with the tests of before"}, Evidence: &machine.Evidence{Output: "evidence/003.log", OutputSHA256: "c85aa1ef"}}, state(1))
	return r
}
