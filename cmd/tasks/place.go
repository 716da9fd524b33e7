package tasks

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/tasks"
	"autopilot/autopilot/validate"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	harness "autopilot/sessions/hooks"
	"autopilot/sessions/taskfile"
)

// taskPlace is a task file, and who works through it.
type taskPlace struct {
	host  *console.Host
	store *taskfile.Store
	root  string
}

// findTasks finds the task file: HARNESS_STATE_ROOT, CLAUDE_PROJECT_DIR, or this folder and those above it.
func findTasks(ctx context.Context, h *console.Host) (*taskPlace, error) {
	root, ok := taskfile.Find(h.Getenv, h.Dir)
	if !ok {
		return nil, noTasks(h)
	}
	return trustedTasksAt(ctx, h, root)
}

// trustedTasksAt is tasksAt for a command: it refuses a list of another user, and a .harness that is no folder.
func trustedTasksAt(ctx context.Context, h *console.Host, root string) (*taskPlace, error) {
	if err := app.CheckOwner(ctx, h, root, taskfile.FileName); err != nil {
		return nil, err
	}
	return tasksAt(h, root), app.PlainHarness(root)
}

// noTasks says what to do where there is no task file: where its backup is, one was there.
func noTasks(h *console.Host) error {
	root, ok := taskfile.FindBackup(h.Getenv, h.Dir)
	if !ok {
		return console.UsageError("there is no harness-tasks.json here or above. Begin one: autopilot tasks init")
	}
	at := func(name string) string {
		if here, err := filepath.EvalSymlinks(h.Dir); err == nil && here == root {
			return name
		}
		return shell.QuotePath(filepath.Join(root, name))
	}
	return console.UsageError("%s is gone from %s, and its backup is there. Bring it back: mv %s %s\nOr remove the backup, and start over: autopilot tasks init",
		taskfile.FileName, root, at(taskfile.BackupName), at(taskfile.FileName))
}

func tasksAt(h *console.Host, root string) *taskPlace {
	return &taskPlace{host: h, root: root, store: &taskfile.Store{Root: root, Now: h.Now, Env: h.Getenv, Disk: h.Disk}}
}

// read reads the list, and says when its file is damaged and the backup was read.
func (p *taskPlace) read() (taskfile.TaskList, error) {
	list, err := p.store.Read()
	if err == nil {
		p.tellRepaired()
	}
	return list, err
}

// readToWork reads the list as read does, and says when its version is not the one that is known. No version counts as
// that one: hands leave it out.
func (p *taskPlace) readToWork() (taskfile.TaskList, error) {
	list, err := p.read()
	if err == nil && list.Version != 0 && list.Version != taskfile.Version {
		fmt.Fprintln(p.host.Err, console.Told(fmt.Sprintf("%s says version %d; version %d is known, and it is read as that. Check that the tasks are all there: autopilot tasks list",
			taskfile.FileName, list.Version, taskfile.Version), p.host.Columns()))
	}
	return list, err
}

// update changes the list, and says when its file was damaged and was restored.
func (p *taskPlace) update(ctx context.Context, change func(*taskfile.TaskList) error) error {
	err := p.store.Update(ctx, change)
	if err == nil {
		p.tellRepaired()
	}
	return err
}

func (p *taskPlace) tellRepaired() {
	if remark := p.store.Repaired(); remark != "" {
		fmt.Fprintln(p.host.Err, console.Told(console.Clean(remark), p.host.Columns()))
	}
}

// taskFile is the store as the loop needs it.
type taskFile struct {
	*taskfile.Store
	report journal.Reporter
}

// Update tells when the file was damaged and was restored.
func (f taskFile) Update(ctx context.Context, change func(*taskfile.TaskList) error) error {
	err := f.Store.Update(ctx, change)
	if remark := f.Repaired(); err == nil && remark != "" {
		f.report.Report(journal.Note{Event: "warning", Text: remark})
		return f.Store.Log(taskfile.ProgressLine{Session: 1, Type: "WARN", Category: taskfile.CategoryEnvSetup, Message: remark})
	}
	return err
}

func (f taskFile) Log(session int, line journal.ProgressLine) error {
	return f.Store.Log(taskfile.ProgressLine{
		Session: session, Type: line.Type, Task: line.Task, Category: line.Category, Message: line.Message, Key: line.Key,
	})
}

