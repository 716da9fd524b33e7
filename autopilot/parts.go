package autopilot

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/branches"
	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/closing"
	"autopilot/autopilot/commits"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/gates"
	"autopilot/autopilot/git"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/pullrequest"
	"autopilot/autopilot/readiness"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// Parts are what an engine is given. Every field is needed unless it says otherwise.
type Parts struct {
	Journal  *journal.Journal
	Records  Records
	Memory   Memory
	Seal     guard.Seal
	Repo     *git.Repo
	Checks   validate.Runner
	Backends dispatch.Backends
	Personas personas.Set
	Human    gates.Human
	Inbox    Inbox
	Forge    pullrequest.Forge
	Others   func() ([]branches.Claim, error) // of all other sessions of the repository
	Roadmap  closing.Roadmap
	Report   Report
	Now      Clock
	Sleep    func(context.Context, time.Duration) error // returns early when the context ends
	NewID    func() string
	Settings Settings
	Spec     string           // absolute path of the spec
	Harness  string           // absolute path of .harness
	Cache    string           // a folder outside of the repository, for working trees that may be removed at any time; "" where none is made
	LockFile *os.File         // the session's lock, for the supervisors of child processes
	KilledAt time.Time        // when nothing of a run that was cut off was left: its last command had ended, or the machine was started; zero: not known
	Mask     *personas.Mask   // takes secrets out of what is sent and written; may be nil
	KillSeen func()           // forgets that, once the run has begun: a later kill has another time
	Booted   func() time.Time // when the machine was started; zero: not known

	// Bring lays out, in the working tree, what another machine had made of a dispatch in flight. It is nil where one machine does all.
	Bring func(context.Context) error
}

// branch is the session's.
func (e *Engine) branch() branches.Branch {
	return branches.Branch{Repo: e.Repo, Journal: e.Journal, Others: e.Others, Stay: e.Settings.NoBranch}
}

// facts are what a resume compares with.
func (e *Engine) facts() facts.Facts {
	home := cmp.Or(e.main, e)
	return facts.Facts{Snapshots: workspace.Snapshots{Repo: home.Repo, Refs: e.ref("snap/")}, Journal: e.Journal, NewID: e.NewID, Known: &home.known, Alone: e.Bring != nil}
}

// changes tells whose the changes in the engine's working tree are.
func (e *Engine) changes() changes.Changes {
	return changes.Changes{Repo: e.Repo, Journal: e.Journal, Facts: e.facts(), Plans: e.Plans(), Lane: e.task, KilledAt: e.KilledAt, ByHand: func(s machine.State) bool { return e.attempts().WrittenByHand(s) }}
}

// guard looks after the engine's working tree.
func (e *Engine) guard() guard.Guard {
	return guard.Guard{
		Repo: e.Repo, Home: cmp.Or(e.main, e).Repo, Lane: e.task, Journal: e.Journal, Facts: e.facts(), Changes: e.changes(), Plans: e.Plans(),
		AtWork: e.atWork, Saved: &e.saved, Dir: e.Records.Dir(), Spec: e.Spec, Harness: e.Harness, KilledAt: e.KilledAt,
	}
}

// commits are the session's.
func (e *Engine) commits() commits.Commits {
	return commits.Commits{
		Repo: e.Repo, Branch: e.branch(), Journal: e.Journal, Facts: e.facts(), Mask: e.Mask, Front: &e.lanes.front, Hook: e.Settings.Hook, Rollback: e.Settings.Rollback,
	}
}

// attempts are the dispatches in the engine's working tree.
func (e *Engine) attempts() attempts.Attempts {
	return attempts.Attempts{
		Repo: e.Repo, Lane: e.task, Journal: e.Journal, Checks: e.checks(), Guard: e.guard(), HomeChanges: cmp.Or(e.main, e).changes(), Plans: e.Plans(),
		Records: e.Records, Memory: e.Memory, Inbox: e.Inbox, Backends: e.Backends, Personas: e.Personas, Mask: e.Mask, Now: e.Now, NewID: e.NewID,
		LockFile: e.LockFile, Front: &e.lanes.front, Look: &e.last, Harness: e.Harness, Bring: e.Bring, Export: e.Trees().exportDir(), PhaseText: func(p machine.Phase) string { return e.starting().phaseText(p) },
		Settings: attempts.Settings{
			Idle: e.Settings.Idle, Timeout: e.Settings.Dispatch, Turns: e.Settings.Turns, Limits: e.Settings.Limits, PauseEvery: e.Settings.PauseEvery,
			Rollback: e.Settings.Rollback, Learnings: e.Settings.LearningsBudget,
		},
	}
}

