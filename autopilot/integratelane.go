package autopilot

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// integration looks at what a lane made beside what others did.
type integration struct {
	journal *journal.Journal
	repo    *git.Repo
	changes changes.Changes
}

// integrateLane takes what a lane made into the run's working tree, file by file. A file that others changed since the lane was
// made is never merged: then nothing is taken, and the task runs again. It may be done twice: what was taken before a
// stop is no conflict.
func (e *Engine) integrateLane(ctx context.Context, step machine.Step) error {
	t, _ := e.Journal.State().Task(step.Task)
	lane, err := e.laneAt(ctx, t)
	if err != nil {
		return err
	}
	if lane.last.Fresh && t.Status != machine.TaskFailed {
		return e.startedOver(t)
	}
	changes, err := lane.changes().OfTask(ctx, t, t.Lane.Base)
	if err != nil {
		return err
	}
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if err := e.branch().Is(ctx, position); err != nil {
		return err
	}
	ev := machine.Event{Type: machine.TaskBrought, Task: t.ID, Base: position.Head}
	paths := git.Paths(changes)
	if ev.Conflicts, err = e.integration().conflicts(ctx, lane.Repo, t.Lane.Base, paths); err != nil {
		return err
	}
	if ev.Leftover, err = e.changes().LeftoverBeside(ctx, t.ID, paths); err != nil {
		return err
	}
	if ev.Findings, err = e.integration().foreignCommits(ctx, t.Lane.Base, position.Head); err != nil {
		return err
	}
	if len(ev.Conflicts) > 0 {
		if ev.Detail, err = e.integration().setAside(ctx, lane.Repo, t, append(paths, ev.Conflicts...), ev.Conflicts); err != nil {
			return err
		}
	} else if err := e.Repo.Files.Take(lane.Repo.Files, paths); err != nil {
		return fmt.Errorf("bringing the work of %s: %w", t.ID, err)
	} else {
		e.Journal.Note("task", fmt.Sprintf("%s is merged into the branch: %s", t.ID, cmp.Or(strings.Join(words.FirstFew(paths, 8), ", "), "no files")))
	}
	if err := e.Journal.Apply(ev); err != nil {
		return err
	}
	e.Trees().closeLane(context.WithoutCancel(ctx), filepath.Base(e.Trees().laneDir(t.Lane)))
	return nil
}

// foreignCommits finds the commits on the run's branch that the session did not make: of a human, or of an agent that left
// its lane. They stay, and the reviewer is told.
func (ig integration) foreignCommits(ctx context.Context, base, head string) ([]machine.Finding, error) {
	commits, err := ig.repo.History.Between(ctx, base, head)
	if err != nil {
		return nil, err
	}
	var findings []machine.Finding
	for _, c := range commits {
		if ig.changes.IsOurs(c) {
			continue
		}
		subject, _, _ := strings.Cut(c.Message, "\n")
		f := machine.Finding{
			Severity: machine.Important, Title: "a commit that is not the session's came onto the branch meanwhile: " + words.Commit(c.SHA) + " " + words.OneLine(subject),
			Rationale: "It was left where it is. To see it: git show " + words.Commit(c.SHA), Source: "integrity",
		}
		ig.journal.Note("warning", f.Title)
		findings = append(findings, f)
	}
	return findings, nil
}

// setAside keeps the work of a lane that met others' under a ref, and says so.
func (ig integration) setAside(ctx context.Context, lane *git.Repo, t machine.Task, paths, met []string) (string, error) {
	saved, err := lane.Files.Save(ctx, refOf(ig.journal.State(), "lane/"+t.ID), "work that met other work", paths)
	if err != nil {
		return "", err
	}
	what := "it runs again on the merged code"
	if t.Status == machine.TaskFailed {
		what = "it has failed, so its work is left out"
	}
	kept := ""
	if saved.Ref != "" {
		kept = ". Its work is kept under " + saved.Ref
	}
	ig.journal.Note("info", fmt.Sprintf("%s conflicts with changes of others in %s; %s%s", t.ID, strings.Join(words.FirstFew(met, 8), ", "), what, kept))
	return saved.Ref, nil
}

// conflicts lists the paths that others changed since a commit, and that are not already what the lane has; also files of
// the user's that the lane changed, which never come into a commit.
func (ig integration) conflicts(ctx context.Context, lane *git.Repo, base string, paths []string) ([]string, error) {
	others, err := ig.repo.Tree.Changes(ctx, base)
	if err != nil {
		return nil, err
	}
	met, err := ig.repo.Files.Differ(lane.Files, git.AlsoIn(paths, git.Paths(others)))
	if err != nil {
		return nil, err
	}
	blocked, err := ig.repo.Files.InTheWay(lane.Files, paths)
	if err != nil {
		return nil, err
	}
	met = append(met, blocked...)
	all, err := lane.Tree.Changes(ctx, base)
	if err != nil {
		return nil, err
	}
	for _, p := range git.Paths(all) {
		if slices.Contains(ig.journal.State().LeftOut, p) {
			met = append(met, p)
		}
	}
	return met, nil
}
