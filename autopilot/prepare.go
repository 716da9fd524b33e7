package autopilot

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// prepare makes the order for a backend: folders, prompt, environment.
func (e *Engine) prepare(ctx context.Context, step machine.Step, persona personas.Persona, backend personas.Backend) (personas.Dispatch, error) {
	return e.prepareFor(ctx, step, persona, func(b *personas.Brief) { b.Submits = personas.Submits(backend) })
}

// prepareFor is prepare, with a last change to the brief.
func (e *Engine) prepareFor(ctx context.Context, step machine.Step, persona personas.Persona, change func(*personas.Brief)) (personas.Dispatch, error) {
	s := e.Journal.State()
	id := e.NewID()
	attempts, err := e.Records.AttemptDir(step.Phase, dispatch.FolderOf(step), step.Attempt)
	if err != nil {
		return personas.Dispatch{}, err
	}
	out := filepath.Join(e.Repo.Root(), ".harness", "out", id)
	d := personas.Dispatch{
		ID: id, Purpose: dispatch.PurposeOf(step), Persona: persona, Dir: e.Repo.Root(), OutDir: out,
		Key:       dispatch.KeyOf(step),
		ReplyPath: filepath.Join(out, "reply.json"), SpecCopy: filepath.Join(e.Records.Dir(), "spec.md"),
		SessionDir: e.Records.Dir(), AttemptDir: attempts,
		Idle: e.Settings.Idle, Timeout: e.Settings.Dispatch, MaxTurns: e.Settings.Turns,
		LockFile: e.LockFile, OnEvent: func(kind, text string) { e.Journal.Detail(kind, text) },
	}
	for _, dir := range e.Plans().Dirs() {
		d.PlanDirs = append(d.PlanDirs, filepath.Join(e.Repo.Root(), filepath.FromSlash(dir)))
	}
	if s.RigorLevel != machine.Fast {
		d.ScratchpadDir = filepath.Join(out, "scratchpad")
	}
	brief, err := e.brief(ctx, step, d)
	if err != nil {
		return d, fmt.Errorf("writing the brief: %w", err)
	}
	change(&brief)
	d.Prompt = personas.Render(persona, brief)
	plan := cmp.Or(brief.PlanSuggestedPath, brief.PlanPath)
	if plan != "" {
		plan = filepath.Join(e.Repo.Root(), filepath.FromSlash(plan))
	}
	base, err := e.baseOf(ctx, step, brief)
	if err != nil {
		return d, err
	}
	d.Env = dispatch.Environment(s, step, d, base, plan)
	if err := writeJSON(filepath.Join(attempts, "dispatch.json"), d.Key); err != nil {
		return d, err
	}
	return d, os.WriteFile(filepath.Join(attempts, "prompt.md"), []byte(e.Mask.Replace(d.Prompt)), 0o644)
}

// baseOf is the commit that the diff of a dispatch starts at: where its phase begins, while nothing was done yet.
func (e *Engine) baseOf(ctx context.Context, step machine.Step, b personas.Brief) (string, error) {
	if b.Base != "" || step.Phase == 0 {
		return b.Base, nil
	}
	if start := e.Journal.State().Phases[step.Phase-1].StartCommit; start != "" {
		return start, nil
	}
	position, err := e.Repo.Position(ctx)
	return position.Head, err
}

// makeOut makes the folder that the agent may write to. The journal knows the dispatch by then, so that none is left
// behind which no resumed run would remove.
func (e *Engine) makeOut(step machine.Step, d personas.Dispatch) error {
	if err := makeFolder(e.Repo.Root(), plainfile.RelTo(cmp.Or(d.ScratchpadDir, d.OutDir), e.Repo.Root(), filepath.Dir(e.Harness))); err != nil {
		return err
	}
	if d.ScratchpadDir == "" {
		return nil
	}
	return e.Records.FillScratchpad(step.Phase, d.OutDir)
}

// makeFolder makes a folder that an agent may write to, below the repository's root: no link leads an agent elsewhere.
func makeFolder(repo, folder string) error {
	root, err := os.OpenRoot(repo)
	if err != nil {
		return err
	}
	defer root.Close()
	err = root.MkdirAll(folder, 0o755)
	switch {
	case err == nil:
		return nil
	case inTheWay(root, folder):
		return halt.Usage("the folder for what an agent writes cannot be made: %v\nA link, or a file, is in its way: move it away, then run the same command again", err)
	}
	return fmt.Errorf("making the folder for what an agent writes: %w", err)
}

// inTheWay says whether something that is no folder stands where one is wanted, or one above it.
func inTheWay(root *os.Root, folder string) bool {
	for ; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if info, err := root.Lstat(folder); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}
