package autopilot

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
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
	"autopilot/personas"
)

// dispatch has the planner write, and puts right whatever else it did to the repository.
func (d *SpecDraft) dispatch(ctx context.Context, backend personas.Backend) (personas.Outcome, error) {
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
	return out, errors.Join(ran, d.keepReply(order, out))
}

// out is the folder that a dispatch may write to.
func (d *SpecDraft) out(id string) string { return filepath.Join(d.harness(), "out", id) }

// order makes the order for a backend: folders, prompt, environment.
func (d *SpecDraft) order(ctx context.Context, backend personas.Backend, stand draftStand) (personas.Dispatch, error) {
	attempt := filepath.Join(d.dir, fmt.Sprint(d.record.Attempt))
	o := personas.Dispatch{
		ID: d.record.Dispatch, Key: personas.Key{Persona: string(d.Persona.Name), Task: string(personas.SpecDraft), Attempt: d.record.Attempt},
		Purpose: personas.SpecDraft, Persona: d.Persona, Dir: d.Repo.Root(), OutDir: d.out(d.record.Dispatch), PlanDirs: []string{filepath.Dir(d.path())},
		SessionDir: d.dir, AttemptDir: attempt, Idle: d.Settings.Idle, Timeout: d.Settings.Dispatch, MaxTurns: d.Settings.Turns, LockFile: d.LockFile,
		OnEvent: func(kind, text string) {
			d.Report.Report(journal.Note{Event: "agent", Text: kind + ": " + words.OneLine(d.Mask.Shorten(text, 400)), Detail: true})
		},
	}
	o.ReplyPath = filepath.Join(o.OutDir, "reply.json")
	if err := errors.Join(os.MkdirAll(attempt, 0o755), os.MkdirAll(o.OutDir, 0o755), d.save()); err != nil {
		return o, err
	}
	brief, err := d.brief(ctx, o, stand)
	if err != nil {
		return o, fmt.Errorf("writing the brief: %w", err)
	}
	brief.Submits = personas.Submits(backend)
	o.Prompt = personas.Render(d.Persona, brief)
	o.Env = map[string]string{
		"AUTOPILOT_REPLY": o.ReplyPath, "AUTOPILOT_PERSONA": o.Key.Persona, "AUTOPILOT_TASK": "", "AUTOPILOT_ATTEMPT": fmt.Sprint(o.Key.Attempt),
		"AUTOPILOT_SESSION_DIR": d.dir, "AUTOPILOT_BASE": stand.Guard.Head, "AUTOPILOT_SPEC": d.path(), "AUTOPILOT_PHASE": "", "AUTOPILOT_PHASE_NUMBER": "",
		"AUTOPILOT_PLAN": "", "AUTOPILOT_RIGOR": "", "AUTOPILOT_SCRATCHPAD": "",
	}
	if err := writeJSON(filepath.Join(attempt, "dispatch.json"), o.Key); err != nil {
		return o, err
	}
	return o, os.WriteFile(filepath.Join(attempt, "prompt.md"), []byte(d.Mask.Replace(o.Prompt)), 0o644)
}

// brief is what the planner has to know: what is wanted, the project, and where the spec goes.
func (d *SpecDraft) brief(ctx context.Context, o personas.Dispatch, stand draftStand) (personas.Brief, error) {
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
func (d *SpecDraft) project(ctx context.Context) ([]personas.Section, error) {
	now, err := scanProject(ctx, d.Repo, d.harness())
	if err != nil {
		return nil, err
	}
	if now.remark != "" {
		d.say("warning", "%s", now.remark)
	}
	if now.old == nil {
		if err := replaceFile(filepath.Join(d.harness(), ProfileName), now.text); err != nil {
			return nil, err
		}
	}
	text := string(now.text)
	if len(text) > maxProfile {
		text = now.found.About()
	}
	parts := []personas.Section{{Title: "The project, as scanned", Text: text}}
	if specs := d.earlier(now.paths); len(specs) > 0 {
		parts = append(parts, personas.Section{Title: "Specs that are there", Text: strings.Join(words.FirstFew(specs, maxSpecs), "\n")})
	}
	return parts, nil
}

// earlier are the specs beside the draft.
func (d *SpecDraft) earlier(paths []string) []string {
	var specs []string
	for _, p := range paths {
		if path.Dir(p) == SpecsDir && path.Ext(p) == ".md" && p != d.file {
			specs = append(specs, p)
		}
	}
	return specs
}

// keepReply keeps what came back with the attempt. The prompt of one that waits for a person goes: it was handed over,
// and the dispatch that takes the reply is not one that was cut off.
func (d *SpecDraft) keepReply(o personas.Dispatch, out personas.Outcome) error {
	if out.Kind == personas.Waiting {
		return os.Remove(filepath.Join(o.AttemptDir, "prompt.md"))
	}
	if out.Reply == nil {
		return nil
	}
	return writeJSON(filepath.Join(o.AttemptDir, "reply.json"), out.Reply)
}

// draftRef is a name under which something of the draft is kept.
func (d *SpecDraft) draftRef(id, what string) string {
	return "refs/autopilot/drafts/" + branches.RefName(d.name()) + "/" + id + "/" + what
}

// usersOf are the paths that are uncommitted, without the draft itself.
func (d *SpecDraft) usersOf(dirt []git.Change) []string {
	var paths []string
	for _, p := range git.Paths(dirt) {
		if p != d.file {
			paths = append(paths, p)
		}
	}
	return paths
}
