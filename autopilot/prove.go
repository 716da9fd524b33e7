package autopilot

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/evidence"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// prove is what a task's agent is told of its work before it ends the dispatch: validate, on the tree as it is. Nothing
// of it is journaled, and nothing rests on it: once the dispatch has ended the program validates as ever.
func (e *Engine) prove(step machine.Step, d personas.Dispatch, w snapshot) func(context.Context) (string, error) {
	if step.Name != machine.StepDispatch || step.Task == "" {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		t, _ := e.Journal.State().Task(step.Task)
		changes, against, err := e.proveChange(ctx, step, t, d, w)
		if against != "" || err != nil {
			return against, err
		}
		return e.proveCommands(ctx, t, changes, d, w)
	}
}

// proveChange looks at what the agent did: the diff, and what else it may have done to the repository. No other dispatch
// begins or ends meanwhile, as that puts things back.
func (e *Engine) proveChange(ctx context.Context, step machine.Step, t machine.Task, d personas.Dispatch, w snapshot) ([]change, string, error) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	misdeeds, err := e.misdeeds(ctx, d.Persona, w)
	if err != nil || len(misdeeds) > 0 {
		return nil, strings.Join(misdeeds, "\n"), err
	}
	made, err := e.changes().OfAttempt(ctx, step, t, w.Base) // commits of the agent's own are taken back later
	if err != nil {
		return nil, "", err
	}
	_, left, err := e.traces(ctx, d.ID)
	if err != nil {
		return nil, "", err
	}
	made.Changes = slices.DeleteFunc(made.Changes, func(c change) bool { return slices.Contains(left, c.Path) })
	findings, err := e.judgeWork(ctx, t, made)
	return made.Changes, machine.FindingsAgainst(findings), err
}

// misdeeds are what the end of the dispatch would put back, as far as it fails the attempt.
func (e *Engine) misdeeds(ctx context.Context, persona personas.Persona, w snapshot) ([]string, error) {
	if err := e.facts().IgnoreMoves(ctx, &w.Guard, &w.Moves); err != nil {
		return nil, err
	}
	present, err := e.control(persona)
	if err != nil {
		return nil, err
	}
	g := e.guarding(w)
	found, err := g.ChangedControls(w.Control, present, func(path string) bool { return e.isPaper(path) })
	if err != nil {
		return nil, err
	}
	more, err := g.ChangedUnseen(ctx, w.RepoSnapshot)
	return append(found, more...), err
}

// proofsOf are the commands that decide on a task, and the project's linters where the task has a validation of its own:
// a phase is held against those, too, and the agent that wrote the code can mend it best.
func (e *Engine) proofsOf(t machine.Task, changes []change) []validate.Validation {
	list := e.validationsOf(t, changes)
	if len(list) == 0 || t.Validation == "" {
		return list
	}
	return append(list, slices.DeleteFunc(e.validations(), func(v validate.Validation) bool { return !v.Lints() })...)
}

// proveCommands runs a task's validations until one fails. Their output is kept where that of the validation will be.
func (e *Engine) proveCommands(ctx context.Context, t machine.Task, changes []change, d personas.Dispatch, w snapshot) (against string, err error) {
	list := validate.Distinct(e.proofsOf(t, changes))
	if len(list) == 0 {
		return "", nil
	}
	out, err := evidence.RecordAt(filepath.Join(d.AttemptDir, "validation.log"))
	if err != nil {
		return "", err
	}
	defer out.Close()
	if err := e.traceFrom(ctx, w); err != nil {
		return "", err
	}
	var failed *machine.Check
	defer func() { err = errors.Join(err, e.traceTo(context.WithoutCancel(ctx), d.ID, failed)) }()
	runner := e.Checks
	runner.Live = out
	for _, v := range list {
		c, _, err := e.judge().Run(ctx, runner, out, e.Repo.Root(), v)
		if err != nil {
			return "", err
		}
		e.Journal.Detail("notice", fmt.Sprintf("checked before the reply is taken: %s: %s", c.Command, strings.ReplaceAll(c.Outcome, "_", " ")))
		if _, against := e.Journal.State().ChecksAgainst([]machine.Check{c}); against != "" {
			failed = &c
			return against, nil
		}
		if c.Outcome == machine.CheckCouldNot {
			return "", nil
		}
	}
	return "", nil
}

// tracing is what checks of a dispatch's unfinished work left behind. It is kept for the case that the run is killed before
// the dispatch ends.
type tracing struct {
	workspace.Traces
	Failed *machine.Check `json:"failed,omitempty"` // what the last of them showed, where that was a failure
}

// tracingOf is the name under which that is kept.
func tracingOf(id string) string { return id + "/proof" }

// traceFrom notes what is there before commands run. What earlier checks left they may write again.
func (e *Engine) traceFrom(ctx context.Context, w snapshot) error {
	name := tracingOf(w.ID)
	t, _, err := e.traces(ctx, w.ID)
	if err != nil {
		return err
	}
	if e.Journal.State().Snapshots.Of(name) == "" {
		t.Left = slices.DeleteFunc(w.Saved.All(), func(f git.File) bool { return !e.changes().IsByProduct(f.Path, e.Journal.State().Tasks) })
	}
	t.Failed = nil
	if err := t.Begin(ctx, e.Repo); err != nil {
		return err
	}
	return e.facts().Keep(ctx, name, t)
}

// traceTo notes what commands showed, once they ended.
func (e *Engine) traceTo(ctx context.Context, id string, failed *machine.Check) error {
	t, _, err := e.traces(ctx, id)
	if err != nil || failed == nil {
		return err
	}
	t.Failed = failed
	return e.facts().Keep(ctx, tracingOf(id), t)
}

// leaveTraces counts what checks left behind during a dispatch as by-products. Where the agent gave up it says by which
// check: whether two attempts fail alike is seen by that.
func (e *Engine) leaveTraces(ctx context.Context, id string, out personas.Outcome, found *restored) error {
	t, left, err := e.traces(ctx, id)
	found.byProducts = append(found.byProducts, left...)
	found.claimed = slices.DeleteFunc(found.claimed, func(p string) bool { return slices.Contains(left, p) })
	if t.Failed != nil && out.Reply != nil && out.Reply.Status == personas.StatusFailed {
		found.failed = []machine.Check{*t.Failed}
	}
	return err
}

// traces are what the checks of a dispatch left behind, and those of them that nobody changed since. A check that was
// cut off is ended.
func (e *Engine) traces(ctx context.Context, id string) (t tracing, unchanged []string, err error) {
	if known, err := e.facts().Get(ctx, tracingOf(id), &t); err != nil || !known {
		return t, nil, err
	}
	if t.Running {
		if err := t.End(ctx, e.Repo); err != nil {
			return t, nil, err
		}
		if err := e.facts().Keep(ctx, tracingOf(id), t); err != nil {
			return t, nil, err
		}
	}
	unchanged, err = t.Unchanged(e.Repo)
	return t, unchanged, err
}
