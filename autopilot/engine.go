package autopilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/branches"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/closing"
	"autopilot/autopilot/commits"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/gates"
	"autopilot/autopilot/git"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/pullrequest"
	"autopilot/autopilot/readiness"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/workspace"
	"autopilot/autopilot/worktree"
	"autopilot/personas"
	"autopilot/spec"
)

// Settings are the parts of the configuration that the engine decides by.
type Settings struct {
	Idle, Dispatch, Hook time.Duration
	Validation           time.Duration // 0: max(10 min, 3 × its baseline)
	Turns                int
	Limits               budget.Limits
	LongestWait          time.Duration // for a backend's limit to end; 0: none is waited out
	PauseEvery           int           // dispatches after which a human is asked; 0: never
	Parallel             int           // how many tasks may be at work at once
	Rollback             bool          // a failed attempt is rolled back to the task's base
	Validations          []validate.Validation
	ValidateNone         bool // the configuration wishes to go on unverified
	Yes                  bool // answers gate continue, and no other
	NoBranch             bool
	LearningsBudget      int // tokens
	WorktreeSetup        worktree.Setup
	HealthFatal          bool // a failed health check of a service blocks, instead of being a warning
}

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
	Now      Clock
	Sleep    func(context.Context, time.Duration) error // returns early when the context ends
	NewID    func() string
	Settings Settings
	Spec     string           // absolute path of the spec
	Harness  string           // absolute path of .harness
	LockFile *os.File         // the session's lock, for the supervisors of child processes
	KilledAt time.Time        // when nothing of a run that was cut off was left: its last command had ended, or the machine was started; zero: not known
	Mask     *personas.Mask   // takes secrets out of what is sent and written; may be nil
	KillSeen func()           // forgets that, once the run has begun: a later kill has another time
	Booted   func() time.Time // when the machine was started; zero: not known
}

// Engine drives one session.
type Engine struct {
	Parts

	main   *Engine // of an engine that works in a lane: the one that drives the session
	task   string  // the lane's
	lanes  *lanes
	atWork *guard.AtWork

	parsed   plans.Parsed
	saved    guard.Saved
	known    facts.Known   // of the engine that drives the session
	last     attempts.Look // of the working tree
	spec     *spec.Spec
	reread   bool   // the spec was compared with the session since this run began
	parkedAt string // the gate at which the working tree was noted
}

// New is an engine of these parts.
func New(p Parts) *Engine {
	return &Engine{Parts: p, lanes: newLanes(), atWork: guard.NewAtWork(p.Seal, p.Journal)}
}

// act does one step and reports what came of it as an event.
type act func(e *Engine, ctx context.Context, step machine.Step) error

// acts says who does which step of the machine. Every step of the table has its row.
var acts = map[machine.StepName]act{
	machine.StepBranch:           (*Engine).newBranch,
	machine.StepBaseline:         (*Engine).baseline,
	machine.StepLook:             (*Engine).look,
	machine.StepSkeleton:         (*Engine).dispatch,
	machine.StepSkeletonReply:    (*Engine).resumeInterrupted,
	machine.StepPlan:             (*Engine).dispatch,
	machine.StepPlanReply:        (*Engine).resumeInterrupted,
	machine.StepFind:             (*Engine).findPlan,
	machine.StepWeigh:            (*Engine).weigh,
	machine.StepPlanCommit:       (*Engine).commitPlan,
	machine.StepPick:             (*Engine).pick,
	machine.StepDiagnose:         (*Engine).dispatch,
	machine.StepDiagnosis:        (*Engine).resumeInterrupted,
	machine.StepDispatch:         (*Engine).dispatch,
	machine.StepReply:            (*Engine).resumeInterrupted,
	machine.StepValidate:         (*Engine).validate,
	machine.StepRollback:         (*Engine).rollback,
	machine.StepCommit:           (*Engine).commitTask,
	machine.StepCheckpointCommit: (*Engine).commitCheckpoint,
	machine.StepRecoveryCommit:   (*Engine).commitRecovery,
	machine.StepRescue:           (*Engine).validate,
	machine.StepHumanCommit:      (*Engine).commitHuman,
	machine.StepCommands:         (*Engine).verify,
	machine.StepClean:            (*Engine).verifyClean,
	machine.StepVerifier:         (*Engine).dispatch,
	machine.StepVerifierReply:    (*Engine).resumeInterrupted,
	machine.StepReview:           (*Engine).dispatch,
	machine.StepReviewReply:      (*Engine).resumeInterrupted,
	machine.StepRecord:           (*Engine).record,
	machine.StepClose:            (*Engine).close,
	machine.StepWait:             (*Engine).wait,
	machine.StepLanes:            (*Engine).await,
	machine.StepAsk:              (*Engine).askHeld,
}

