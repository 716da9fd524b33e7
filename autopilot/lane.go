package autopilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// lanesDir is the folder of the session's lanes. No slug has a dot, so that no working tree of a session has this name.
func (e *Engine) lanesDir() string {
	return filepath.Join(e.Harness, "worktrees", RefName(e.state().SessionSlug)+".lanes")
}

func (e *Engine) laneBranch(id string) string {
	return "autopilot/" + RefName(e.state().SessionSlug) + "." + id
}

// laneOf is where a task's lane lies.
func (e *Engine) laneOf(id string) machine.Lane {
	dir, err := filepath.Rel(filepath.Dir(e.Harness), filepath.Join(e.lanesDir(), id))
	if err != nil {
		dir = filepath.Join(e.lanesDir(), id)
	}
	return machine.Lane{Dir: filepath.ToSlash(dir), Branch: e.laneBranch(id)}
}

func (e *Engine) laneDir(l *machine.Lane) string {
	dir := filepath.FromSlash(l.Dir)
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(filepath.Dir(e.Harness), dir)
}

// openLane makes the lane's working tree, where it is not there yet, and returns an engine that works in it. Where it
// cannot be made ready a human is asked, and the engine is nil.
func (e *Engine) openLane(ctx context.Context, t machine.Task) (*Engine, error) {
	lane, err := e.laneAt(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("making the working tree of %s: %w", t.ID, err)
	}
	ready := filepath.Join(lane.Repo.GitDir(), "autopilot", "ready")
	if _, err := os.Stat(ready); err == nil {
		return lane, nil
	}
	if err := Furnish(ctx, e.Checks, e.Settings.Furnishing, filepath.Dir(e.Harness), lane.Repo.Root()); err != nil {
		if ctx.Err() != nil {
			return nil, nil //nolint:nilerr // the run ends, and says so
		}
		return nil, e.apply(machine.Event{
			Type: machine.GateRaised, Kind: machine.GateBlocked, Task: t.ID,
			Detail: fmt.Sprintf("The working trees of the tasks could not be made ready: %v", err),
		})
	}
	return lane, os.WriteFile(ready, nil, 0o644)
}

// laneAt is the engine of a task's lane. A tree that is there is taken as it is, whatever the agent did to it: the end of
// its dispatch puts that right. One of an earlier lane is kept under a ref, and made anew.
func (e *Engine) laneAt(ctx context.Context, t machine.Task) (*Engine, error) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	ctx = context.WithoutCancel(ctx)
	dir := e.laneDir(t.Lane)
	repo, err := e.Repo.WorktreeAt(ctx, dir)
	if err != nil {
		return nil, err
	}
	if repo != nil && madeOf(repo) != t.Lane.Base {
		if err := e.keepLane(ctx, repo, t.ID); err != nil {
			return nil, err
		}
		repo = nil
	}
	if repo == nil {
		if repo, err = e.Repo.AddBranchWorktree(ctx, dir, t.Lane.Branch, t.Lane.Base); err != nil {
			return nil, err
		}
		if err := writeMadeOf(repo, t.Lane.Base); err != nil {
			return nil, err
		}
	}
	return e.in(repo, t.ID), repo.TakeUp(ctx)
}

// madeOfFile, in a lane's git folder, names the commit that the lane was made of.
func madeOfFile(repo *git.Repo) string { return filepath.Join(repo.GitDir(), "autopilot", "made-of") }

func madeOf(repo *git.Repo) string {
	text, err := os.ReadFile(madeOfFile(repo))
	if err != nil {
		return "" // a stop came between, and nobody worked there yet
	}
	return string(text)
}

