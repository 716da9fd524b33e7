package tasks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
	"autopilot/autopilot/tasks"
	"autopilot/autopilot/workspace"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/manual"
	"autopilot/sessions/taskfile"
)

type tasksRunOptions struct {
	app.RunFlags

	worker          string
	skipUnvalidated bool
}

func newTasksRun(h *console.Host) *cobra.Command {
	o := &tasksRunOptions{RunFlags: app.RunFlags{Host: h}}
	c := &cobra.Command{
		Use: "run", Short: "Run the tasks with agents, one after the other",
		Long: "Finishes what an earlier run left in progress, then runs one task after the other. An agent does the task and autopilot runs\n" +
			"its validation: work that passes is committed, other work is undone (the key tasks.on_failure is for specs only). Exit\n" +
			"code 0: all completed, 1: some failed for good, 2: a task has no validation, 5: a rate limit, a budget, or a limit that the\n" +
			"list sets (max_tasks_per_session, max_sessions) is reached.",
		Example: "  autopilot tasks run\n  autopilot tasks run --backend mine --skip-unvalidated", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runTasksRun(c.Context(), o) },
	}
	f := c.Flags()
	o.WorkFlags(f)
	o.BackendFlags(f, "for the executor")
	f.StringVar(&o.worker, "worker", "", "claim tasks as `NAME` (default HARNESS_WORKER_ID, else this machine's name)")
	f.BoolVar(&o.skipUnvalidated, "skip-unvalidated", false, "skip tasks without a validation instead of stopping there")
	f.BoolVar(&o.Quiet, "quiet", false, "print only what went wrong: findings and warnings")
	app.DeclareLimits(f, " in this run")
	return c
}

// runTasksRun holds the file for itself where only one may work through it, and runs the loop.
func runTasksRun(ctx context.Context, o *tasksRunOptions) error {
	p, err := findTasks(ctx, o.Host)
	if err != nil {
		return err
	}
	list, err := p.readToWork()
	if err != nil {
		return p.corrupt(err)
	}
	flags, err := o.ConfigFlags()
	if err != nil {
		return err
	}
	cfg, err := p.config(ctx, o.ConfigFile, flags)
	if err != nil {
		return err
	}
	loop, err := o.loop(ctx, p, cfg)
	if err != nil {
		return err
	}
	if !o.JSON {
		defer o.Host.Tick(ctx)()
	}
	o.report(p, loop)
	if list.Config.IsConcurrent() {
		return p.corrupt(o.runWorker(ctx, p, loop))
	}
	locks, err := p.lockAll(loop)
	if err != nil {
		return err
	}
	defer locks.close()
	return p.corrupt(o.runAlone(ctx, loop, locks))
}

// runAlone works through the list in the user's own working tree.
func (o *tasksRunOptions) runAlone(ctx context.Context, loop *tasks.Loop, locks taskLocks) error {
	if err := holdBy(loop, locks.file()); err != nil {
		return err
	}
	if more, err := loop.Open(ctx); err != nil || !more {
		return err
	}
	defer loop.Repo.Leave()
	if err := o.stand(ctx, loop); err != nil {
		return err
	}
	return loop.Run(ctx)
}

// holdBy gives the loop the lock of its commands, once nothing of an earlier run that held it lives on.
func holdBy(loop *tasks.Loop, lock *os.File) error {
	err := app.EndLeft(lock, loop.Report)
	loop.LockFile, loop.Checks.LockFile, loop.KilledAt = lock, lock, process.EndedAt(lock)
	return err
}

// corrupt logs that the task file cannot be read any more.
func (p *taskPlace) corrupt(err error) error {
	if _, ok := errors.AsType[*taskfile.CorruptError](err); ok {
		err = errors.Join(err, p.store.Log(taskfile.ProgressLine{
			Session: 1, Type: "ERROR", Category: taskfile.CategoryEnvSetup, Message: taskfile.FileName + " corrupted and unrecoverable",
		}))
	}
	return err
}

