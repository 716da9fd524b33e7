package autopilot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
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
	Store    Store
	Records  Records
	Memory   Memory
	Seal     Seal
	Repo     *git.Repo
	Checks   validate.Runner
	Backends Backends
	Personas personas.Set
	Human    Human
	Inbox    Inbox
	Report   Reporter
	Forge    Forge
	Others   func() ([]Claim, error) // of all other sessions of the repository
	Roadmap  Roadmap
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

	main  *Engine // of an engine that works in a lane: the one that drives the session
	task  string  // the lane's
	fresh bool    // nothing was done in the lane's working tree yet
	lanes *lanes

	plans      plans
	saved      git.Saved // before the last dispatch
	savedDirty []string  // all that was uncommitted then
	known      knownFacts
	looked     *git.Seen // what the step before saw of the working tree last: nothing changed it since
	mu         sync.Mutex
	running    bool // the run is in the journal
	spec       *spec.Spec
	reread     bool            // the spec was compared with the session since this run began
	parkedAt   string          // the gate at which the working tree was noted
	warned     map[string]bool // of which budgets
	takenOut   []string        // of which files it was said that a hook put them into a commit
	clock      clockSeen
	calls      map[string]machine.Usage // the last one of each dispatch; "": of any
	owed       []machine.Event          // what model calls cost that the journal did not take
}

// act does one step and reports what came of it as an event.
type act func(e *Engine, ctx context.Context, step machine.Step) error

// acts says who does which step of the machine. Every step of the table has its row.
var acts = map[machine.StepName]act{
	machine.StepBranch:           (*Engine).branch,
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
	machine.StepRecord:           (*Engine).recordPhase,
	machine.StepClose:            (*Engine).closeSession,
	machine.StepWait:             (*Engine).wait,
	machine.StepLanes:            (*Engine).await,
	machine.StepAsk:              (*Engine).askHeld,
}

// Run takes the session from where it stands to its end, or to where it has to stop: the error says why. A limit of the
// backend is waited out, as far as the settings allow.
func (e *Engine) Run(ctx context.Context) error {
	patience := budget.Patience{Now: e.Now, Sleep: e.sleep, Longest: e.Settings.LongestWait, Say: func(text string) { e.note("info", text) }}
	for {
		before := e.state().Usage.Dispatches
		err := e.run(ctx)
		if e.state().Usage.Dispatches > before+1 {
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
		return &InterruptedError{Cause: context.Cause(ctx)}
	}
	return nil
}

func (e *Engine) run(ctx context.Context) error {
	e.lanes, e.running = newLanes(), false
	defer e.Repo.Leave()
	defer e.settleProjections()
	defer e.park(e.state().Runs)
	if err := e.Repo.Pin(ctx); err != nil {
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
			return &InterruptedError{Cause: context.Cause(ctx)}
		}
		if err := e.follow(ctx); err != nil {
			return err
		}
		if err := errors.Join(e.fill(beside), e.lanes.trouble()); err != nil {
			return err
		}
		step := machine.Next(e.state())
		if step.Name == machine.StepEnd {
			return nil
		}
		do, ok := acts[step.Name]
		if !ok {
			return fmt.Errorf("no act for step %s of %s", step.Name, step.State)
		}
		if err := e.do(ctx, step, do); err != nil {
			if ctx.Err() != nil {
				return &InterruptedError{Cause: err}
			}
			return e.placed(step, err)
		}
	}
}

// do does a step. What it says it saw of the working tree is for the next one, and for no other.
func (e *Engine) do(ctx context.Context, step machine.Step, do act) error {
	if err := e.ownFolders(); err != nil {
		return err
	}
	before := e.looked
	err := do(e, ctx, step)
	if err != nil || e.looked == before {
		e.looked = nil
	}
	return err
}

// placed says of an error at which step it came up.
func (e *Engine) placed(step machine.Step, err error) error {
	return fmt.Errorf("%s: %w", e.where(step), err)
}

// where names a step for an error: "EXECUTE phase 2 (commit)".
func (e *Engine) where(step machine.Step) string {
	s := e.state()
	if step.Phase == 0 || step.State == machine.Init || step.State == machine.Done || len(s.Phases) == 0 {
		return fmt.Sprintf("%s (%s)", step.State, step.Name)
	}
	return fmt.Sprintf("%s phase %s (%s)", step.State, s.Phases[s.CurrentPhase].Number, step.Name)
}

func (e *Engine) state() machine.State { return e.Store.State() }

// phase is the current phase, as the session has it.
func (e *Engine) phase() machine.Phase {
	s := e.state()
	return s.Phases[s.CurrentPhase]
}

// apply reports an event to the store, then tells the world what it changed. Model calls report their usage from
// other goroutines, hence the lock.
func (e *Engine) apply(ev machine.Event) error {
	return e.applyWith(func(string) (machine.Event, error) { return ev, nil })
}

// applyWith makes the event once its key is certain: no other event comes between.
func (e *Engine) applyWith(make func(key string) (machine.Event, error)) error {
	if e.main != nil {
		return e.main.applyWith(make)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recordOwed()
	before := e.Store.State()
	ev, err := make(machine.Key(before.SessionID, before.Revision+1))
	if err != nil {
		return err
	}
	return e.enter(before, ev)
}

// enter journals an event and tells of it; e.mu is held. Nobody was at work between the last run and this one: what is kept
// before this one is in the journal takes no running time.
func (e *Engine) enter(before machine.State, ev machine.Event) error {
	e.lookAtClock(before)
	if ev.Type == machine.SnapshotTaken && !e.running {
		ev.Time = before.UpdatedAt
	}
	after, err := e.Store.Apply(ev)
	if err != nil {
		return err
	}
	e.running = e.running || ev.Type == machine.RunStarted
	e.observe(before, after, ev)
	return nil
}

// ref is the name of a ref of this session's own: refs/autopilot/<slug>/<kind>.
func (e *Engine) ref(kind string) string {
	return "refs/autopilot/" + RefName(e.state().SessionSlug) + "/" + kind
}

// rel is a path relative to the working tree, with slashes.
func (e *Engine) rel(path string) string {
	rel, err := filepath.Rel(e.Repo.Root(), path)
	if err == nil && !filepath.IsLocal(rel) { // a lane's working tree lies below .harness
		rel, err = filepath.Rel(filepath.Dir(e.Harness), path)
	}
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}