func writeMadeOf(repo *git.Repo, commit string) error {
	if err := os.MkdirAll(filepath.Dir(madeOfFile(repo)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(madeOfFile(repo), []byte(commit), 0o644)
}

// keepLane keeps under a ref what is in a lane that is about to be removed.
func (e *Engine) keepLane(ctx context.Context, repo *git.Repo, id string) error {
	saved, err := repo.SaveTree(ctx, e.ref("lane/"+id), "what was in the lane of "+id, nil)
	if err != nil {
		return fmt.Errorf("keeping what is in the lane of %s: %w", id, err)
	}
	for _, f := range saved.LeftOut {
		e.note("warning", fmt.Sprintf("Too large to be kept, and removed with the lane of %s: %s", id, f.Path))
	}
	return nil
}

// in is an engine that works on one task in another working tree of the same session.
func (e *Engine) in(repo *git.Repo, task string) *Engine {
	return &Engine{
		Store: e.Store, Records: e.Records, Memory: e.Memory, Seal: e.Seal, Repo: repo, Checks: e.Checks, Backends: e.Backends,
		Personas: e.Personas, Human: e.Human, Inbox: e.Inbox, Report: tagged{e.Report, task}, Forge: e.Forge, Roadmap: e.Roadmap, Now: e.Now,
		NewID: e.NewID, Settings: e.Settings, Spec: e.Spec, Harness: e.Harness, LockFile: e.LockFile,
		main: e, task: task, lanes: e.lanes, spec: e.spec,
	}
}

// bring takes what a lane made into the run's working tree, file by file. A file that others changed since the lane was
// made is never merged: then nothing is taken, and the task runs again. It may be done twice: what was taken before a
// stop is no conflict.
func (e *Engine) bring(ctx context.Context, step machine.Step) error {
	t, _ := e.state().Task(step.Task)
	lane, err := e.laneAt(ctx, t)
	if err != nil {
		return err
	}
	changes, err := lane.workOf(ctx, t, t.Lane.Base)
	if err != nil {
		return err
	}
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if err := e.branchIs(position); err != nil {
		return err
	}
	ev := machine.Event{Type: machine.TaskBrought, Task: t.ID, Base: position.Head}
	paths := git.Paths(changes)
	if ev.Conflicts, err = e.conflicts(ctx, lane.Repo, t.Lane.Base, paths); err != nil {
		return err
	}
	if ev.Leftover, err = e.leftoverBeside(ctx, t.ID, paths); err != nil {
		return err
	}
	if ev.Findings, err = e.foreignCommits(ctx, t.Lane.Base, position.Head); err != nil {
		return err
	}
	if len(ev.Conflicts) > 0 {
		if ev.Detail, err = e.setAside(ctx, lane.Repo, t, append(paths, ev.Conflicts...), ev.Conflicts); err != nil {
			return err
		}
	} else if err := e.Repo.Take(lane.Repo, paths); err != nil {
		return fmt.Errorf("bringing the work of %s: %w", t.ID, err)
	} else {
		e.note("task", fmt.Sprintf("%s comes to the others: %s", t.ID, orElse(strings.Join(firstFew(paths, 8), ", "), "no files")))
	}
	if err := e.apply(ev); err != nil {
		return err
	}
	e.closeLane(context.WithoutCancel(ctx), filepath.Base(e.laneDir(t.Lane)))
	return nil
}

// foreignCommits finds the commits on the run's branch that the session did not make: of a human, or of an agent that left
// its lane. They stay, and the reviewer is told.
func (e *Engine) foreignCommits(ctx context.Context, base, head string) ([]machine.Finding, error) {
	commits, err := e.Repo.Between(ctx, base, head)
	if err != nil {
		return nil, err
	}
	var findings []machine.Finding
	for _, c := range commits {
		if strings.HasPrefix(c.Trailer(git.KeyTrailer), e.state().SessionID+"/") {
			continue
		}
		subject, _, _ := strings.Cut(c.Message, "\n")
		f := machine.Finding{
			Severity: machine.Important, Title: "a commit that is not the session's came onto the branch meanwhile: " + short(c.SHA) + " " + oneLine(subject),
			Rationale: "It was left where it is. To see it: git show " + short(c.SHA), Source: "integrity",
		}
		e.note("warning", f.Title)
		findings = append(findings, f)
	}
	return findings, nil
}

// setAside keeps the work of a lane that met others' under a ref, and says so.
func (e *Engine) setAside(ctx context.Context, lane *git.Repo, t machine.Task, paths, met []string) (string, error) {
	saved, err := lane.SaveTree(ctx, e.ref("lane/"+t.ID), "work that met other work", paths)
	if err != nil {
		return "", err
	}
	what := "it runs again on top of them"
	if t.Status == machine.TaskFailed {
		what = "it had failed for good, and is left out"
	}
	kept := ""
	if saved.Ref != "" {
		kept = ". Its work is kept under " + saved.Ref
	}
	e.note("info", fmt.Sprintf("%s met changes of others in %s: %s%s", t.ID, strings.Join(firstFew(met, 8), ", "), what, kept))
	return saved.Ref, nil
}

// conflicts lists the paths that others changed since a commit, and that are not already what the lane has; also files of
// the user's that the lane changed, which never come into a commit.
func (e *Engine) conflicts(ctx context.Context, lane *git.Repo, base string, paths []string) ([]string, error) {
	others, err := e.Repo.Changes(ctx, base)
	if err != nil {
		return nil, err
	}
	changed := git.Paths(others)
	met := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !slices.Contains(changed, p) })
	if met, err = e.Repo.Differ(lane, met); err != nil {
		return nil, err
	}
	blocked, err := e.Repo.InTheWay(lane, paths)
	if err != nil {
		return nil, err
	}
	met = append(met, blocked...)
	all, err := lane.Changes(ctx, base)
	if err != nil {
		return nil, err
	}
	for _, p := range git.Paths(all) {
		if slices.Contains(e.state().LeftOut, p) {
			met = append(met, p)
		}
	}
	return met, nil
}

// closeLane removes a lane's working tree and branch. Where that fails it is said, and nothing else depends on it.
func (e *Engine) closeLane(ctx context.Context, id string) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	dir := filepath.Join(e.lanesDir(), id)
	if err := e.Repo.RemoveBranchWorktree(ctx, dir, e.laneBranch(id), e.ref("lane/"+id+"/head")); err != nil {
		e.note("warning", fmt.Sprintf("The working tree of %s could not be removed: %v. It is not needed any more: rm -r %s", id, err, quote(dir)))
		return
	}
	_ = os.Remove(e.lanesDir()) // only when it is empty
	_ = os.Remove(filepath.Dir(e.lanesDir()))
}

// laneID is what the folder and the branch of a lane are called.
var laneID = regexp.MustCompile(`^task-\d{3,}$`)

// sweep removes the lanes that no task has any more: a stop came between, or a human sent the phase back. What is in
// them is kept under refs.
func (e *Engine) sweep(ctx context.Context) error {
	names, err := git.FoldersIn(e.lanesDir())
	if err != nil {
		return err
	}
	branches, err := e.Repo.Branches(ctx, e.laneBranch("task-"))
	if err != nil {
		return err
	}
	for _, branch := range branches {
		names = append(names, strings.TrimPrefix(branch, e.laneBranch("")))
	}
	slices.Sort(names)
	for _, id := range slices.Compact(names) {
		if t, _ := e.state().Task(id); t.Lane != nil || !laneID.MatchString(id) {
			continue
		}
		repo, err := e.Repo.WorktreeAt(ctx, filepath.Join(e.lanesDir(), id))
		if err == nil && repo != nil {
			err = e.keepLane(ctx, repo, id)
		}
		if err != nil {
			return err
		}
		e.closeLane(ctx, id)
	}
	return nil
}
