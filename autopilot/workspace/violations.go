package workspace

import (
	"context"
	"slices"

	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/steering"
)

// Violations are what Restore would put back after the dispatch and blame on its agent alone, one line each. Nothing is
// put back: the agent is still at work, and may do so itself.
func (g RepoGuard) Violations(ctx context.Context, was RepoSnapshot) ([]string, error) {
	present, err := g.control()
	if err != nil {
		return nil, err
	}
	found, err := g.ChangedControls(was.Control, present, func(string) bool { return false })
	if err != nil {
		return nil, err
	}
	more, err := g.ChangedUnseen(ctx, was)
	return append(found, more...), err
}

// ChangedControls tells of control files, but for those that skip names.
func (g RepoGuard) ChangedControls(before, present map[string][]byte, skip func(path string) bool) ([]string, error) {
	var found []string
	err := differing(before, present, func(path string, _ []byte) error {
		if !skip(path) && g.alone() {
			found = append(found, "put back what you changed: "+g.named(path)+" controls the run")
		}
		return nil
	})
	return found, err
}

// ChangedUnseen tells of what no diff shows: git's own files, ignored ones that steer tests, branches and other refs.
func (g RepoGuard) ChangedUnseen(ctx context.Context, was RepoSnapshot) ([]string, error) {
	var found []string
	steered, err := steering.Files{Repo: g.Repo}.Changed(ctx, was.Steering, was.Guard.Head)
	if err != nil {
		return nil, err
	}
	steered = slices.DeleteFunc(steered, func(c steering.Change) bool { return c.Verdict != steering.Steers })
	for _, c := range steered {
		if g.alone() {
			found = append(found, "put back what you changed: .git/"+c.Name+" decides how git sees the repository")
		}
	}
	if len(steered) > 0 { // git would work by it now
		return found, nil
	}
	now, err := Hidden(ctx, g.Repo)
	if err != nil {
		return nil, err
	}
	ignored, err := changedHidden(g.Repo.Root(), was.Hidden, now)
	for _, path := range ignored {
		found = append(found, "put back what you changed: "+path+" is ignored by git and decides how tests run")
	}
	if err != nil {
		return nil, err
	}
	met, err := refs.Of(g.Repo).Compare(ctx, was.Guard)
	for _, what := range met.Other {
		if !slices.Contains(met.Shared, what) || g.alone() && !g.Lenient {
			found = append(found, "this is not yours to do: "+what)
		}
	}
	return found, err
}

// alone says whether nobody else can be to blame for what all working trees share.
func (g RepoGuard) alone() bool {
	severity, _ := g.blame()
	return severity == machine.Critical
}
