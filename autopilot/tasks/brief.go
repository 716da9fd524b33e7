package tasks

import (
	"context"
	"os"
	"strings"

	"autopilot/autopilot/dispatch"
	"autopilot/personas"
	"autopilot/sessions/taskfile"
)

const (
	logLines   = 200 // of harness-progress.txt that a prompt is made of
	maxCommits = 20  // that a prompt names
	maxLog     = 20_000
	maxPart    = 6_000 // bytes of each other part of a prompt
)

// brief is what a dispatch has to name: the task, what failed before, and where the work stands.
func (a attempts) brief(ctx context.Context, t taskfile.ListedTask, d personas.Dispatch) (personas.Brief, error) {
	b := personas.Brief{
		Purpose: personas.Work, SessionDir: a.dir, ReplyPath: d.ReplyPath, Base: baseOf(t), Validations: []string{t.Validation.Command},
		Attempt: t.Attempts + 1, MaxAttempts: t.MaxAttempts, RolledBack: true,
		Task: &personas.TaskBrief{ID: t.ID, Number: t.ID, Title: t.Title, Body: t.Description, Steps: t.Steps, ChangesTests: t.ChangesTests, DependsOn: t.DependsOn, Validation: t.Validation.Command},
		Notes: []string{
			`After each larger step say so in a line of its own, such as: CHECKPOINT step=2/4 "routes written, tests to come". A run that is cut off goes on from there.`,
		},
	}
	if len(t.ErrorLog) > 0 {
		b.Failure = t.ErrorLog[len(t.ErrorLog)-1]
		if out, err := os.ReadFile(a.rollback.failureFile(t.ID)); err == nil {
			b.Failure = string(out)
		}
	}
	if last := len(t.Checkpoints); last > 0 {
		b.Interrupted = true
		b.Notes = append(b.Notes, "The last step that was reported: "+t.Checkpoints[last-1].Description)
	}
	saved, _, err := a.notes.remembered(ctx, t)
	if err != nil {
		return b, err
	}
	b.Dirty = saved.Users
	b.Guide, b.GuidePath = dispatch.Guide(a.mask, a.repo.Root())
	b.Standing, err = a.standing(ctx)
	return b, err
}

// standing is where the work stands: the log, the last commits, what is uncommitted.
func (a attempts) standing(ctx context.Context) ([]personas.Section, error) {
	commits, err := a.repo.History.Log(ctx, maxCommits)
	if err != nil {
		return nil, err
	}
	var log strings.Builder
	for _, c := range commits {
		log.WriteString(short(c.SHA) + " " + c.Subject + "\n")
	}
	stat, err := a.repo.Tree.DiffStat(ctx, "HEAD", "")
	if err != nil {
		return nil, err
	}
	parts := []personas.Section{
		{Title: "The log of the task file", Text: tail(strings.Join(a.file.LastLines(logLines), "\n"), maxLog)},
		{Title: "The last commits", Text: log.String()},
		{Title: "Uncommitted", Text: tail(stat, maxPart)},
	}
	var full []personas.Section
	for _, p := range parts {
		if p.Text = strings.TrimSpace(p.Text); p.Text != "" {
			full = append(full, p)
		}
	}
	return full, nil
}