// loop puts the loop together, with the executor and what plays it.
func (o *tasksRunOptions) loop(ctx context.Context, p *taskPlace, cfg *config.Config) (*tasks.Loop, error) {
	s := app.Settings(cfg)
	var report journal.Reporter = console.NewPlainReport(o.Host, o.Quiet, o.Verbose, nil)
	if o.JSON {
		report = console.NewJSONReport(o.Host, func() string { return "tasks" })
	}
	loop, err := p.loop(ctx, taskSettings{worker: p.worker(o.worker), report: report, Settings: tasks.Settings{
		Lease: leaseOf(o.Host), Idle: s.Idle, Dispatch: s.Dispatch, Hook: s.Hook, Cleanup: cleanupTime, Validation: s.Validation, Turns: s.Turns,
		Limits: s.Limits, LongestWait: s.LongestWait,
		SkipUnvalidated: o.skipUnvalidated, Furnishing: s.WorktreeSetup, OldTests: s.OldTests,
	}})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(app.NotOwnTree(loop.Repo), loop.Repo.Config.Pin(ctx)); err != nil {
		return nil, err
	}
	set, err := app.Personas(filepath.Join(loop.Repo.Root(), ".harness"))
	if err != nil {
		return nil, err
	}
	loop.Repo.Settings.Keep(cfg.Git.Keep)
	loop.Checks.Around = (&workspace.Tools{Repo: loop.Repo, Tell: func(text string) { report.Report(journal.Note{Event: "info", Text: text}) }, Beside: func() bool { return loop.Line != nil }}).Around
	loop.Persona, loop.Mask = set.For(personas.Executor, personas.Work), app.MaskOf(o.Host, cfg)
	loop.Checks.Mask, loop.Checks.Env = app.Masking(loop.Mask), app.AgentsEnviron(o.Host, cfg)
	made := o.Backends(loop.Repo.Root(), cfg, report)
	more, err := p.trustEntries(ctx, loop)
	if err != nil {
		return nil, err
	}
	agreed, err := o.AskTrust(ctx, made, loop.Repo, nil, more...)
	if err != nil {
		return nil, err
	}
	for _, line := range agreed {
		report.Report(journal.Note{Event: "info", Text: line})
	}
	loop.Backends = made
	backend, name, err := made.For(loop.Persona)
	if _, ok := backend.(manual.Backend); ok {
		return nil, console.UsageError("backend %s is a person, whom a run does not wait for\nDo the tasks by hand: autopilot tasks claim, then autopilot tasks complete. Or name another: --backend", name)
	}
	return loop, err
}

// stand makes sure that the working tree is one to work in: on a branch of its own, and without uncommitted changes of
// the user's. What an interrupted task left is no such change.
func (o *tasksRunOptions) stand(ctx context.Context, loop *tasks.Loop) error {
	if err := loop.Repo.TakeUp(ctx); err != nil || loop.Own {
		return err
	}
	if err := loop.Here(ctx); err != nil {
		return err
	}
	theirs, err := loop.UsersChanges(ctx)
	if err != nil {
		return err
	}
	if len(theirs) > 0 && !o.AllowDirty {
		return console.UsageError("there are uncommitted changes: %s\nCommit or stash them (git stash), or start beside them and keep them out of every commit: --allow-dirty",
			strings.Join(theirs[:min(len(theirs), 8)], ", "))
	}
	if loop.Line != nil {
		return nil
	}
	claims, err := app.ClaimsBelow(o.Host, filepath.Join(loop.Repo.Root(), ".harness"), "")
	if err != nil {
		return err
	}
	return loop.OwnBranch(ctx, claims, o.NoBranch)
}

// report has the last object of --json say how the list stands.
func (o *tasksRunOptions) report(p *taskPlace, loop *tasks.Loop) {
	report, ok := loop.Report.(*console.JSONReport)
	if !ok {
		return
	}
	o.Host.Final = func(code int, err error) {
		object := map[string]any{"event": "final", "session": "tasks", "exitCode": code}
		if list, readErr := p.store.Read(); readErr == nil {
			c := list.Counts()
			object["total"], object["completed"], object["failed"], object["pending"], object["blocked"], object["inProgress"] = c.Total, c.Completed, c.Failed, c.Pending, c.Blocked, c.Running
			object["metrics"], object["taskMetrics"], object["targets"] = loop.Metrics(), loop.TaskMetrics(list), machine.Target
		}
		if err != nil {
			object["error"] = console.WithRemedy(err)
		}
		report.Write(object)
	}
}

// trustEntries are the commands of a list that came with the repository.
func (p *taskPlace) trustEntries(ctx context.Context, loop *tasks.Loop) ([]app.TrustEntry, error) {
	carried, err := loop.Repo.Tree.Carries(ctx, plainfile.Rel(loop.Repo.Root(), p.store.Path()))
	if err != nil || !carried {
		return nil, err
	}
	list, err := p.store.Read()
	return commandsOf(list.Tasks), err
}

// trustAdded takes the commands that a person gives a task as agreed to. Where that can't be saved, a run asks.
func (p *taskPlace) trustAdded(ctx context.Context, added taskfile.ListedTask) {
	repo, err := app.RepoAt(ctx, p.root, git.Find)
	if err != nil {
		return
	}
	if entries, f, err := app.Unanswered(p.host, repo, commandsOf([]taskfile.ListedTask{added})); err == nil && len(entries) > 0 {
		_ = f.Keep(entries, p.host.Now())
	}
}

// commandsOf are the commands of tasks.
func commandsOf(list []taskfile.ListedTask) (entries []app.TrustEntry) {
	for _, t := range list {
		commands := []string{t.Validation.Command}
		if t.OnFailure.Cleanup != nil {
			commands = append(commands, *t.OnFailure.Cleanup)
		}
		for _, command := range commands {
			if command != "" {
				entries = append(entries, app.TrustEntry{Kind: app.TrustValidation, What: command, File: taskfile.FileName, When: "with " + t.ID})
			}
		}
	}
	return entries
}