// worker is the name under which somebody at this place claims tasks: a flag, HARNESS_WORKER_ID, or the user's machine.
func (p *taskPlace) worker(name string) string {
	return cmp.Or(name, p.host.Getenv("HARNESS_WORKER_ID"), "autopilot@"+hostname())
}

// task is the id that a command is about: its argument, HARNESS_TASK_ID, else the one that the worker has in progress.
func (p *taskPlace) task(args []string, worker string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	if id := p.host.Getenv("HARNESS_TASK_ID"); id != "" {
		return id, nil
	}
	list, err := p.read()
	if err != nil {
		return "", err
	}
	var mine []string
	for _, t := range list.Tasks {
		if _, err := list.Held(t.ID, worker); err == nil {
			mine = append(mine, t.ID)
		}
	}
	if len(mine) == 0 {
		return "", console.UsageError("%s has no task in progress. Take one: autopilot tasks claim", worker)
	}
	if len(mine) > 1 {
		return "", console.UsageError("%s has %d tasks in progress: name the one that is meant. See: autopilot tasks status", worker, len(mine))
	}
	return mine[0], nil
}

// loop puts together what works on the list's tasks in the repository that the program stands in.
func (p *taskPlace) loop(ctx context.Context, cfg taskSettings) (*tasks.Loop, error) {
	dir := p.host.Dir
	repo, err := app.RepoAt(ctx, dir, git.Open)
	if err != nil {
		return nil, err
	}
	if err := repo.Exclude(ctx, app.RunData...); err != nil {
		return nil, err
	}
	harness, mask := filepath.Join(repo.Root(), ".harness"), app.MaskOf(p.host, nil)
	cfg.Trees = app.TreesDir(p.host, repo)
	return &tasks.Loop{
		File: taskFile{p.store, cfg.report}, Repo: repo, Checks: validate.Runner{Now: p.host.Now, Env: p.host.Environ, Mask: app.Masking(mask)}, Mask: mask, Report: cfg.report, Now: p.host.Now, NewID: app.NewID,
		After: time.After, Sleep: p.host.Pause, Worker: cfg.worker, Root: p.root, Dir: filepath.Join(harness, "tasks"), Settings: cfg.Settings,
	}, nil
}

// byHandLoop is the loop for a command that takes a task or ends it: while a run, or another such command, works in this
// working tree, nobody else does.
func (p *taskPlace) byHandLoop(ctx context.Context, cfg taskSettings) (*tasks.Loop, taskLocks, error) {
	list, err := p.read()
	if err != nil {
		return nil, nil, err
	}
	loop, err := p.loop(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	if list.Config.IsConcurrent() {
		loop.Line = p.line(loop)
		tree, err := app.LockTree(loop.Repo, p.host)
		return loop, taskLocks{tree}, err
	}
	locks, err := p.lockAll(loop)
	return loop, locks, err
}

// config is the configuration of the repository that the program stands in: the task file may lie elsewhere.
func (p *taskPlace) config(ctx context.Context, file string, flags map[string]any) (*config.Config, error) {
	root := p.root
	if repo, err := git.Find(ctx, p.host.Dir); err == nil {
		root = repo.Root()
	}
	cfg, _, err := app.LoadConfig(p.host, root, file, flags)
	return cfg, err
}

// taskSettings are what one command gives the loop.
type taskSettings struct {
	tasks.Settings
	worker string
	report journal.Reporter
}

// byHand are the settings of the commands that do a single step.
func (p *taskPlace) byHand(ctx context.Context, worker string, lease time.Duration) (taskSettings, error) {
	cfg, err := p.config(ctx, "", nil)
	if err != nil {
		return taskSettings{}, err
	}
	report, s := console.NewPlainReport(p.host, true, false, nil), app.Settings(cfg)
	return taskSettings{worker: p.worker(worker), report: report, Settings: tasks.Settings{
		Lease: cmp.Or(lease, leaseOf(p.host)), Hook: s.Hook, Validation: s.Validation, Cleanup: cleanupTime, Furnishing: s.WorktreeSetup, OldTests: s.OldTests,
	}}, nil
}

// cleanupTime is how long on_failure.cleanup may take.
const cleanupTime = 2 * time.Minute

// leaseOf is how long a claim holds: HARNESS_LEASE_SECONDS, else half an hour.
func leaseOf(h *console.Host) time.Duration { return harness.Lease(h.Getenv("HARNESS_LEASE_SECONDS")) }

func hostname() string {
	name, _ := os.Hostname() // "" where it is not known
	return cmp.Or(name, "localhost")
}