// Run takes the session from where it stands to its end, or to where it has to stop: the error says why. A limit of the
// backend is waited out, as far as the settings allow.
func (e *Engine) Run(ctx context.Context) error {
	patience := budget.Patience{Now: e.Now, Sleep: e.sleep, Longest: e.Settings.LongestWait, Say: func(text string) { e.Journal.Note("info", text) }}
	for {
		before := e.Journal.State().Usage.Dispatches
		err := e.run(ctx)
		if e.Journal.State().Usage.Dispatches > before+1 {
			patience.Progress()
		}
		if again, err := patience.Wait(ctx, err); !again {
			return err
		}
	}
}

// sleep waits, unless the run is stopped meanwhile.
func (e *Engine) sleep(ctx context.Context, d time.Duration) error {
	if e.Sleep(ctx, d) != nil {
		return &halt.InterruptedError{Cause: context.Cause(ctx)}
	}
	return nil
}

func (e *Engine) run(ctx context.Context) error {
	e.lanes, e.atWork = newLanes(), guard.NewAtWork(e.Seal, e.Journal)
	defer e.Repo.Leave()
	defer e.Journal.Settle()
	defer e.gates().Park(e.Journal.State().Runs)
	if err := e.Repo.Config.Pin(ctx); err != nil {
		return err
	}
	if err := e.start(ctx); err != nil {
		return err
	}
	beside, stop := context.WithCancel(ctx)
	defer stop()
	err := e.loop(ctx, beside)
	e.lanes.drain(err, stop)
	return err
}

// loop does step after step; lanes run beside it.
func (e *Engine) loop(ctx, beside context.Context) error {
	for {
		if ctx.Err() != nil {
			return &halt.InterruptedError{Cause: context.Cause(ctx)}
		}
		if err := e.follow(ctx); err != nil {
			return err
		}
		if err := errors.Join(e.fill(beside), e.lanes.trouble()); err != nil {
			return err
		}
		step := machine.Next(e.Journal.State())
		if step.Name == machine.StepEnd {
			return nil
		}
		do, ok := acts[step.Name]
		if !ok {
			return fmt.Errorf("no act for step %s of %s", step.Name, step.State)
		}
		if err := e.do(ctx, step, do); err != nil {
			if ctx.Err() != nil {
				return &halt.InterruptedError{Cause: err}
			}
			return e.placed(step, err)
		}
	}
}

// do does a step. What it says it saw of the working tree is for the next one, and for no other.
func (e *Engine) do(ctx context.Context, step machine.Step, do act) error {
	if err := e.guard().OwnFolders(); err != nil {
		return err
	}
	before := e.last.Seen
	err := do(e, ctx, step)
	if err != nil || e.last.Seen == before {
		e.last.Seen = nil
	}
	return err
}

// placed says of an error at which step it came up.
func (e *Engine) placed(step machine.Step, err error) error {
	return fmt.Errorf("%s: %w", e.where(step), err)
}

// where names a step for an error: "EXECUTE phase 2 (commit)".
func (e *Engine) where(step machine.Step) string {
	s := e.Journal.State()
	if step.Phase == 0 || step.State == machine.Init || step.State == machine.Done || len(s.Phases) == 0 {
		return fmt.Sprintf("%s (%s)", step.State, step.Name)
	}
	return fmt.Sprintf("%s phase %s (%s)", step.State, s.Phases[s.CurrentPhase].Number, step.Name)
}

