package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/sessions/audit"
)

const (
	sessionTrailer = "Autopilot-Session"
	rewritten      = "the branch was rewritten (a rebase, a squash, a commit taken away), or the journal names a commit that was never made"
	forged         = "somebody else made or altered it under the session's name, or the entry is missing in the journal"
)

// commits holds the commits that the session made against git.
func (a *auditing) commits(ctx context.Context) error {
	g := auditGroup{Name: "commits"}
	branch, err := a.tip(ctx)
	if err != nil {
		return err
	}
	var onBranch []git.Described
	if branch != "" && a.State.StartingCommit != "" && a.w.Repo.History.Exists(ctx, a.State.StartingCommit) {
		if onBranch, err = a.w.Repo.History.Between(ctx, a.State.StartingCommit, branch); err != nil {
			return err
		}
	}
	n, undone, trees := 0, 0, map[string]string{} // the tree that each commit of a task has to hold
	for _, c := range a.Claims {
		if c.Kind == audit.ClaimTask && c.Standing != audit.Unproven && c.Tree != "" {
			trees[c.Commit] = c.Tree
		}
	}
	for _, c := range a.Claims {
		if c.Kind != audit.ClaimCommit {
			continue
		}
		if n++; c.Undone > 0 {
			undone++
		}
		if c.Standing == audit.Unproven {
			g.problem(fmt.Sprintf("events.jsonl, revision %d", c.Rev), forged, "%s: %s", claimName(c), c.Why)
		}
		if err := a.commit(ctx, &g, c, branch, onBranch, trees[c.Commit]); err != nil {
			return err
		}
	}
	a.strangers(&g, onBranch)
	if err := a.lostBase(ctx, branch); err != nil {
		return err
	}
	if err := a.trees(ctx, &g); err != nil {
		return err
	}
	g.Text = fmt.Sprintf("%s, compared with git for parent, key, tree, and branch %s", machine.Plural(n, "commit", "commits"), a.State.Branch)
	if undone > 0 {
		g.Text += fmt.Sprintf("; %d of them undone", undone)
	}
	a.add(g)
	return nil
}

// tip is the commit that the session's branch ends in. Where the branch is gone, HEAD stands in for it.
func (a *auditing) tip(ctx context.Context) (string, error) {
	for _, name := range []string{"refs/heads/" + a.State.Branch, "refs/remotes/origin/" + a.State.Branch} {
		if a.State.Branch == "" {
			break
		}
		if sha, err := a.w.Repo.History.Resolve(ctx, name); err == nil {
			return sha, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	a.Said = append(a.Said, "the branch "+cmp.Or(a.State.Branch, "of the session")+" is not there; HEAD was looked at instead")
	position, err := a.w.Repo.Position(ctx)
	return position.Head, err
}

// commit holds one commit against git.
func (a *auditing) commit(ctx context.Context, g *auditGroup, c audit.Claim, tip string, onBranch []git.Described, tree string) error {
	where := claimName(c) + fmt.Sprintf(" (revision %d)", c.Rev)
	made, err := a.w.Repo.History.Describe(ctx, c.Commit)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		g.problem(where, rewritten, "git has no such commit%s", elsewhere(c, onBranch))
		return nil
	}
	if reached, err := a.w.Repo.History.IsAncestor(ctx, c.Commit, tip); err != nil {
		return err
	} else if !reached && c.Undone == 0 {
		g.problem(where, rewritten, "git has it, but not on branch %s%s", a.State.Branch, elsewhere(c, onBranch))
	}
	if c.Effect == nil || c.Effect.Resolve == "adopt" {
		return nil
	}
	if key := made.Trailer(git.KeyTrailer); key != c.Effect.Key {
		g.problem(where, forged, "its message has %s %q, and the journal intended %q", git.KeyTrailer, key, c.Effect.Key)
	}
	if len(made.Parents) != 1 || made.Parents[0] != c.Effect.Parent {
		g.problem(where, forged, "its parent is %s, and the journal intended %s", strings.Join(made.Parents, " "), c.Effect.Parent)
	}
	if tree == "" {
		return nil
	}
	hash, err := a.w.Repo.Tree.HashAt(ctx, c.Commit)
	if err == nil && hash != tree {
		g.problem(where, "what was committed is not what was validated", "its tree is not the one that its record names")
	}
	return err
}

// elsewhere says where a commit's key is found on the branch now.
func elsewhere(c audit.Claim, onBranch []git.Described) string {
	for _, d := range onBranch {
		if c.Effect != nil && d.SHA != c.Commit && d.Trailer(git.KeyTrailer) == c.Effect.Key {
			return "; " + d.SHA[:8] + " stands there with its key"
		}
	}
	return ""
}

// strangers are commits of the branch that bear the session's name and that no entry of the journal made.
func (a *auditing) strangers(g *auditGroup, onBranch []git.Described) {
	made, others := map[string]bool{}, 0
	for _, c := range a.Claims {
		made[c.Commit] = made[c.Commit] || c.Kind == audit.ClaimCommit
	}
	for _, d := range onBranch {
		key := d.Trailer(git.KeyTrailer)
		switch {
		case made[d.SHA]:
		case d.Trailer(sessionTrailer) == a.State.SessionSlug && strings.HasPrefix(key, a.State.SessionID+"/"):
			if !a.inFlight(key) {
				subject, _, _ := strings.Cut(d.Message, "\n")
				g.problem("commit "+d.SHA[:8]+" ("+subject+")", forged, "it bears the session's key %s, and the journal did not make it", key)
			}
		default:
			others++
		}
	}
	if others > 0 {
		a.Said = append(a.Said, machine.Plural(others, "commit", "commits")+" of the branch are not the session's")
	}
}

// inFlight says whether a commit was intended and its result was not recorded: the next run settles it.
func (a *auditing) inFlight(key string) bool {
	return slices.ContainsFunc(a.State.InFlight, func(f machine.InFlight) bool { return f.Effect != nil && f.Effect.Key == key })
}

// lostBase says where what the branch is to go into was rewritten under it.
func (a *auditing) lostBase(ctx context.Context, branch string) error {
	if branch == "" {
		return nil
	}
	what, remedy, err := branches.LostBase(ctx, a.w.Repo, a.State, branch)
	if what != "" {
		a.Said = append(a.Said, what+" Put it onto the new one: "+remedy)
	}
	return err
}

// trees holds the tree that a record names against its commit, where nothing else lay in the working tree.
func (a *auditing) trees(ctx context.Context, g *auditGroup) error {
	hashes := map[string]string{}
	for _, p := range a.Proofs {
		ev := p.Evidence
		if ev == nil || ev.Commit == "" || len(ev.Dirty) > 0 || ev.Tree == "" {
			continue
		}
		if _, known := hashes[ev.Commit]; !known {
			hash, err := a.w.Repo.Tree.HashAt(ctx, ev.Commit)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				hash = "" // the commit is gone, which its own line says
			}
			hashes[ev.Commit] = hash
		}
		if hash := hashes[ev.Commit]; hash != ev.Tree {
			what := "is not the tree of " + ev.Commit[:min(8, len(ev.Commit))] + ", on which it says that it ran"
			if hash == "" {
				what = "cannot be found: git has no commit " + ev.Commit[:min(8, len(ev.Commit))]
			}
			g.problem(fmt.Sprintf("events.jsonl, revision %d", p.Rev), "the record does not belong to the commit that it names", "the tree of the record %s", what)
		}
	}
	return nil
}
