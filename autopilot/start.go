package autopilot

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/closing"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/readiness"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
	"autopilot/autopilot/worktree"
	"autopilot/spec"
)

// starting takes a session up: its branch, what people changed since the last run, its spec. It does the steps of INIT, too.
type starting struct {
	journal   *journal.Journal
	records   Records
	repo      *git.Repo
	path      string // of the spec
	settings  Settings
	killSeen  func()
	booted    func() time.Time
	killedAt  *time.Time
	reread    *bool       // the spec was compared with the session since this run began
	spec      **spec.Spec // as it was read last
	branch    branches.Branch
	changes   changes.Changes
	checks    checks.Checks
	closing   closing.Closing
	readiness readiness.Readiness
	plans     plans.Plans
	trees     Trees
	old       adoption
}

// start takes up the session: where it stands is said, the branch has to be the right one, and what a human changed
// since the last run is left alone.
func (st starting) start(ctx context.Context) error {
	s := st.journal.State()
	if machine.Next(s).Name == machine.StepEnd {
		return nil // a finished session is looked at, not taken up, unless its spec gained phases
	}
	if s.Runs > 0 {
		st.journal.NoteEvent(resumeLine(s))
	}
	for _, t := range s.Tasks {
		st.journal.LogAttempt(t)
	}
	if err := st.takeUp(ctx); err != nil {
		return err
	}
	if err := st.old.adoptNotes(ctx); err != nil {
		return err
	}
	if err := st.endedByBoot(ctx, s); err != nil {
		return err
	}
	if err := st.onBranch(ctx, s); err != nil {
		return err
	}
	if s.Branch != "" && machine.Next(s).Name != machine.StepBranch {
		if err := st.branch.Tell(ctx, s, "Working on branch "+s.Branch); err != nil {
			return err
		}
	}
	if err := st.branch.TellLostBase(ctx, s); err != nil {
		return err
	}
	if s.CurrentState != machine.Init {
		if err := st.trees.sweep(ctx); err != nil {
			return err
		}
	}
	st.changes.KilledAt = *st.killedAt // endedByBoot may have set it; External alone asks for it
	foreign, err := st.changes.External(ctx, s)
	if err != nil {
		return err
	}
	if len(foreign) > 0 {
		st.journal.Note("info", "You changed these files since the last run; they are left alone: "+strings.Join(words.FirstFew(foreign, 8), ", "))
	}
	if err := st.beginRun(ctx, foreign); err != nil {
		return err
	}
	st.killSeen()
	return st.catchUp(ctx)
}

// catchUp writes what people read of where the session stands: a kill may have come before it the last time. A summary
// that is written while a dispatch is at hand would be taken for the agent's.
func (st starting) catchUp(ctx context.Context) error {
	if st.journal.State().CurrentState == machine.PhaseComplete {
		return st.closing.Summary(ctx)
	}
	return st.records.Index()
}

// beginRun makes the working tree ready and records that a run took up the session; foreign is what a human changed.
func (st starting) beginRun(ctx context.Context, foreign []string) error {
	if len(st.journal.State().InFlight) == 0 { // else what appears would be taken for the agent's
		st.readiness.DescribeProject(ctx)
	}
	r, err := st.readiness.Make(ctx, st.changes.BeforeCheck)
	if err != nil {
		return err
	}
	if err := st.runStarted(ctx, append(slices.Clone(foreign), r.Touched...), r.ByProducts); err != nil {
		return err
	}
	s := st.journal.State()
	st.journal.Progress(journal.ProgressLine{Type: "INIT", Message: fmt.Sprintf("%s %s", s.CurrentState, s.Step)})
	return st.readiness.Tell(r)
}

// furnish makes a clone ready for a step, if the session ran nothing in it before. What the script leaves behind is known since the run
// began, in another clone. Nothing is kept of what was there before: the run's own tree may be in another clone, with a check at hand.
func (st starting) furnish(ctx context.Context, step machine.Step) error {
	id := st.journal.State().SessionID
	if !step.RunsCommands() && !step.Commits() || worktree.IsReadyFor(st.repo, id) {
		return nil
	}
	st.readiness.DescribeProject(ctx)
	r, err := st.readiness.Make(ctx, func(ctx context.Context) ([]string, error) { return workspace.Untracked(ctx, st.repo) })
	if err == nil {
		err = st.readiness.Tell(r)
	}
	if err != nil {
		return err
	}
	return worktree.MarkReadyFor(st.repo, id)
}

// runStarted records the run; a session that an older program wrote gets its branch then.
func (st starting) runStarted(ctx context.Context, leftOut, byProducts []string) error {
	ev := machine.Event{Type: machine.RunStarted, LeftOut: leftOut, ByProducts: byProducts, KeysAsked: true, Edition: machine.Edition, With: st.settings.Started}
	if st.settings.Parallel > 1 {
		ev.Parallel = st.settings.Parallel
	}
	if s := st.journal.State(); s.Branch == "" && s.CurrentState != machine.Init {
		if err := st.branch.Choose(ctx, &ev); err != nil {
			return err
		}
	}
	return st.journal.Apply(ev)
}

