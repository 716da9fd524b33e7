package specdraft

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/project"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
	"autopilot/personas"
)

// dispatch has the planner write, and puts right whatever else it did to the repository.
func (d *Draft) dispatch(ctx context.Context, backend personas.Backend) (personas.Outcome, error) {
	if ctx.Err() != nil {
		return personas.Outcome{}, &halt.InterruptedError{Cause: context.Cause(ctx)}
	}
	d.record.Dispatch = d.NewID()
	stand, err := d.watch(ctx)
	if err != nil {
		return personas.Outcome{}, fmt.Errorf("looking at the repository before the dispatch: %w", err)
	}
	order, err := d.order(ctx, backend, stand)
	if err != nil {
		return personas.Outcome{}, err
	}
	defer os.RemoveAll(order.OutDir)
	d.say("dispatch", "planner dispatched (spec)")
	out, ran := d.Mask.Dispatch(ctx, backend, order)
	if d.undone, err = d.putRight(context.WithoutCancel(ctx), stand); err != nil {
		return out, errors.Join(ran, fmt.Errorf("putting the repository right after the dispatch: %w", err))
	}
	return out, errors.Join(ran, dispatch.Keep(order.AttemptDir, out))
}

// out is the folder that a dispatch may write to.
func (d *Draft) out(id string) string { return filepath.Join(d.harness(), "out", id) }

// order makes the order for a backend: folders, prompt, environment.
func (d *Draft) order(ctx context.Context, backend personas.Backend, stand draftStand) (personas.Dispatch, error) {
	by := dispatch.Dispatcher{
		Root: d.Repo.Root(), Mask: d.Mask, LockFile: d.LockFile, Idle: d.Settings.Idle, Timeout: d.Settings.Dispatch, Turns: d.Settings.Turns,
		Tell: func(kind, text string) {
			d.Report.Report(journal.Note{Event: "agent", Text: kind + ": " + words.OneLine(d.Mask.Shorten(text, 400)), Detail: true})
		},
	}
	if err := d.save(); err != nil { // the record knows the dispatch before there is a folder of it
		return personas.Dispatch{}, err
	}
	o, err := by.Prepare(dispatch.Order{
		ID: d.record.Dispatch, Persona: d.Persona, Purpose: personas.SpecDraft,
		Key:     personas.Key{Persona: string(d.Persona.Name), Task: string(personas.SpecDraft), Attempt: d.record.Attempt},
		Session: d.dir, Attempt: filepath.Join(d.dir, fmt.Sprint(d.record.Attempt)), PlanDirs: []string{filepath.Dir(d.path())},
	}, func(o personas.Dispatch) (personas.Brief, map[string]string, error) {
		brief, err := d.brief(ctx, o, stand)
		brief.Submits = personas.Submits(backend)
		return brief, map[string]string{"AUTOPILOT_BASE": stand.Guard.Head, "AUTOPILOT_SPEC": d.path()}, err
	})
	if err != nil {
		return o, err
	}
	return o, by.Open(o)
}

// brief is what the planner has to know: what is wanted, the project, and where the spec goes.
func (d *Draft) brief(ctx context.Context, o personas.Dispatch, stand draftStand) (personas.Brief, error) {
	b := personas.Brief{
		Purpose: personas.SpecDraft, Remark: d.Wish, SpecSuggestedPath: d.file, ReplyPath: o.ReplyPath, Attempt: d.record.Attempt, MaxAttempts: maxSpecDrafts,
		Failure: d.record.Failure, Interrupted: dispatch.WasCutOff(o.AttemptDir), Learnings: d.Learnings, Dirty: words.FirstFew(stand.Users, dispatch.MaxDirty),
	}
	b.Guide, b.GuidePath = dispatch.Guide(d.Mask, d.Repo.Root())
	if !d.Settings.ValidateNone {
		found, err := validate.Find(d.Repo.Root(), d.Settings.Validations...)
		if err != nil {
			d.say("warning", "The validation commands could not be found: %v", err)
		}
		for _, v := range found {
			b.Validations = append(b.Validations, v.Command)
		}
	}
	var err error
	b.Standing, err = d.project(ctx)
	return b, err
}

const (
	maxProfile = 8_000 // bytes of the profile that stand in a prompt; of a larger one a line does
	maxSpecs   = 30    // earlier specs that a prompt names
)

// project is what a scan of the project finds. The profile is written where there is none yet: one that is there may
// be read by a session at work.
func (d *Draft) project(ctx context.Context) ([]personas.Section, error) {
	now, err := project.ScanRepo(ctx, d.Repo, d.harness())
	if err != nil {
		return nil, err
	}
	if now.Remark != "" {
		d.say("warning", "%s", now.Remark)
	}
	if now.Old == nil {
		if err := plainfile.Replace(filepath.Join(d.harness(), project.Name), now.Text); err != nil {
			return nil, err
		}
	}
	text := string(now.Text)
	if len(text) > maxProfile {
		text = now.Found.About()
	}
	parts := []personas.Section{{Title: "The project, as scanned", Text: text}}
	if specs := d.earlier(now.Paths); len(specs) > 0 {
		parts = append(parts, personas.Section{Title: "Specs that are there", Text: strings.Join(words.FirstFew(specs, maxSpecs), "\n")})
	}
	return parts, nil
}

// earlier are the specs beside the draft.
func (d *Draft) earlier(paths []string) []string {
	var specs []string
	for _, p := range paths {
		if path.Dir(p) == Folder && path.Ext(p) == ".md" && p != d.file {
			specs = append(specs, p)
		}
	}
	return specs
}

// draftRef is a name under which something of the draft is kept.
func (d *Draft) draftRef(id, what string) string {
	return "refs/autopilot/drafts/" + branches.RefName(d.name()) + "/" + id + "/" + what
}

// usersOf are the paths that are uncommitted, without the draft itself.
func (d *Draft) usersOf(dirt []git.Change) []string {
	var paths []string
	for _, p := range git.Paths(dirt) {
		if p != d.file {
			paths = append(paths, p)
		}
	}
	return paths
}