// gates ask a human.
func (e *Engine) gates() gates.Gates {
	return gates.Gates{
		Journal: e.Journal, Human: e.Human, Inbox: e.Inbox, Plans: e.Plans(), Changes: e.changes(), Attempts: e.attempts(), Fail: e.Memory.Fail,
		Yes: e.Settings.Yes, AutoFix: e.Settings.AutoFix, Parked: &e.parkedAt,
	}
}

// closing writes what belongs to the end of a phase and of the session.
func (e *Engine) closing() closing.Closing {
	return closing.Closing{
		Repo: e.Repo, Journal: e.Journal, Facts: e.facts(), Commits: e.commits(), Records: e.Records, Roadmap: e.Roadmap, Mask: e.Mask, Promote: e.Memory.Promote, Report: e.Report.Markdown,
	}
}

// checks run commands in the engine's working tree, and say what they mean.
func (e *Engine) checks() checks.Checks {
	return checks.Checks{
		Judge: checks.Judge{Journal: e.Journal, Records: e.Records, Mask: e.Mask, Home: filepath.Dir(e.Harness), Time: e.Settings.Validation},
		Repo:  e.Repo, Changes: e.changes(), Runner: e.Checks, Configured: e.Settings.Validations, None: e.Settings.ValidateNone,
		Clean: proof.Tree{
			Repo: e.Repo, Dir: e.Trees().proofDir(e.task), Home: filepath.Dir(e.Harness), Setup: e.Settings.WorktreeSetup, Runner: e.Checks, Last: &e.proved, Making: &e.lanes.front,
		},
		OldTests: e.Settings.OldTests,
	}
}

// readiness is that of the engine's working tree.
func (e *Engine) readiness() readiness.Readiness {
	return readiness.Readiness{
		Checks: e.checks(), Now: e.Now, Harness: e.Harness, SetUp: e.Settings.WorktreeSetup.Command != "", HealthFatal: e.Settings.HealthFatal,
	}
}

// Plans are those of the session's phases.
func (e *Engine) Plans() plans.Plans {
	return plans.Plans{Root: e.Repo.Root(), Home: filepath.Dir(e.Harness), Journal: e.Journal, Now: e.Now, Parsed: &e.parsed}
}

// PullRequest is that of the session's branch.
func (e *Engine) PullRequest() pullrequest.PullRequest {
	return pullrequest.PullRequest{Branch: e.branch(), Forge: e.Forge, Issue: e.closing().Issue, Body: e.Report.PullRequest}
}

// ref is the name of a ref of this session's own.
func (e *Engine) ref(kind string) string { return refOf(e.Journal.State(), kind) }

// Trees are the session's own working trees.
func (e *Engine) Trees() Trees {
	return Trees{e.Journal, e.Repo, e.facts(), e.Harness, e.Cache, &e.lanes.front, &e.lanes.used}
}

// adoption takes over what older versions noted.
func (e *Engine) adoption() adoption {
	return adoption{e.Journal, e.Repo, e.facts(), e.NewID, e.Records.Dir(), e.Trees()}
}

// starting takes the session up.
func (e *Engine) starting() starting {
	return starting{
		e.Journal, e.Records, e.Repo, e.Spec, e.Settings, e.KillSeen, e.Booted, &e.KilledAt, &e.reread, &e.spec,
		e.branch(), e.changes(), e.checks(), e.closing(), e.readiness(), e.Plans(), e.Trees(), e.adoption(),
	}
}

// Asides are the dispatches of the planner beside the states.
func (e *Engine) Asides() Asides {
	return Asides{
		e.Journal, e.Repo.Root(), e.Personas, e.Mask, e.Settings.Limits, e.KillSeen, e.atWork, e.attempts(), e.guard(), e.Plans(), e.starting(), e.adoption(),
	}
}

// verifying runs the commands of VERIFY, in the tree and in a clean one.
func (e *Engine) verifying() verifying {
	return verifying{e.Journal, e.Records, e.Repo, e.Settings, e.Harness, e.Checks, e.changes(), e.checks(), e.readiness(), e.Trees(), e.Now}
}

// integration looks at what a lane made.
func (e *Engine) integration() integration { return integration{e.Journal, e.Repo, e.changes()} }

// committing chooses what each commit has.
func (e *Engine) committing() committing {
	return committing{e.Journal, e.Memory, e.Repo, e.changes(), e.commits(), &e.last}
}

// weighing finds plans, and what in them may speak for asking a human.
func (e *Engine) weighing() weighing {
	return weighing{e.Journal, e.Records, e.Repo, e.Settings, e.changes(), e.checks(), e.Plans()}
}
