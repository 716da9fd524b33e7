package autopilot

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
	"autopilot/spec"
)

// start takes up the session: where it stands is said, the branch has to be the right one, and what a human changed
// since the last run is left alone.
func (e *Engine) start(ctx context.Context) error {
	s := e.Journal.State()
	if machine.Next(s).Name == machine.StepEnd {
		return nil // a finished session is looked at, not taken up, unless its spec gained phases
	}
	if s.Runs > 0 {
		e.Journal.Note("info", resumeLine(s))
	}
	for _, t := range s.Tasks {
		e.Journal.LogAttempt(t)
	}
	if err := e.takeUp(ctx); err != nil {
		return err
	}
	if err := e.adoptNotes(ctx); err != nil {
		return err
	}
	if err := e.endedByBoot(ctx, s); err != nil {
		return err
	}
	if err := e.onBranch(ctx, s); err != nil {
		return err
	}
	if s.Branch != "" && machine.Next(s).Name != machine.StepBranch {
		if err := e.branch().Tell(ctx, s, "Working on branch "+s.Branch); err != nil {
			return err
		}
	}
	if err := e.branch().TellLostBase(ctx, s); err != nil {
		return err
	}
	if s.CurrentState != machine.Init {
		if err := e.sweep(ctx); err != nil {
			return err
		}
	}
	foreign, err := e.changes().External(ctx, s)
	if err != nil {
		return err
	}
	if len(foreign) > 0 {
		e.Journal.Note("info", "Changed since the last run, and left alone: "+strings.Join(words.FirstFew(foreign, 8), ", "))
	}
	if err := e.beginRun(ctx, foreign); err != nil {
		return err
	}
	e.KillSeen()
	return e.catchUp()
}

// catchUp writes what people read of where the session stands: a kill may have come before it the last time. A summary
// that is written while a dispatch is at hand would be taken for the agent's.
func (e *Engine) catchUp() error {
	if e.Journal.State().CurrentState == machine.PhaseComplete {
		return e.closing().Summary()
	}
	return e.Records.Index()
}

// beginRun makes the working tree ready and records that a run took up the session; foreign is what a human changed.
func (e *Engine) beginRun(ctx context.Context, foreign []string) error {
	if len(e.Journal.State().InFlight) == 0 { // else what appears would be taken for the agent's
		e.readiness().DescribeProject(ctx)
	}
	r, err := e.readiness().Make(ctx)
	if err != nil {
		return err
	}
	if err := e.runStarted(ctx, append(slices.Clone(foreign), r.Touched...), r.ByProducts); err != nil {
		return err
	}
	s := e.Journal.State()
	e.Journal.Progress(journal.ProgressLine{Type: "INIT", Message: fmt.Sprintf("%s %s", s.CurrentState, s.Step)})
	return e.readiness().Tell(r)
}

