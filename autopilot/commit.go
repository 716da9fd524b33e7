package autopilot

import (
	"context"
	"fmt"
	"strings"

	"autopilot/autopilot/commits"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// commitPlan commits the approved plan.
func (e *Engine) commitPlan(ctx context.Context, _ machine.Step) error {
	p, ctx := e.Journal.Phase(), git.Still(ctx)
	changed, err := e.commits().Differing(ctx, p.PlanPath)
	if err != nil {
		return err
	}
	return e.commits().Make(ctx, commits.Order{Kind: "plan", Subject: commits.Subject(e.commits().Label(), "Plan: "+p.Name), Paths: changed})
}

func (e *Engine) commitTask(ctx context.Context, step machine.Step) error {
	t, _ := e.Journal.State().Task(step.Task)
	ctx = e.last.Seen.Still(ctx)
	paths, err := e.changes().UncommittedOf(ctx, t)
	if err != nil {
		return err
	}
	body := ""
	if n := len(t.Failures()); n > 0 {
		body = fmt.Sprintf("Done on attempt %d.", n+1)
	}
	if t.Unverified {
		body = strings.TrimSpace(body + "\n\nNot verified: there was no validation to run.")
	}
	return e.commits().Make(ctx, commits.Order{Kind: "task", Subject: commits.Subject(e.commits().Label(), t.Title), Body: body, Task: t.ID, Paths: paths})
}

func (e *Engine) commitCheckpoint(ctx context.Context, _ machine.Step) error {
	s := e.Journal.State()
	t, _ := s.Task(s.CurrentTask)
	paths, err := e.changes().UncommittedOf(ctx, t)
	if err != nil {
		return err
	}
	number, text := 0, ""
	for i, c := range s.Checkpoints {
		if c.Passed && c.Kind != machine.CheckpointDecision {
			number, text = i+1, c.Text
		}
	}
	return e.commits().Make(ctx, commits.Order{Kind: "checkpoint", Subject: commits.Subject("[autopilot]", fmt.Sprintf("Checkpoint %d: %s", number, text)), Paths: paths})
}

// commitRecovery keeps the work of a phase that cannot go on. A hook's no must not lose it: then it is kept under a ref.
func (e *Engine) commitRecovery(ctx context.Context, _ machine.Step) error {
	s := e.Journal.State()
	paths, err := e.changes().Uncommitted(ctx)
	if err != nil {
		return err
	}
	for _, t := range s.Tasks {
		if failed := t.Failures(); t.Status == machine.TaskFailed && len(failed) > 0 {
			key := fmt.Sprintf("%s/%d/%s", s.SessionID, s.CurrentPhase, t.ID)
			if err := e.Memory.Fail(key, "task", words.OneLine(t.Title+": "+failed[len(failed)-1].Error)); err != nil {
				return err
			}
		}
	}
	if len(paths) > 0 {
		if _, err := e.Repo.Files.Save(ctx, e.ref(fmt.Sprintf("recovery/%d", s.Revision)), "work of a phase that could not go on", paths); err != nil {
			return err
		}
	}
	return e.commits().Make(ctx, commits.Order{Kind: "recovery", Subject: commits.Subject("[autopilot][recovery]", "Phase "+e.Journal.Phase().Number+": unfinished work"), Paths: paths})
}

// commitHuman commits what a person fixed by hand.
func (e *Engine) commitHuman(ctx context.Context, _ machine.Step) error {
	paths, err := e.changes().Uncommitted(ctx)
	if err != nil {
		return err
	}
	return e.commits().Make(ctx, commits.Order{Kind: "human", Subject: commits.Subject(e.commits().Label(), "Fixed by hand"), Paths: paths})
}
