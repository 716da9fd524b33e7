package cmd

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/changes"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/temporal/hub"
)

// takeHome lays out what workers left of a session that stopped, so that it can go on here: where its branch is checked out.
func (r *remote) takeHome(ctx context.Context, f *fleet, there *hub.Session, s machine.State, opts sessions.Options) error {
	works, err := there.Works(ctx)
	if err != nil {
		return err
	}
	run := hub.Tree{Dir: r.place.Repo.Root(), Branch: s.Branch, At: there.Branch(s.Branch), Work: works[""]}
	brought, err := r.bringBranch(ctx, f, there, run)
	switch {
	case err != nil || run.At == "":
		return err
	case !brought:
		return f.Say("  to continue it here: git switch %s && autopilot-temporal fetch %s", s.Branch, r.spec)
	}
	for _, t := range s.Tasks {
		if t.Lane == nil {
			continue
		}
		if err := there.Restore(ctx, hub.LaneOf(run.Dir, t, works[t.ID])); err != nil {
			return err
		}
	}
	return r.keepEnd(ctx, opts, run)
}

// bringBranch updates the session's branch where nothing stands in the way, and if it is checked out its files with it, and with work
// that is not committed. It says whether the branch is checked out as it is on the hub.
func (r *remote) bringBranch(ctx context.Context, f *fleet, there *hub.Session, run hub.Tree) (brought bool, err error) {
	if run.At == "" {
		return false, f.Say("The remote doesn't have the branch %[1]s\n  push it from a clone that has it: git push origin %[1]s", run.Branch)
	}
	origin := "refs/remotes/origin/" + run.Branch
	position, err := r.place.Repo.Position(ctx)
	if err != nil {
		return false, err
	}
	if position.Branch != run.Branch {
		if _, err := app.Git(ctx, run.Dir, f.Environ, "fetch", "--quiet", ".", origin+":refs/heads/"+run.Branch); err != nil {
			return false, f.Say("Your branch %[1]s isn't updated: %[2]s\n  take the remote's instead, and keep yours as %[1]s-here: git branch %[1]s-here %[1]s && git branch --force %[1]s origin/%[1]s", run.Branch, words.OneLine(err.Error()))
		}
		return false, f.Say("Its branch: %s (%s)", run.Branch, words.Commit(run.At))
	}
	if _, err := app.Git(ctx, run.Dir, f.Environ, "merge-base", "--is-ancestor", "HEAD", origin); err != nil {
		return false, console.UsageError("your branch %[1]s isn't updated: it has commits that the remote doesn't have\n  look at them: git log origin/%[1]s..%[1]s\n  take the remote's instead, and keep yours as %[1]s-here: git branch %[1]s-here && git reset --keep origin/%[1]s && autopilot-temporal fetch %[2]s", run.Branch, r.spec)
	}
	tree := origin
	if run.Work != "" {
		if tree, err = there.WorkOn(ctx, run); err != nil {
			return false, err
		}
	}
	if err := forward(ctx, run.Dir, f.Environ, origin, tree); err != nil {
		return false, console.UsageError("your branch %s isn't updated: %s\n  put your uncommitted files aside: git stash --include-untracked && autopilot-temporal fetch %s", run.Branch, words.OneLine(err.Error()), r.spec)
	}
	return true, f.Say("Its branch: %s (%s)", run.Branch, words.Commit(run.At))
}

// keepEnd notes which uncommitted files are the session's, as a run that ends here does: all others are the person's.
func (r *remote) keepEnd(ctx context.Context, opts sessions.Options, run hub.Tree) error {
	out, err := app.Git(ctx, run.Dir, r.place.Host.Environ, "diff", "--no-renames", "--name-only", "-z", run.At+"..."+cmp.Or(run.Work, run.At))
	if err != nil {
		return err
	}
	own := append([]string{}, strings.FieldsFunc(out, func(c rune) bool { return c == 0 })...) // nil would be all
	session, err := sessions.Open(r.place.Session, opts)
	if err != nil {
		return err
	}
	defer session.Close()
	notes := journal.New(session, nil, nil, nil, opts.Now)
	return changes.Changes{
		Repo: r.place.Repo, Journal: notes, ByHand: func(machine.State) bool { return false },
		Facts: facts.Facts{
			Snapshots: workspace.Snapshots{Repo: r.place.Repo, Refs: "refs/autopilot/" + branches.RefName(r.place.Slug) + "/snap/"}, Journal: notes, NewID: app.NewID, Known: &facts.Known{},
		},
	}.KeepEnd(ctx, session.State(), own)
}

// forward brings the branch that is checked out forward to a commit, and its files to a tree. Uncommitted files that are there as they
// are don't stand in the way: they went to the workers with submit --from-session.
func forward(ctx context.Context, root string, environ []string, commit, tree string) error {
	dir, err := os.MkdirTemp("", "autopilot-fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	beside := append(slices.Clone(environ), "GIT_INDEX_FILE="+filepath.Join(dir, "index"))
	for _, call := range []struct {
		env  []string
		args []string
	}{
		{beside, []string{"read-tree", "HEAD"}},
		{beside, []string{"add", "--all"}},
		{beside, []string{"read-tree", "-m", "-u", "HEAD", tree}},
		{environ, []string{"reset", "--quiet", commit}},
	} {
		if _, err := app.Git(ctx, root, call.env, call.args...); err != nil {
			return err
		}
	}
	return nil
}