// resumeLine says where a session goes on: "Resuming from EXECUTE, phase 2: Rule Engine."
func resumeLine(s machine.State) string {
	if s.CurrentState == machine.Done || s.CurrentState == machine.FinalReview {
		return fmt.Sprintf("Resuming from %s.", s.CurrentState)
	}
	p := s.Phases[s.CurrentPhase]
	return fmt.Sprintf("Resuming from %s, phase %s: %s.", s.CurrentState, p.Number, p.Name)
}

// onBranch refuses to go on beside the session's branch.
func (st starting) onBranch(ctx context.Context, s machine.State) error {
	if s.Branch == "" || s.CurrentState == machine.Done {
		return nil
	}
	position, err := st.repo.Position(ctx)
	if err != nil {
		return err
	}
	// A dispatch that was cut off may have left HEAD elsewhere; putting that right is part of ending it.
	if _, flying := machine.Next(s).Dispatching(); flying && !st.movedSinceKilled() {
		return nil
	}
	if err := st.branch.Is(ctx, position); err != nil {
		return err
	}
	if position.Operation != "" && position.Operation != "bisect" {
		return halt.Usage("git is in the middle of a %s, in which nothing can be committed file by file\nFinish it, or drop it with: git %s --abort", position.Operation, position.Operation)
	}
	return st.branch.Rewritten(ctx, s)
}

// movedSinceKilled says whether a person checked something out, or began an operation of git, after nothing was left of a
// killed run.
func (st starting) movedSinceKilled() bool {
	return !st.killedAt.IsZero() && st.repo.MovedAfter(*st.killedAt)
}

// follow keeps up with what people may have edited: the spec, once a run, and the plan.
func (st starting) follow(ctx context.Context) error {
	s := st.journal.State()
	if len(s.InFlight) > 0 || s.LanesBusy() {
		return nil
	}
	if !*st.reread && s.CurrentState != machine.Init {
		*st.reread = true
		if err := st.rereadSpec(ctx, s); err != nil {
			return err
		}
	}
	_, err := st.plans.Edited()
	return err
}

// rereadSpec compares the spec with what the session knows of it, phase by phase.
func (st starting) rereadSpec(ctx context.Context, s machine.State) error {
	parsed, err := st.parseSpec(s)
	if err != nil {
		return err
	}
	for _, p := range parsed.Unread {
		st.journal.Note("warning", fmt.Sprintf("%s: %s", s.SpecPath, p))
	}
	texts := PhaseTexts(parsed)
	if s.Spec.SHA256 != "" && (samePhases(s, texts) || sameBytes(s, parsed)) {
		return nil
	}
	ref := &machine.SpecRef{SHA256: parsed.SHA256, Title: parsed.Title, Criteria: parsed.Criteria}
	if s.CurrentState == machine.Done {
		return st.rereadDone(ctx, s, ref, texts)
	}
	st.journal.Note("info", "The spec changed: phases that are not finished are read again.")
	return st.journal.Apply(machine.Event{Type: machine.SpecReread, Spec: ref, Phases: texts})
}

// rereadDone compares the spec of a finished session: it goes on with phases that were added, and asks where a finished
// one changed.
func (st starting) rereadDone(ctx context.Context, s machine.State, ref *machine.SpecRef, texts []machine.PhaseText) error {
	known := there(s.Phases)
	added := len(texts) > len(known)
	if slices.ContainsFunc(known, func(p machine.Phase) bool { return p.SpecSHA256 == "" }) {
		if added {
			st.journal.Note("info", "The spec has new phases, but an older program finished this session, so autopilot can't add them. To start over: --restart")
		}
		return nil
	}
	if err := st.finishClosing(); err != nil {
		return err
	}
	position, err := st.repo.Position(ctx)
	if err != nil {
		return err
	}
	if err := st.branch.Is(ctx, position); err != nil {
		return err
	}
	theirs, err := st.changes.Beside(ctx, s, nil) // all that the session made is committed
	if err != nil {
		return err
	}
	theirs = slices.DeleteFunc(theirs, func(path string) bool { return slices.Contains(s.ByProducts, path) })
	if err := st.beginRun(ctx, theirs); err != nil {
		return err
	}
	if added {
		st.journal.Note("info", "The spec gained phases.")
		return st.journal.Apply(machine.Event{Type: machine.PhasesAdded, Spec: ref, Phases: texts})
	}
	st.journal.Note("info", "The spec changed in phases that are finished.")
	return st.journal.Apply(machine.Event{Type: machine.SpecReread, Spec: ref, Phases: texts})
}

// finishClosing does the closing steps that are still open.
func (st starting) finishClosing() error {
	for step := machine.Next(st.journal.State()); step.Closing != ""; step = machine.Next(st.journal.State()) {
		if err := st.closing.Step(context.Background(), step); err != nil {
			return err
		}
	}
	return nil
}

