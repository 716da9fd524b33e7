package autopilot

import (
	"context"
	"fmt"
	"strings"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/commits"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// committing chooses what each commit of the session has.
type committing struct {
	journal *journal.Journal
	memory  Memory
	repo    *git.Repo
	changes changes.Changes
	commits commits.Commits
	last    *attempts.Look
}

// commitPlan commits the approved plan.
func (co committing) commitPlan(ctx context.Context, _ machine.Step) error {
	p, ctx := co.journal.Phase(), git.Still(ctx)
	changed, err := co.commits.Differing(ctx, p.PlanPath)
	if err != nil {
		return err
	}
	return co.commits.Make(ctx, commits.Order{Kind: "plan", Subject: commits.Subject(co.commits.Label(), "Plan: "+p.Name), Paths: changed})
}

func (co committing) commitTask(ctx context.Context, step machine.Step) error {
	t, _ := co.journal.State().Task(step.Task)
	ctx = co.last.Seen.Still(ctx)
	paths, err := co.changes.UncommittedOf(ctx, t)
	if err != nil {
		return err
	}
	body := commits.Body(t.Summary, len(t.Failures())+1)
	if t.Unverified {
		body = strings.TrimSpace(body + "\n\nNot verified: there was no validation to run.")
	}
	if t.Unproven {
		body = strings.TrimSpace(body + "\n\nNot proven: the previous tests fail on the new code.")
	}
	return co.commits.Make(ctx, commits.Order{Kind: "task", Subject: commits.Subject(co.commits.Label(), t.Title), Body: body, Task: t.ID, Paths: paths})
}

func (co committing) commitCheckpoint(ctx context.Context, _ machine.Step) error {
	s := co.journal.State()
	t, _ := s.Task(s.CurrentTask)
	paths, err := co.changes.UncommittedOf(ctx, t)
	if err != nil {
		return err
	}
	number, text := 0, ""
	for i, c := range s.Checkpoints {
		if c.Passed && c.Kind != machine.CheckpointDecision {
			number, text = i+1, c.Text
		}
	}
	return co.commits.Make(ctx, commits.Order{Kind: "checkpoint", Subject: commits.Subject("[autopilot]", fmt.Sprintf("Checkpoint %d: %s", number, text)), Paths: paths})
}

// commitRecovery keeps the work of a phase that cannot go on. A hook's no must not lose it: then it is kept under a ref.
// What is too much to be committed unasked stays where it is.
func (co committing) commitRecovery(ctx context.Context, _ machine.Step) error {
	s := co.journal.State()
	all, err := co.changes.OfTask(ctx, machine.Task{}, "HEAD")
	if err != nil {
		return err
	}
	large := checks.TooMuch(co.repo.Root(), all, s.Tasks)
	if l := checks.LargeOf(co.repo.Root(), large); l != nil {
		co.journal.Note("warning", "Not committed, because they are large and no task names them: "+l.String())
	}
	paths := changes.NewIn(git.Paths(all), git.Paths(large))
	for _, t := range s.Tasks {
		if failed := t.Failures(); t.Status == machine.TaskFailed && len(failed) > 0 {
			key := fmt.Sprintf("%s/%d/%s", s.SessionID, s.CurrentPhase, t.ID)
			if err := co.memory.Fail(key, "task", words.OneLine(t.Title+": "+failed[len(failed)-1].Error)); err != nil {
				return err
			}
		}
	}
	if len(paths) > 0 {
		if _, err := co.repo.Files.Save(ctx, refOf(co.journal.State(), fmt.Sprintf("recovery/%d", s.Revision)), "work of a phase that could not go on", paths); err != nil {
			return err
		}
	}
	return co.commits.Make(ctx, commits.Order{Kind: "recovery", Subject: commits.Subject("[autopilot][recovery]", "Phase "+co.journal.Phase().Number+": unfinished work"), Paths: paths})
}

// commitHuman commits what a person fixed by hand.
func (co committing) commitHuman(ctx context.Context, _ machine.Step) error {
	paths, err := co.changes.Uncommitted(ctx)
	if err != nil {
		return err
	}
	return co.commits.Make(ctx, commits.Order{Kind: "human", Subject: commits.Subject(co.commits.Label(), "Fixed by hand"), Paths: paths})
}
