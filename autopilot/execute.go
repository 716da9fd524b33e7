package autopilot

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"autopilot/autopilot/checks"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
)

// pick starts the next task, or ends EXECUTE: every task is completed, or none can run any more.
func (e *Engine) pick(ctx context.Context, step machine.Step) error {
	switch {
	case step.Bring:
		return e.integrateLane(ctx, step)
	case step.Done:
		return e.Journal.Apply(machine.Event{Type: machine.TasksFinished})
	case step.Stuck:
		return e.Journal.Apply(machine.Event{Type: machine.TasksExhausted})
	}
	still := e.last.Seen.Still(ctx)
	now, err := e.Repo.Tree.Status(still)
	if err != nil {
		return err
	}
	overlap, freed, err := e.changes().Overlap(still, step.Task)
	if err != nil {
		return err
	}
	leftover, err := e.changes().Leftover(still, step.Task)
	if err != nil {
		return err
	}
	e.last.Seen = git.SeenIn(still)
	return e.Journal.Apply(machine.Event{Type: machine.TaskStarted, Task: step.Task, Base: now.Head, Leftover: leftover, Overlap: overlap, Freed: freed})
}

// pickedAgain picks a task once more where a human changed, since it was picked, what it announces. Freed says whether it is
// enough that they committed it by now: the agent is yet to work on it.
func (e *Engine) pickedAgain(ctx context.Context, step machine.Step, freed bool) (bool, error) {
	s := e.Journal.State()
	t, ok := s.Task(step.Task)
	if e.main != nil || !ok || step.Name == machine.StepRescue || !slices.ContainsFunc(s.LeftOut, t.Announces) {
		return false, nil
	}
	theirs, clean, err := e.changes().Overlap(ctx, step.Task)
	if err != nil || len(theirs) == 0 && !(freed && slices.ContainsFunc(clean, t.Announces)) {
		return false, err
	}
	return true, e.Journal.Apply(machine.Event{Type: machine.TaskStarted, Task: step.Task})
}

// validate holds a task's tree against the evidence: the diff, the integrity checks, and the commands, run here and
// now. It also looks at what a human fixed by hand (step rescue).
func (e *Engine) validate(ctx context.Context, step machine.Step) error {
	s := e.Journal.State()
	t, _ := s.Task(step.Task)
	if again, err := e.pickedAgain(ctx, step, false); again || err != nil {
		return err
	}
	aside, err := large{e.Journal, e.Repo, e.checks(), e.changes()}.settle(ctx, step, t)
	if err != nil {
		return err
	}
	if t.Large != nil {
		e.last.Seen = nil
	}
	still := e.last.Seen.Still(ctx)
	now, err := e.Repo.Tree.Status(still)
	if err != nil {
		return err
	}
	made, err := e.changes().OfAttempt(still, step, t, now.Head)
	if err != nil {
		return err
	}
	made.Changes = slices.DeleteFunc(made.Changes, func(c git.Change) bool { return slices.Contains(aside, c.Path) })
	findings, err := e.checks().JudgeWork(still, t, made)
	if err != nil {
		return err
	}
	ev := machine.Event{Type: machine.Validated, Task: t.ID, Findings: findings, Rollback: e.Settings.Rollback, Waived: e.Settings.ValidateNone, ByProducts: aside}
	if len(machine.Blocking(findings, machine.Standard)) == 0 {
		log := filepath.Join("attempts", fmt.Sprint(step.Phase), t.ID, fmt.Sprint(max(1, t.Dispatches)), "validation.log")
		ran, err := e.checks().Do(ctx, checks.Job{Root: e.Repo.Root(), List: e.checks().OfTask(t, made.Changes), Log: log, UntilFailure: true, Task: &t, Aside: aside, Seen: git.SeenIn(still)})
		if err != nil {
			return err
		}
		e.last.Seen = ran.Seen
		ev.Checks, ev.ByProducts, ev.Evidence = ran.Checks, ran.ByProducts, ran.Evidence
		ev.Large = checks.LargeOf(e.Repo.Root(), e.checks().Large(made.Changes))
		shown, err := e.checks().Prove(ctx, made, e.checks().OfTask(t, made.Changes), ran.Checks, false)
		if err != nil {
			return err
		}
		ev.Findings, ev.Proofs = append(ev.Findings, shown.Findings...), shown.Lines
	}
	return e.Journal.ApplyWith(func(key string) (machine.Event, error) { return ev, e.writeEvidence(key, step, t, ev) })
}

// writeEvidence keeps what the decision on a task rests on, for people: the journal has it, too.
func (e *Engine) writeEvidence(key string, step machine.Step, t machine.Task, ev machine.Event) error {
	dir, err := e.Records.AttemptDir(step.Phase, t.ID, max(1, t.Dispatches))
	if err != nil {
		return err
	}
	return plainfile.WriteJSON(filepath.Join(dir, "evidence.json"), machine.EvidenceShown(key, ev))
}

// rollback puts what the task changed back to its base; the work is kept under a ref.
func (e *Engine) rollback(ctx context.Context, step machine.Step) error {
	t, _ := e.Journal.State().Task(step.Task)
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	base, err := e.changes().DiffBase(ctx, t, position.Head)
	if err != nil {
		return err
	}
	changes, err := e.changes().OfTask(ctx, t, base)
	if err != nil {
		return err
	}
	ref := e.ref(fmt.Sprintf("rollback/%s/%d", t.ID, len(t.Attempts)))
	saved, err := e.Repo.Files.Reset(ctx, base, git.Paths(changes), ref)
	if err != nil {
		return err
	}
	e.Journal.Progress(journal.ProgressLine{Type: "ROLLBACK", Task: t.ID, Message: "back to " + words.Commit(base) + "; the work is kept as " + saved.Ref})
	return e.Journal.Apply(machine.Event{Type: machine.RolledBack, Task: t.ID})
}