func (st starting) parseSpec(s machine.State) (*spec.Spec, error) {
	src, err := plainfile.Read(st.path)
	if err != nil {
		return nil, halt.Usage("the spec %s cannot be read any more: %v\nPut it back (git restore %s); the session's copy of it is %s", s.SpecPath, err, s.SpecPath,
			filepath.Join(st.records.Dir(), "spec.md"))
	}
	parsed, err := spec.Parse(src)
	if err != nil {
		return nil, &halt.UsageError{Message: fmt.Sprintf("%s: %v", s.SpecPath, err), Err: err}
	}
	*st.spec = parsed
	return parsed, st.records.WriteText("spec.md", string(src))
}

// samePhases says whether a spec's phases are what the session has; a complexity that changed counts for a phase that
// is not finished.
func samePhases(s machine.State, texts []machine.PhaseText) bool {
	known := there(s.Phases)
	if len(texts) != len(known) {
		return false
	}
	if len(s.Order) > 0 { // a human's order is not the spec's
		byNumber := func(a, b machine.PhaseText) int { return strings.Compare(a.Number, b.Number) }
		slices.SortFunc(known, func(a, b machine.Phase) int { return strings.Compare(a.Number, b.Number) })
		texts = slices.SortedFunc(slices.Values(texts), byNumber)
	}
	for i, p := range known {
		t := texts[i]
		changed := p.SpecSHA256 != "" && t.SHA256 != p.SpecSHA256 // a phase that an older program recorded has no hash
		if t.Number != p.Number || changed || (t.Complexity != p.Complexity && p.Status != machine.PhaseDone) {
			return false
		}
	}
	return true
}

// sameBytes says whether a spec is what the session was begun with. An older program may have read other phases in it, and
// a session keeps what it has. Phases that were imported may be those of another version of the spec.
func sameBytes(s machine.State, parsed *spec.Spec) bool {
	imported := func(p machine.Phase) bool { return p.SpecSHA256 == "" }
	return s.Spec.SHA256 == parsed.SHA256 && !s.IsImported && !slices.ContainsFunc(s.Phases, imported)
}

// there are the phases that the spec still has: finished ones that it lost are kept at the end, marked as gone.
func there(phases []machine.Phase) []machine.Phase {
	return slices.DeleteFunc(slices.Clone(phases), func(p machine.Phase) bool { return p.Gone })
}

// phaseText is the spec's Markdown of a phase.
func (st starting) phaseText(p machine.Phase) string {
	if *st.spec == nil {
		if _, err := st.parseSpec(st.journal.State()); err != nil {
			return ""
		}
	}
	for _, known := range (*st.spec).Phases {
		if known.Number == p.Number {
			return known.Body
		}
	}
	return ""
}

// endedByBoot takes the start of the machine for the end of a run that was cut off with all that belonged to it, as by a
// power cut: what was written since is a human's.
func (st starting) endedByBoot(ctx context.Context, s machine.State) error {
	p, err := st.changes.AtEnd(ctx)
	if err != nil {
		return err
	}
	if at := st.booted(); s.Runs > 0 && st.killedAt.IsZero() && !p.IsOf(s) && at.After(s.UpdatedAt) {
		*st.killedAt = at
	}
	return nil
}

// newBranch puts the session on a branch of its own, unless it was told to stay or stands on one already.
func (st starting) newBranch(ctx context.Context, _ machine.Step) error {
	ev := machine.Event{Type: machine.Branched}
	if err := st.branch.Choose(ctx, &ev); err != nil {
		return err
	}
	return st.journal.Apply(ev)
}

// baseline runs the validation once, before anything changes.
func (st starting) baseline(ctx context.Context, _ machine.Step) error {
	if st.settings.ValidateNone {
		return st.journal.Apply(machine.Event{Type: machine.BaselineMeasured, Baseline: &machine.Baseline{Commit: st.journal.State().StartingCommit, Waived: true}})
	}
	found := st.checks.Project()
	if len(found) == 0 {
		st.journal.Note("info", "No validation command was found in the repository. Tasks can bring their own; autopilot.yaml can name some under validate.commands.")
		return st.journal.Apply(machine.Event{Type: machine.BaselineMeasured})
	}
	st.journal.NoteEvent("Running the validation once, as the baseline.")
	ran, err := st.checks.Do(ctx, checks.Job{Root: st.repo.Root(), List: found, Log: "baseline.log"})
	if err != nil {
		return err
	}
	if err := st.checks.KeepTests(0, ran.Tests); err != nil {
		return err
	}
	return st.journal.Apply(machine.Event{
		Type: machine.BaselineMeasured, ByProducts: ran.ByProducts, Evidence: ran.Evidence,
		Baseline: &machine.Baseline{Commit: st.journal.State().StartingCommit, Checks: ran.Checks},
	})
}

// takeUp takes up the working tree, and the refs of the session.
func (st starting) takeUp(ctx context.Context) error {
	if err := st.repo.TakeUp(ctx); err != nil {
		return err
	}
	return branches.UnlockRefs(ctx, st.repo, refOf(st.journal.State(), ""), st.journal.Report)
}
