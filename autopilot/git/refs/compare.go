package refs

import (
	"cmp"
	"context"
	"fmt"

	"autopilot/autopilot/git"
)

// Deviation is what a dispatch did to the repository beside editing files.
type Deviation struct {
	Now          git.Position
	HeadAhead    bool     // commits were added on the same branch
	IndexChanged bool     // something was staged or unstaged
	Other        []string // anything else, each as a sentence's beginning: "switched from main to x"
	Shared       []string // those of Other that are about refs, which all working trees of the repository share
	UserDeleted  []string // files of the user that are gone
	UserAltered  []string // files of the user that have other bytes than before
	Refs         []Moved  // every ref that is to be put back, the branch's own included
	Left         []Moved  // refs that are not as they were and stay so: nothing shows that it was the dispatch
}

// Mild tells whether nothing happened to the repository that is more than a commit too early or a changed index.
func (d Deviation) Mild() bool { return len(d.Other) == 0 }

// None tells whether the repository and the user's files are as they were.
func (d Deviation) None() bool {
	return !d.HeadAhead && !d.IndexChanged && d.Mild() && len(d.UserDeleted)+len(d.UserAltered)+len(d.Left) == 0
}

// Compare tells what is no longer as it was at Watch. Fetching does not count, and neither do branches that another
// working tree has checked out, or that were moved or made there as its log tells: an editor or the user does that
// meanwhile.
func (r Guards) Compare(ctx context.Context, g Guard) (Deviation, error) {
	var d Deviation
	now, refs, err := r.positionAndRefs(ctx)
	if err != nil {
		return d, err
	}
	d.Now = now
	if d.IndexChanged, err = r.indexChanged(ctx, g); err != nil {
		return d, fmt.Errorf("comparing the index: %w", err)
	}
	moved, err := r.movedRefs(ctx, g, refs)
	if err != nil {
		return d, err
	}
	d.Refs, d.Left = r.logs().split(g, moved, refs)
	own, err := r.movedOwn(ctx, g)
	if err != nil {
		return d, err
	}
	d.Refs = append(d.Refs, own...)
	if err := r.judgeHead(ctx, g, &d); err != nil {
		return d, err
	}
	d.judgeRefs(g)
	d.UserDeleted, d.UserAltered, err = r.repo.Files.Altered(g.Files)
	return d, err
}

func (r Guards) indexChanged(ctx context.Context, g Guard) (bool, error) {
	before, err := r.guardedIndex(g)
	now, loadErr := r.repo.Index.Load()
	if err := cmp.Or(err, loadErr); err != nil {
		return false, err
	}
	same, err := r.repo.Index.Same(ctx, before, now)
	return !same, err
}

func (r Guards) movedRefs(ctx context.Context, g Guard, now refTable) ([]Moved, error) {
	kept, err := r.recall(g, g.Refs)
	if err != nil {
		return nil, err
	}
	before := parseRefTable(kept)
	before.take(g.Ours)
	return r.logs().withoutOthers(ctx, g, before.moved(now)), nil
}

func (r Guards) judgeHead(ctx context.Context, g Guard, d *Deviation) error {
	if d.Now.Operation != g.Operation && d.Now.Operation != "" {
		d.Other = append(d.Other, "left a "+d.Now.Operation+" unfinished")
	}
	if d.Now.Branch != g.Branch {
		d.Other = append(d.Other, fmt.Sprintf("switched from %s to %s", place(g.Branch), place(d.Now.Branch)))
		return nil
	}
	if d.Now.Head == g.Head {
		return nil
	}
	ahead := false
	if d.Now.Head != "" {
		var err error
		if ahead, err = r.repo.History.IsAncestor(ctx, g.Head, d.Now.Head); err != nil {
			return fmt.Errorf("comparing HEAD: %w", err)
		}
	}
	if d.HeadAhead = ahead; !ahead {
		d.Other = append(d.Other, fmt.Sprintf("rewound or rewrote %s: it was at %s and is at %s",
			place(g.Branch), g.Head, d.Now.Head))
	}
	return nil
}

func place(branch string) string { return cmp.Or(branch, "a detached HEAD") }

// judgeRefs puts into words what happened to refs, except to the branch that judgeHead has spoken of.
func (d *Deviation) judgeRefs(g Guard) {
	for _, m := range d.Refs {
		if m.Name == "refs/heads/"+g.Branch && d.Now.Branch == g.Branch {
			continue
		}
		d.Other, d.Shared = append(d.Other, m.Words()), append(d.Shared, m.Words())
	}
}
