package guard

import (
	"context"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// Tracing is what checks of a dispatch's unfinished work left behind. It is kept for the case that the run is killed before
// the dispatch ends.
type Tracing struct {
	workspace.Traces
	Failed *machine.Check `json:"failed,omitempty"` // what the last of them showed, where that was a failure
}

// TracingOf is the name under which that is kept.
func TracingOf(id string) string { return id + "/proof" }

// TraceFrom notes what is there before commands run. What earlier checks left they may write again.
func (g Guard) TraceFrom(ctx context.Context, w Snapshot) error {
	name := TracingOf(w.ID)
	t, _, err := g.Traces(ctx, w.ID)
	if err != nil {
		return err
	}
	if g.Journal.State().Snapshots.Of(name) == "" {
		t.Left = slices.DeleteFunc(w.Saved.All(), func(f git.File) bool { return !g.Changes.IsByProduct(f.Path, g.Journal.State().Tasks) })
	}
	t.Failed = nil
	if err := t.Begin(ctx, g.Repo); err != nil {
		return err
	}
	return g.Facts.Keep(ctx, name, t)
}

// TraceTo notes what commands showed, once they ended.
func (g Guard) TraceTo(ctx context.Context, id string, failed *machine.Check) error {
	t, _, err := g.Traces(ctx, id)
	if err != nil || failed == nil {
		return err
	}
	t.Failed = failed
	return g.Facts.Keep(ctx, TracingOf(id), t)
}

// LeaveTraces counts what checks left behind during a dispatch as by-products. Where the agent gave up it says by which
// check: whether two attempts fail alike is seen by that.
func (g Guard) LeaveTraces(ctx context.Context, id string, out personas.Outcome, found *Found) error {
	t, left, err := g.Traces(ctx, id)
	found.ByProducts = append(found.ByProducts, left...)
	found.Claimed = slices.DeleteFunc(found.Claimed, func(p string) bool { return slices.Contains(left, p) })
	if t.Failed != nil && out.Reply != nil && out.Reply.Status == personas.StatusFailed {
		found.Failed = []machine.Check{*t.Failed}
	}
	return err
}

// Traces are what the checks of a dispatch left behind, and those of them that nobody changed since. A check that was
// cut off is ended.
func (g Guard) Traces(ctx context.Context, id string) (t Tracing, unchanged []string, err error) {
	if known, err := g.Facts.Get(ctx, TracingOf(id), &t); err != nil || !known {
		return t, nil, err
	}
	if t.Running {
		if err := t.End(ctx, g.Repo); err != nil {
			return t, nil, err
		}
		if err := g.Facts.Keep(ctx, TracingOf(id), t); err != nil {
			return t, nil, err
		}
	}
	unchanged, err = t.Unchanged(g.Repo)
	return t, unchanged, err
}