// runStarted records the run; a session that an older program wrote gets its branch then.
func (e *Engine) runStarted(ctx context.Context, leftOut, byProducts []string) error {
	ev := machine.Event{Type: machine.RunStarted, LeftOut: leftOut, ByProducts: byProducts, KeysAsked: true}
	if e.Settings.Parallel > 1 {
		ev.Parallel = e.Settings.Parallel
	}
	if s := e.Journal.State(); s.Branch == "" && s.CurrentState != machine.Init {
		if err := e.branch().Choose(ctx, &ev); err != nil {
			return err
		}
	}
	return e.Journal.Apply(ev)
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
func (e *Engine) onBranch(ctx context.Context, s machine.State) error {
	if s.Branch == "" || s.CurrentState == machine.Done {
		return nil
	}
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	// A dispatch that was cut off may have left HEAD elsewhere; putting that right is part of ending it.
	if _, flying := machine.Next(s).Dispatching(); flying && !e.movedSinceKilled() {
		return nil
	}
	if err := e.branch().Is(ctx, position); err != nil {
		return err
	}
	if position.Operation != "" && position.Operation != "bisect" {
		return halt.Usage("git is in the middle of a %s, in which nothing can be committed file by file\nFinish it, or drop it with: git %s --abort", position.Operation, position.Operation)
	}
	return e.branch().Rewritten(ctx, s)
}

// movedSinceKilled says whether a person checked something out, or began an operation of git, after nothing was left of a
// killed run.
func (e *Engine) movedSinceKilled() bool {
	return !e.KilledAt.IsZero() && e.Repo.MovedAfter(e.KilledAt)
}

// follow keeps up with what people may have edited: the spec, once a run, and the plan.
func (e *Engine) follow(ctx context.Context) error {
	s := e.Journal.State()
	if len(s.InFlight) > 0 || s.LanesBusy() {
		return nil
	}
	if !e.reread && s.CurrentState != machine.Init {
		e.reread = true
		if err := e.rereadSpec(ctx, s); err != nil {
			return err
		}
	}
	_, err := e.Plans().Edited()
	return err
}

// rereadSpec compares the spec with what the session knows of it, phase by phase.
func (e *Engine) rereadSpec(ctx context.Context, s machine.State) error {
	parsed, err := e.parseSpec(s)
	if err != nil {
		return err
	}
	for _, p := range parsed.Unread {
		e.Journal.Note("warning", fmt.Sprintf("%s: %s", s.SpecPath, p))
	}
	texts := PhaseTexts(parsed)
	if s.Spec.SHA256 != "" && (samePhases(s, texts) || sameBytes(s, parsed)) {
		return nil
	}
	ref := &machine.SpecRef{SHA256: parsed.SHA256, Title: parsed.Title, Criteria: parsed.Criteria}
	if s.CurrentState == machine.Done {
		return e.rereadDone(ctx, s, ref, texts)
	}
	e.Journal.Note("info", "The spec changed: phases that are not finished are read anew.")
	return e.Journal.Apply(machine.Event{Type: machine.SpecReread, Spec: ref, Phases: texts})
}

// rereadDone compares the spec of a finished session: it goes on with phases that were added, and asks where a finished
// one changed.
func (e *Engine) rereadDone(ctx context.Context, s machine.State, ref *machine.SpecRef, texts []machine.PhaseText) error {
	known := there(s.Phases)
	added := len(texts) > len(known)
	if slices.ContainsFunc(known, func(p machine.Phase) bool { return p.SpecSHA256 == "" }) {
		if added {
			e.Journal.Note("info", "The spec has phases that the finished session of an older program does not know by these names: nothing is begun. To begin anew, add --restart.")
		}
		return nil
	}
	if err := e.finishClosing(); err != nil {
		return err
	}
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if err := e.branch().Is(ctx, position); err != nil {
		return err
	}
	theirs, err := e.changes().Beside(ctx, s, nil) // all that the session made is committed
	if err != nil {
		return err
	}
	theirs = slices.DeleteFunc(theirs, func(path string) bool { return slices.Contains(s.ByProducts, path) })
	if err := e.beginRun(ctx, theirs); err != nil {
		return err
	}
	if added {
		e.Journal.Note("info", "The spec gained phases.")
		return e.Journal.Apply(machine.Event{Type: machine.PhasesAdded, Spec: ref, Phases: texts})
	}
	e.Journal.Note("info", "The spec changed in phases that are finished.")
	return e.Journal.Apply(machine.Event{Type: machine.SpecReread, Spec: ref, Phases: texts})
}

// finishClosing does the closing steps that are still open.
func (e *Engine) finishClosing() error {
	for step := machine.Next(e.Journal.State()); step.Closing != ""; step = machine.Next(e.Journal.State()) {
		if err := e.closing().Step(context.Background(), step); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) parseSpec(s machine.State) (*spec.Spec, error) {
	src, err := plainfile.Read(e.Spec)
	if err != nil {
		return nil, halt.Usage("the spec %s cannot be read any more: %v\nPut it back (git restore %s); the session's copy of it is %s", s.SpecPath, err, s.SpecPath,
			filepath.Join(e.Records.Dir(), "spec.md"))
	}
	parsed, err := spec.Parse(src)
	if err != nil {
		return nil, &halt.UsageError{Message: fmt.Sprintf("%s: %v", s.SpecPath, err), Err: err}
	}
	e.spec = parsed
	return parsed, e.Records.WriteText("spec.md", string(src))
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
func (e *Engine) phaseText(p machine.Phase) string {
	if e.spec == nil {
		if _, err := e.parseSpec(e.Journal.State()); err != nil {
			return ""
		}
	}
	for _, known := range e.spec.Phases {
		if known.Number == p.Number {
			return known.Body
		}
	}
	return ""
}

// endedByBoot takes the start of the machine for the end of a run that was cut off with all that belonged to it, as by a
// power cut: what was written since is a human's.
func (e *Engine) endedByBoot(ctx context.Context, s machine.State) error {
	p, err := e.changes().AtEnd(ctx)
	if err != nil {
		return err
	}
	if at := e.Booted(); s.Runs > 0 && e.KilledAt.IsZero() && !p.IsOf(s) && at.After(s.UpdatedAt) {
		e.KilledAt = at
	}
	return nil
}
