package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/branches"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/tasks"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/storage"
	"autopilot/sessions/taskfile"
)

// taskLocks keep others out: of the file where one at a time works through it, and of the working tree.
type taskLocks []*storage.Lock

func (l taskLocks) close() {
	for _, lock := range l {
		lock.Close()
	}
}

// file goes to the supervisor of child processes, which holds the lock while one of them lives.
func (l taskLocks) file() *os.File { return l[0].File() }

// lockAll takes the list, which one at a time works through, and the working tree.
func (p *taskPlace) lockAll(loop *tasks.Loop) (taskLocks, error) {
	run, err := app.TakeLock(func() (*storage.Lock, error) { return taskfile.LockRun(p.root, p.host.Now) })
	if err != nil {
		return nil, err
	}
	tree, err := app.LockTree(loop.Repo, p.host)
	if err != nil {
		run.Close()
		return nil, err
	}
	return taskLocks{run, tree}, nil
}

// lineWait is how long a worker waits before it tries again for the line's lock.
const lineWait = 5 * time.Millisecond

// line is what the workers of a concurrent list share.
func (p *taskPlace) line(loop *tasks.Loop) *tasks.Line {
	repo := loop.Repo
	return &tasks.Line{
		Lock: func(ctx context.Context) (func(), error) {
			release, err := lockLine(ctx, repo, p.host)
			if err != nil {
				return nil, err
			}
			if err := branches.UnlockRefs(ctx, repo, tasks.LineRef, loop.Report); err != nil {
				release()
				return nil, err
			}
			return release, nil
		},
		AtWork: func(worker string) bool {
			lock, err := p.lockWorker(repo, tasks.RefPart(worker))
			if err == nil {
				lock.Close()
			}
			return err != nil
		},
	}
}

// runWorker makes the loop one of several: in a working tree of its own, on the line that they share.
func (o *tasksRunOptions) runWorker(ctx context.Context, p *taskPlace, loop *tasks.Loop) error {
	loop.Line = p.line(loop)
	user := loop.Repo
	if more, err := loop.Open(ctx); err != nil || !more {
		return errors.Join(err, loop.Publish(context.WithoutCancel(ctx), user)) // a kill may have come before that
	}
	w, err := o.work(ctx, p, loop)
	if w.locks == nil {
		return err
	}
	defer w.locks.close()
	ctx = context.WithoutCancel(ctx)
	if published := loop.Publish(ctx, user); err == nil {
		err = published
	}
	if over, tidyErr := loop.Over(); over && tidyErr == nil {
		tidyErr = w.tidy(ctx, p, loop, user)
		if err == nil {
			err = tidyErr
		}
	}
	return err
}

// work runs the loop as one worker after the other: as its own, and as those whose runs are gone once only their tasks are
// left. The places' locks are nil where it never began.
func (o *tasksRunOptions) work(ctx context.Context, p *taskPlace, loop *tasks.Loop) (workerPlace, error) {
	user, named := loop.Repo, cmp.Or(o.worker, o.Host.Getenv("HARNESS_WORKER_ID"))
	if named == "" && user.GitDir() == user.CommonDir() {
		loop.Line.Left = func(ctx context.Context, worker string) (bool, error) { return p.left(ctx, loop, user, worker) }
	}
	for name := named; ; {
		w, err := o.asWorker(ctx, p, loop, name)
		if _, held := errors.AsType[*storage.LockedError](err); held && name != named {
			name = named // another run took it up
			continue
		}
		if err != nil {
			return w, err
		}
		if err = holdBy(loop, w.locks.file()); err != nil {
			return w, err
		}
		if err = o.stand(ctx, loop); err == nil {
			err = loop.Run(ctx)
		}
		left, is := errors.AsType[*tasks.LeftError](err)
		if !is {
			return w, err
		}
		w.locks.close()
		loop.Repo, name = user, left.Worker
	}
}

