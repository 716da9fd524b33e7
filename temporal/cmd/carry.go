package cmd

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

// carry gives the hub the session of this clone.
func (o *submitOptions) carry(ctx context.Context, r *remote, cfg *config.Config, in *flow.Input) error {
	session, err := sessions.Open(r.place.Session, r.place.SessionOptions(ctx))
	if errors.Is(err, sessions.ErrNoSession) && r.place.Older() == r.place.Session && r.place.NotRenamed() == nil {
		return console.UsageError("this clone has no session of %[1]s\n  get the remote's: autopilot-temporal fetch %[1]s\n  or start one: autopilot-temporal submit %[1]s", r.spec)
	}
	if err != nil {
		return r.place.Missing(r.place.Busy(err))
	}
	defer session.Close()
	in.State = session.State()
	if in.State.WorkTree != "" {
		return console.UsageError("the session has a worktree of its own (%s), and can't move to workers\n  continue it here: autopilot %s", in.State.WorkTree, r.spec)
	}
	if in.State.Branch == "" {
		return console.UsageError("the session has no branch yet, and workers need one\n  continue it here: autopilot %s", r.spec)
	}
	s, err := hub.Here(ctx, r.place.Repo.Root(), r.place.Slug, o.Environ)
	if err != nil {
		return err
	}
	left, err := r.left(ctx, s, in.State)
	if err != nil {
		return err
	}
	position, err := r.place.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if position.Branch != in.State.Branch {
		then := "submit " + r.spec + " --from-session"
		if len(left) > 0 {
			then = "fetch " + r.spec
		}
		return console.UsageError("the session works on the branch %s, and another one is checked out\n  git switch %s && autopilot-temporal %s", in.State.Branch, in.State.Branch, then)
	}
	if in.Works, err = r.worksOf(ctx, s, in.State, left); err != nil {
		return err
	}
	run := machine.Event{Type: machine.RunStarted, Time: o.Now(), Edition: machine.Edition, KeysAsked: in.State.KeysAsked}
	if cfg.Parallel > 1 {
		run.Parallel = cfg.Parallel
	}
	in.State, err = session.Apply(in.State.Stamp(run))
	if err = errors.Join(err, session.Close()); err != nil { // what it has is in its folder then
		return err
	}
	in.Job.From, in.Job.AgreedAt = in.State.Branch, position.Head
	return s.Save(ctx, in.Works, in.State.Branch)
}

// left is what workers left in the session's working trees, by task, if it was not fetched, and nothing was done here since. It refuses a
// session of which the hub has more, or another one.
func (r *remote) left(ctx context.Context, s *hub.Session, here machine.State) (works map[string]string, err error) {
	other := console.UsageError("the remote has another state of this session\n  get it first: autopilot-temporal fetch %s", r.spec)
	there, err := s.State(ctx)
	if err != nil || there.SessionID == "" {
		return nil, err
	}
	if there.SessionID != here.SessionID {
		return nil, other
	}
	standing, err := s.Compare(ctx)
	switch {
	case err != nil || standing.Newer:
		return nil, errors.Join(err, other)
	case standing.WorkedOn():
		if _, cutOff, _ := r.runs(ctx); r.wentOn(ctx, cutOff, here, standing) {
			return nil, nil
		}
	case standing.Fetched() || standing.Last == machine.RunStarted: // no worker did anything since the last submit
		return nil, nil
	}
	return s.Works(ctx)
}

// worksOf are the commits of the session's working trees in this clone, by task. Where nothing is in one, it is what workers left; it
// refuses what would take the place of that.
func (r *remote) worksOf(ctx context.Context, s *hub.Session, state machine.State, left map[string]string) (map[string]string, error) {
	root := r.place.Repo.Root()
	trees, works := []hub.Tree{{Dir: root, LeftOut: state.LeftOut}}, map[string]string{}
	for _, t := range state.Tasks {
		if t.Lane != nil {
			trees = append(trees, hub.LaneOf(root, t, ""))
		}
	}
	for _, tree := range trees {
		there, here := left[tree.Task], ""
		if _, err := os.Stat(filepath.Join(tree.Dir, ".git")); err == nil {
			if here, err = s.Keep(ctx, tree); err != nil {
				return nil, err
			}
		}
		switch {
		case there == "":
			works[tree.Task] = here
		case here == "" || here == there || !s.Differs(ctx, here):
			works[tree.Task] = there
		case s.Differs(ctx, there):
			return nil, console.UsageError("workers left work of this session that isn't here, and you have uncommitted files\n  get it first: git stash --include-untracked && autopilot-temporal fetch %s", r.spec)
		default:
			works[tree.Task] = here
		}
	}
	maps.DeleteFunc(works, func(_, work string) bool { return work == "" })
	return works, nil
}
