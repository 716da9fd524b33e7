package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"go.temporal.io/api/enums/v1"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

func newFetch(f *fleet) *cobra.Command {
	return &cobra.Command{
		Use: "fetch SPEC.md", Short: "Get a session's files here, as if it had run on this machine",
		Long: "Gets the session's folder, refs and branch from the remote origin, and the newest events from the Temporal server if the session\n" +
			"still runs. Then autopilot status, why, log, audit and report work on it. It works after the server forgot the session, too.",
		Example: "  autopilot-temporal fetch docs/spec.md && autopilot audit docs/spec.md", Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error {
			r, err := f.find(c.Context(), args[0])
			if err != nil {
				return err
			}
			err = r.connect(c.Context(), f)
			if failed, is := errors.AsType[*connectError](err); is && failed.away() {
				fmt.Fprintf(f.Err, "The newest events aren't here if the session still runs: %v\n", failed)
				return r.fetch(c.Context(), f) // the hub has nearly all
			}
			if err != nil {
				return err
			}
			defer r.Close()
			return r.fetch(c.Context(), f)
		},
	}
}

// fetch gets the session. One that this clone has of its own, or that went on here, is left alone.
func (r *remote) fetch(ctx context.Context, f *fleet) error {
	opts := r.place.SessionOptions(ctx)
	here, err := sessions.Open(r.place.Session, opts) // for as long as it is looked at
	if err != nil && !errors.Is(err, sessions.ErrNoSession) {
		return r.place.Busy(err)
	}
	var had machine.State
	if err == nil {
		had = here.State()
		if err := here.Close(); err != nil {
			return err
		}
	}
	there, err := hub.Here(ctx, r.place.Repo.Root(), r.place.Slug, f.Environ)
	if err != nil {
		return err
	}
	got, err := there.State(ctx)
	switch {
	case err != nil:
		return err
	case got.SessionID == "":
		return console.UsageError("the remote origin has no session of %s\n  start one: autopilot-temporal submit %s", r.place.Rel, r.place.Rel)
	case had.SessionID != "" && had.SessionID != got.SessionID:
		return console.UsageError("this clone has a session of %s of its own, and the remote has another\nMove %s aside first", r.place.Rel, plainfile.Rel(r.place.Repo.Root(), r.place.Session))
	case had.SessionID != "":
		alike, err := there.Alike(ctx)
		if err != nil || !alike {
			return errors.Join(err, console.UsageError("the session of %s continued both here and on workers\nMove %s aside first", r.place.Rel, plainfile.Rel(r.place.Repo.Root(), r.place.Session)))
		}
	}
	if err := r.place.Repo.Exclude(ctx, app.RunData...); err != nil {
		return err
	}
	if had.Revision <= got.Revision { // else this clone has more, of an earlier fetch or its own
		if err := there.LayOut(ctx); err != nil {
			return err
		}
	}
	s, err := r.catchUp(ctx, f, opts)
	if err != nil {
		return err
	}
	return r.told(ctx, f, there, s)
}

// catchUp adds the events that only the workflow has, while it runs. At its end the hub has all.
func (r *remote) catchUp(ctx context.Context, f *fleet, opts sessions.Options) (machine.State, error) {
	session, err := sessions.Open(r.place.Session, opts)
	if err != nil {
		return machine.State{}, err
	}
	for _, e := range r.newest(ctx, f, session.State().Revision) {
		if _, err := session.Apply(e); err != nil {
			return machine.State{}, errors.Join(err, session.Close())
		}
	}
	s := session.State()
	return s, errors.Join(sessions.WriteIndex(r.place.Harness, opts), session.Close())
}

// newest are the events that the hub lacks, as far as anybody answers.
func (r *remote) newest(ctx context.Context, f *fleet, after int64) (events []machine.Event) {
	if r.Client == nil {
		return nil
	}
	found, err := r.DescribeWorkflow(ctx, r.id, "")
	if err != nil || found.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		return nil
	}
	value, err := r.QueryWorkflow(ctx, r.id, "", flow.EventsQuery, after)
	if err == nil {
		err = value.Get(&events)
	}
	if err != nil {
		fmt.Fprintf(f.Err, "The newest events aren't here, because no worker answers for the session (%v)\n  start one, then fetch again: autopilot-temporal worker --repository %s\n", err, r.url)
	}
	return events
}

// told says what was fetched, and updates the branch where nothing stands in the way.
func (r *remote) told(ctx context.Context, f *fleet, there *hub.Session, s machine.State) error {
	if err := f.Say("Fetched the session of %s: %s, revision %d", r.place.Rel, s.CurrentState, s.Revision); err != nil || s.Branch == "" {
		return err
	}
	update := func() error {
		_, err := app.Git(ctx, r.place.Repo.Root(), f.Environ, "fetch", "--quiet", ".", "refs/remotes/origin/"+s.Branch+":refs/heads/"+s.Branch)
		return err
	}
	position, err := r.place.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if position.Branch == s.Branch {
		update = func() error { return r.forward(ctx, f.Environ, "refs/remotes/origin/"+s.Branch) }
	}
	if err := update(); err != nil {
		return f.Say("Your branch %s isn't updated: %s\n  update it: git switch %s && git pull origin %s", s.Branch, words.OneLine(err.Error()), s.Branch, s.Branch)
	}
	return f.Say("Its branch: %s (%s)", s.Branch, words.Commit(there.Branch(s.Branch)))
}

// forward brings the branch that is checked out forward to a commit. Uncommitted files that the commit has as they are don't stand in
// the way: they went to the workers with submit --from-session.
func (r *remote) forward(ctx context.Context, environ []string, commit string) error {
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
		{environ, []string{"merge-base", "--is-ancestor", "HEAD", commit}},
		{beside, []string{"read-tree", "HEAD"}},
		{beside, []string{"add", "--all"}},
		{beside, []string{"read-tree", "-m", "-u", "HEAD", commit}},
		{environ, []string{"reset", "--quiet", commit}},
	} {
		if _, err := app.Git(ctx, r.place.Repo.Root(), call.env, call.args...); err != nil {
			return err
		}
	}
	return nil
}
