package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// putRight takes back what the agent did to branch, HEAD, index and refs, restores the user's files that are gone, and
// puts back what the agent wrote into the task file. Commits of its own are taken back, their files stay; anything worse
// is a failed attempt.
func (l *Loop) putRight(ctx context.Context, t machine.ListedTask, dispatch string, w watched) error {
	deviation, err := l.Repo.Compare(ctx, w.guard)
	if err != nil {
		return fmt.Errorf("putting the repository right after the dispatch: %w", err)
	}
	kept := l.ref(t.ID, "undone", dispatch)
	if deviation.HeadAhead || deviation.IndexChanged || !deviation.Mild() {
		if err := l.Repo.PutBack(ctx, w.guard, deviation, kept); err != nil {
			return fmt.Errorf("putting the repository right after the dispatch: %w", err)
		}
	}
	if deviation.HeadAhead {
		l.say("finding", "the agent made commits of its own; they were taken back, the files stay; they are kept under %s", kept)
	}
	l.restore(ctx, "the agent", deviation, w.users)
	mild := l.shared(deviation, kept)
	if err := l.sameOthers(ctx, t, w.list); err != nil {
		return err
	}
	if err := l.sameTask(ctx, t); err != nil || mild {
		return err
	}
	return &failure{machine.CategoryTaskExec, "the agent " + strings.Join(deviation.Other, ", and ") + "; it was put back, and is kept under " + kept}
}

// shared tells of refs that all working trees share, and says whether nothing worse happened. Where others are at work as
// well, nobody knows whose agent it was.
func (l *Loop) shared(d git.Deviation, kept string) bool {
	if l.Line == nil {
		return d.Mild()
	}
	worse := slices.ContainsFunc(d.Other, func(what string) bool { return !slices.Contains(d.Shared, what) })
	for _, what := range d.Shared {
		l.say("finding", "one of the agents at work, or you, %s; it was put back, and what was there is kept under %s", what, kept)
	}
	return !worse
}

// restore brings back the user's files that somebody deleted, and names those that were changed.
func (l *Loop) restore(ctx context.Context, who string, d git.Deviation, users git.Saved) {
	for _, path := range d.UserDeleted {
		if err := l.Repo.RestorePaths(ctx, users.Ref, []string{path}); err != nil {
			l.say("warning", "%s is gone and could not be restored: %v", path, err)
			continue
		}
		l.say("finding", "%s deleted a file of yours; it was restored: %s", who, path)
	}
	for _, path := range d.UserAltered {
		l.say("finding", "a file with your uncommitted changes was altered; it is kept out of the commits: %s\nThe version from before: git restore --source=%s --worktree -- %s", path, users.Ref, quote(path))
	}
}

// quote quotes a path for a shell.
func quote(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// sameTask looks whether the task in the file is still this worker's, and as it was claimed. An agent may have edited the
// file: what it wrote into the task's entry is put back. A status is no proof and does no harm; whoever changes what
// checks the task has failed.
func (l *Loop) sameTask(ctx context.Context, t machine.ListedTask) error {
	list, err := l.File.Read()
	if err != nil {
		return err
	}
	now := list.Find(t.ID)
	held := now != nil && l.mine(&list, *now)
	if now != nil && !held && l.passedOn(ctx, t, *now) {
		return &lostError{machine.ErrNotYours}
	}
	weaker := now == nil || now.Validation != t.Validation || !slices.Equal(now.DependsOn, t.DependsOn) || now.MaxAttempts != t.MaxAttempts || now.Attempts != t.Attempts
	if held && !weaker {
		return nil
	}
	if err := l.File.Update(ctx, func(list *machine.TaskList) error { return l.putEntryBack(list, t) }); err != nil {
		return err
	}
	if weaker {
		return &failure{machine.CategoryTaskExec, "the task's own entry in harness-tasks.json was changed while the agent worked; it was put back"}
	}
	l.say("finding", "the agent wrote a status into harness-tasks.json; it was put back")
	return nil
}

// passedOn says whether a task was given to somebody else meanwhile, as programs do it: claimed by another, failed with
// the reason in its error log, or completed by a commit that names it. What else stands there an agent wrote.
func (l *Loop) passedOn(ctx context.Context, t, now machine.ListedTask) bool {
	switch now.Status {
	case machine.TaskRunning:
		return now.ClaimedBy != nil && *now.ClaimedBy != l.Worker
	case machine.TaskFailed:
		return now.Attempts > t.Attempts && len(now.ErrorLog) > len(t.ErrorLog)
	case machine.TaskCompleted:
		c, err := l.Repo.Describe(ctx, now.Commit)
		return l.Line != nil && now.Commit != "" && err == nil && names(c, t.ID)
	}
	return false
}

// sameOthers puts back what happened to other tasks of the list during a dispatch: in a list that is worked through one
// task at a time nobody completed them, and what checks them is not for an agent to change. New tasks stay.
func (l *Loop) sameOthers(ctx context.Context, t machine.ListedTask, before machine.TaskList) error {
	if before.Config.IsConcurrent() {
		return nil
	}
	var marked []string
	err := l.File.Update(ctx, func(list *machine.TaskList) error {
		for _, was := range before.Tasks {
			now := list.Find(was.ID)
			switch {
			case was.ID == t.ID:
			case now == nil:
				marked = append(marked, was.ID)
				list.Tasks = append(list.Tasks, was)
			case alteredEntry(was, *now):
				marked = append(marked, was.ID)
				now.Status, now.CompletedAt, now.Attempts = was.Status, was.CompletedAt, was.Attempts
				now.Validation, now.DependsOn, now.MaxAttempts = was.Validation, was.DependsOn, was.MaxAttempts
			}
		}
		return nil
	})
	if len(marked) > 0 {
		l.say("finding", "tasks were removed, marked as completed or weakened in harness-tasks.json while an agent worked on %s, and put back: %s", t.ID, strings.Join(marked, ", "))
	}
	return err
}

// alteredEntry says whether a task was marked as completed, or what checks it was changed.
func alteredEntry(was, now machine.ListedTask) bool {
	marked := now.Status == machine.TaskCompleted && was.Status != machine.TaskCompleted
	return marked || now.Validation != was.Validation || !slices.Equal(now.DependsOn, was.DependsOn) ||
		now.MaxAttempts != was.MaxAttempts || now.Attempts != was.Attempts
}

// putEntryBack makes a task what it was when it was claimed, and in progress. Checkpoints and lines of its error log that
// were added stay.
func (l *Loop) putEntryBack(list *machine.TaskList, t machine.ListedTask) error {
	now := list.Find(t.ID)
	if now == nil {
		list.Tasks = append(list.Tasks, t)
		now = &list.Tasks[len(list.Tasks)-1]
	}
	was := t
	was.Checkpoints = now.Checkpoints
	if len(now.ErrorLog) > len(t.ErrorLog) {
		was.ErrorLog = now.ErrorLog
	}
	*now = was
	_, err := list.Renew(t.ID, l.Worker, l.Now(), l.Settings.Lease)
	return err
}