// branch is the session's.
func (e *Engine) branch() branches.Branch {
	return branches.Branch{Repo: e.Repo, Journal: e.Journal, Others: e.Others, Stay: e.Settings.NoBranch}
}

// facts are what a resume compares with.
func (e *Engine) facts() facts.Facts {
	home := cmp.Or(e.main, e)
	return facts.Facts{Snapshots: workspace.Snapshots{Repo: home.Repo, Refs: e.ref("snap/")}, Journal: e.Journal, NewID: e.NewID, Known: &home.known}
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
		LockFile: e.LockFile, Front: &e.lanes.front, Look: &e.last, Harness: e.Harness, PhaseText: e.phaseText,
		Settings: attempts.Settings{
			Idle: e.Settings.Idle, Timeout: e.Settings.Dispatch, Turns: e.Settings.Turns, Limits: e.Settings.Limits, PauseEvery: e.Settings.PauseEvery,
			Rollback: e.Settings.Rollback, Learnings: e.Settings.LearningsBudget,
		},
	}
}

// dispatch has a persona work. A task whose announced files a human changed since it was picked is picked once more.
func (e *Engine) dispatch(ctx context.Context, step machine.Step) error {
	if again, err := e.pickedAgain(ctx, step, true); again || err != nil {
		return err
	}
	return e.attempts().Dispatch(ctx, step)
}

func (e *Engine) resumeInterrupted(ctx context.Context, step machine.Step) error {
	return e.attempts().ResumeInterrupted(ctx, step)
}

// gates ask a human.
func (e *Engine) gates() gates.Gates {
	return gates.Gates{
		Journal: e.Journal, Human: e.Human, Inbox: e.Inbox, Plans: e.Plans(), Changes: e.changes(), Attempts: e.attempts(), Fail: e.Memory.Fail,
		Yes: e.Settings.Yes, Parked: &e.parkedAt,
	}
}

// wait is the step of an open question. The spec may be another by the time it is answered.
func (e *Engine) wait(ctx context.Context, _ machine.Step) error {
	defer func() { e.reread = false }()
	return e.gates().Wait(ctx)
}

// Answer takes an answer to the open question, and does not go on with the run.
func (e *Engine) Answer(ctx context.Context, a machine.Answer) error { return e.gates().Answer(ctx, a) }

// closing writes what belongs to the end of a phase and of the session.
func (e *Engine) closing() closing.Closing {
	return closing.Closing{
		Repo: e.Repo, Journal: e.Journal, Facts: e.facts(), Commits: e.commits(), Records: e.Records, Roadmap: e.Roadmap, Mask: e.Mask, Promote: e.Memory.Promote,
	}
}

func (e *Engine) close(ctx context.Context, step machine.Step) error {
	return e.closing().Step(ctx, step)
}

func (e *Engine) record(ctx context.Context, step machine.Step) error {
	return e.closing().Phase(ctx, step)
}

// checks run commands in the engine's working tree, and say what they mean.
func (e *Engine) checks() checks.Checks {
	return checks.Checks{
		Judge: checks.Judge{Journal: e.Journal, Records: e.Records, Mask: e.Mask, Home: filepath.Dir(e.Harness), Time: e.Settings.Validation},
		Repo:  e.Repo, Changes: e.changes(), Runner: e.Checks, Configured: e.Settings.Validations, None: e.Settings.ValidateNone,
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
	return pullrequest.PullRequest{Branch: e.branch(), Forge: e.Forge, Issue: e.closing().Issue}
}

// ref is the name of a ref of this session's own: refs/autopilot/<slug>/<kind>.
func (e *Engine) ref(kind string) string {
	return "refs/autopilot/" + branches.RefName(e.Journal.State().SessionSlug) + "/" + kind
}