// left says whether a worker has a working tree of the program's and no run. Nobody can take its name meanwhile.
func (p *taskPlace) left(ctx context.Context, loop *tasks.Loop, user *git.Repo, worker string) (bool, error) {
	if _, err := os.Stat(workTree(user, worker)); err != nil {
		return false, nil // it is none of the program's, or it is gone: its lease tells
	}
	release, err := loop.Line.Lock(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	return !loop.Line.AtWork(worker), nil
}

// workTree is where a worker works whom the program makes a working tree.
func workTree(user *git.Repo, worker string) string {
	return filepath.Join(user.Root(), ".harness", autopilot.WorktreesDir, app.TreePrefix+tasks.RefPart(worker))
}

// workerPlace is where a worker works; dir is "" where it is a working tree that the program did not make.
type workerPlace struct {
	dir   string
	locks taskLocks
}

// asWorker finds the worker a working tree that no other one has. Started in a second working tree of the user's, it stays
// there.
func (o *tasksRunOptions) asWorker(ctx context.Context, p *taskPlace, loop *tasks.Loop, named string) (workerPlace, error) {
	if loop.Repo.GitDir() != loop.Repo.CommonDir() {
		loop.Worker = cmp.Or(named, p.worker("")+":"+filepath.Base(loop.Repo.GitDir()))
		name, err := p.takeName(ctx, loop, loop.Worker)
		if err != nil {
			return workerPlace{}, err
		}
		lock, err := app.LockTree(loop.Repo, o.Host)
		if err != nil {
			name.Close()
			return workerPlace{}, err
		}
		return workerPlace{locks: taskLocks{lock, name}}, nil
	}
	if err := tasks.FollowUser(ctx, loop.Repo, *loop.Line); err != nil {
		return workerPlace{}, err
	}
	for n := 1; ; n++ {
		name := cmp.Or(named, fmt.Sprintf("worker-%d", n))
		lock, err := p.takeName(ctx, loop, name)
		if _, held := errors.AsType[*storage.LockedError](err); held && named == "" {
			continue
		}
		if err != nil {
			return workerPlace{}, err
		}
		loop.Worker, loop.Own = name, true
		dir := workTree(loop.Repo, name)
		if err := o.enter(ctx, p, loop, dir); err != nil {
			lock.Close()
			return workerPlace{}, err
		}
		return workerPlace{dir, taskLocks{lock}}, nil
	}
}

// takeName takes a worker's name for a run, while nobody looks whether it is at work.
func (p *taskPlace) takeName(ctx context.Context, loop *tasks.Loop, name string) (*storage.Lock, error) {
	release, err := loop.Line.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return p.lockWorker(loop.Repo, tasks.RefPart(name))
}

// lockWorker takes a worker's name, which one process at a time has in a repository, whatever lists are in it.
func (p *taskPlace) lockWorker(repo *git.Repo, name string) (*storage.Lock, error) {
	return lockNamed(repo, p.host, app.TreePrefix+name)
}

func lockNamed(repo *git.Repo, h *console.Host, name string) (*storage.Lock, error) {
	path := filepath.Join(repo.CommonDir(), "autopilot", "locks", name)
	if err := plainfile.MakeFolder(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("making the folder of the workers' locks: %w", err)
	}
	return app.TakeLock(func() (*storage.Lock, error) { return storage.LockTree(path, h.Now) })
}

// tidy removes the workers' working trees that nobody works in, this worker's own among them, once the list is at its
// end.
func (w workerPlace) tidy(ctx context.Context, p *taskPlace, loop *tasks.Loop, user *git.Repo) error {
	loop.Repo = user // its own goes too
	trees := filepath.Join(user.Root(), ".harness", autopilot.WorktreesDir)
	all, err := storage.Below(storage.OSDisk{}, trees, app.TreePrefix+"*")
	if err != nil {
		return err
	}
	for _, dir := range all {
		if strings.Contains(dir, ".aside-") {
			continue
		}
		if dir != w.dir {
			lock, err := p.lockWorker(user, strings.TrimPrefix(filepath.Base(dir), app.TreePrefix))
			if err != nil {
				continue // somebody works there, and removes it at the end
			}
			defer lock.Close()
		}
		if err := loop.Retire(ctx, user, dir); err != nil {
			return err
		}
	}
	_ = os.Remove(trees) // unless somebody's tree is left in it
	return nil
}

// enter makes the worker's working tree, where it is not there yet, and has the loop work in it.
func (o *tasksRunOptions) enter(ctx context.Context, p *taskPlace, loop *tasks.Loop, dir string) error {
	there, err := loop.Repo.Worktrees.At(ctx, dir)
	if err != nil {
		return err
	}
	if there == nil {
		release, err := loop.Line.Lock(ctx)
		if err != nil {
			return err
		}
		err = makeWorkTree(ctx, loop.Repo, dir)
		release()
		if err != nil {
			return err
		}
		if there, err = app.RepoAt(ctx, dir, git.Open); err != nil {
			return err
		}
		there.Config.PinAs(loop.Repo.Config)
	}
	runner := validate.Runner{Now: o.Host.Now, Env: o.Host.Environ, Around: loop.Checks.Around}
	lacks, err := worktree.EnsureSetup(ctx, runner, loop.Settings.Furnishing, p.root, there)
	if err != nil {
		return app.NotFurnished(ctx, err)
	}
	for _, l := range lacks {
		loop.Report.Report(journal.Note{Event: "warning", Text: l.Text})
	}
	loop.Repo = there
	return nil
}

// makeWorkTree makes a working tree. What lies in its place is moved aside: it may be somebody's.
func makeWorkTree(ctx context.Context, repo *git.Repo, dir string) error {
	if _, err := os.Stat(dir); err == nil {
		if err := os.Rename(dir, dir+".aside-"+app.NewID()); err != nil {
			return err
		}
	}
	_ = repo.Worktrees.Remove(ctx, dir) // git may still know one that is gone
	return repo.Worktrees.Add(ctx, dir, "HEAD")
}

// lockLine takes the line's lock, however long somebody else has it: that is never long.
func lockLine(ctx context.Context, repo *git.Repo, h *console.Host) (func(), error) {
	for {
		lock, err := lockNamed(repo, h, "tasks-line")
		if _, ok := errors.AsType[*storage.LockedError](err); !ok {
			if err != nil {
				return nil, err
			}
			return func() { lock.Close() }, nil
		}
		select {
		case <-ctx.Done():
			return nil, &halt.InterruptedError{Cause: context.Cause(ctx)}
		case <-time.After(lineWait):
		}
	}
}
