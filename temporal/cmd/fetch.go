package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

func newFetch(f *fleet) *cobra.Command {
	return &cobra.Command{
		Use: "fetch SPEC.md", Short: "Get a session's files here, as if it had run on this machine",
		Long: `Gets the session's records and branch from the remote origin, and the newest events from the Temporal server if the session still
runs. If the session stopped and its branch is checked out, it also gets the work that isn't committed yet. Then autopilot status, why,
log, audit and report work on it. Records and branch also come after the server forgot the session.`,
		Example: "  autopilot-temporal fetch docs/spec.md && autopilot audit docs/spec.md", Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error {
			r, err := f.find(c.Context(), args[0])
			if err != nil {
				return err
			}
			err = r.connect(c.Context(), f)
			if failed, is := errors.AsType[*connectError](err); is && failed.away() { // the hub has nearly all
				fmt.Fprintf(f.Err, "The newest events and uncommitted work aren't here: %v\nFetch again before you continue the session here.\n", failed)
			} else if err != nil {
				return err
			} else {
				defer r.Close()
			}
			for range 5 {
				err = r.fetch(c.Context(), f)
				if !errors.Is(err, errBehind) {
					break
				}
			}
			return err
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
	running, cutOff, known := r.runs(ctx) // before the hub is looked at: of a session that doesn't run, that has all
	there, err := hub.Here(ctx, r.place.Repo.Root(), r.place.Slug, f.Environ)
	if err != nil {
		return err
	}
	got, err := there.State(ctx)
	if err != nil {
		return err
	}
	ahead, standing, err := r.isAhead(ctx, there, had, got)
	if err != nil {
		return err
	}
	if err := r.place.Repo.Exclude(ctx, app.RunData...); err != nil {
		return err
	}
	if !ahead {
		if err := there.LayOut(ctx); err != nil {
			return err
		}
	}
	s, all, err := r.catchUp(ctx, f, opts, running || cutOff)
	if err != nil {
		return err
	}
	r.bringMemory(ctx, f, there)
	if err := f.Say("Fetched the session of %s: %s, revision %d", r.spec, s.CurrentState, s.Revision); err != nil || s.Branch == "" {
		return err
	}
	if ahead && known && !running && all {
		if r.wentOn(ctx, cutOff, had, standing) {
			return f.Say("This clone already has all that the remote has of it")
		}
	}
	if !known || running || !all || s.CurrentState == machine.Done {
		_, err := r.bringBranch(ctx, f, there, hub.Tree{Dir: r.place.Repo.Root(), Branch: s.Branch, At: there.Branch(s.Branch)})
		return err
	}
	return r.takeHome(ctx, f, there, s, opts)
}

// isAhead says whether this clone has more of the session that the hub got, by what was done here, or an earlier fetch brought. It refuses
// a session that is not the hub's.
func (r *remote) isAhead(ctx context.Context, there *hub.Session, had, got machine.State) (is bool, standing hub.Standing, err error) {
	if got.SessionID == "" {
		return false, standing, console.UsageError("the remote origin has no session of %s\n  start one: autopilot-temporal submit %s", r.spec, r.spec)
	}
	if err := r.place.NotAnothers(got); err != nil || had.SessionID == "" {
		return false, standing, err
	}
	aside := fmt.Sprintf("take the remote's: %s && autopilot-temporal fetch %s", r.aside(), r.spec)
	if had.SessionID != got.SessionID {
		return false, standing, console.UsageError("this clone has a session of %s of its own, and the remote has another\n  %s", r.spec, aside)
	}
	standing, err = there.Compare(ctx)
	if err == nil && standing.WorkedOn() && standing.Newer {
		err = console.UsageError("the session of %s continued both here and on workers\n  %s", r.spec, aside)
	}
	return standing.WorkedOn() || standing.Fetched() && !standing.Newer, standing, err
}

// aside is the command that takes this clone's session out of the way, and keeps it.
func (r *remote) aside() string {
	return fmt.Sprintf("mkdir -p .harness/archive/sessions && mv %s .harness/archive/sessions/%s-here", plainfile.Rel(r.place.Repo.Root(), r.place.Session), r.place.Slug)
}

// runs says whether the session is at work on workers, and whether it was cut off, so that the hub need not have all events. It is not
// known where the server can't be asked.
func (r *remote) runs(ctx context.Context) (is, cutOff, known bool) {
	if r.Client == nil {
		return false, false, false
	}
	found, err := r.DescribeWorkflow(ctx, r.id, "")
	if err != nil {
		_, none := errors.AsType[*serviceerror.NotFound](err)
		return false, false, none
	}
	is = found.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	return is, !is && found.Status != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED, true
}

// wentOn says whether somebody went on with a session in this clone that has more of it than the hub. Of one that was cut off, an earlier
// fetch may have brought that; where no worker can tell, it counts as theirs.
func (r *remote) wentOn(ctx context.Context, cutOff bool, here machine.State, standing hub.Standing) bool {
	if !cutOff {
		return true
	}
	there, err := r.state(ctx)
	own := standing.Here[max(0, len(standing.Here)-int(max(0, here.Revision-there.Revision))):]
	return err != nil || slices.ContainsFunc(own, func(e machine.EventType) bool { return e != machine.RunStarted })
}

// catchUp adds the events that only the workflow has, if there may be more, and says whether that are all.
func (r *remote) catchUp(ctx context.Context, f *fleet, opts sessions.Options, more bool) (s machine.State, all bool, err error) {
	session, err := sessions.Open(r.place.Session, opts)
	if err != nil {
		return s, false, err
	}
	after := session.State().Revision
	var events []machine.Event
	if all = true; more {
		events, all = r.newest(ctx, f, after)
	}
	if len(events) > 0 && events[0].Rev > after+1 {
		return s, false, errors.Join(errBehind, session.Close())
	}
	for _, e := range events {
		if _, err := session.Apply(e); err != nil {
			return s, false, errors.Join(err, session.Close())
		}
	}
	s = session.State()
	return s, all, errors.Join(sessions.WriteIndex(r.place.Harness, opts), session.Close())
}

// errBehind says that the hub got events since it was looked at.
var errBehind = errors.New("the session moves on faster than it can be fetched\n  type the same command again")

// newest are the events that the hub lacks, if anybody answers.
func (r *remote) newest(ctx context.Context, f *fleet, after int64) (events []machine.Event, answered bool) {
	value, err := r.QueryWorkflow(ctx, r.id, "", flow.EventsQuery, after)
	if err == nil {
		err = value.Get(&events)
	}
	if err != nil {
		fmt.Fprintf(f.Err, "The newest events aren't here, because no worker answers for the session (%v)\n  start one, then fetch again: autopilot-temporal worker --repository %s\n", err, hub.WithoutLogin(r.url))
	}
	return events, err == nil
}
