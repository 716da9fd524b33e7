package autopilot

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/spec"
)

// look is ASSESS: is the plan that the session knows of there?
func (e *Engine) look(ctx context.Context, _ machine.Step) error {
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if e.phase().StartCommit == "" {
		if err := e.Records.SetAttemptsAside(e.state().CurrentPhase + 1); err != nil {
			return err
		}
	}
	ev := machine.Event{Type: machine.PlanChecked, Commit: position.Head}
	if known := e.phase().PlanPath; known != "" {
		plan, err := e.readPlan(known)
		if err != nil && !os.IsNotExist(err) {
			e.note("warning", fmt.Sprintf("The plan %s cannot be used: %v", known, err))
		}
		if err == nil && len(plan.Tasks) > 0 {
			ev.Plan = facts(known, plan)
		}
	}
	return e.apply(ev)
}

// located is what the search for a plan came to.
type located struct {
	path    string
	plan    *spec.Plan
	trouble string
}

// findPlan is the last step of PLAN: the plan that the planner or a human made is read.
func (e *Engine) findPlan(ctx context.Context, _ machine.Step) error {
	found, err := e.locate(ctx)
	if err != nil {
		return err
	}
	if found.plan == nil {
		return e.apply(machine.Event{Type: machine.PlanMissing, Detail: found.trouble})
	}
	return e.apply(machine.Event{Type: machine.PlanRead, Plan: facts(found.path, found.plan)})
}

// locate finds the phase's plan: where the planner says it is, else a new or changed Markdown file in the folders for
// plans that fits the phase, else the only new one.
func (e *Engine) locate(ctx context.Context) (located, error) {
	p := e.phase()
	candidates, err := e.candidates(ctx, p)
	if err != nil {
		return located{}, err
	}
	if len(candidates) == 0 {
		return located{trouble: fmt.Sprintf("no plan was found: expected a Markdown file such as %s", e.suggestedPlan(p))}, nil
	}
	if len(candidates) > 1 {
		return located{trouble: "several plans fit: " + strings.Join(candidates, ", ") +
			". Keep the one that you mean: remove the others, or name them .draft.md"}, nil
	}
	plan, err := e.readPlan(candidates[0])
	switch {
	case err != nil:
		return located{trouble: fmt.Sprintf("%s: %v", candidates[0], err)}, nil
	case len(plan.Tasks) == 0:
		return located{trouble: fmt.Sprintf("%s holds no task: it needs headings like \"### Task 1: title\"", candidates[0])}, nil
	}
	return located{path: candidates[0], plan: plan}, nil
}

func (e *Engine) candidates(ctx context.Context, p machine.Phase) ([]string, error) {
	if hint := e.insidePlans(p.PlanHint); hint != "" {
		return []string{hint}, nil
	}
	changes, err := e.Repo.Changes(ctx, p.StartCommit)
	if err != nil {
		return nil, err
	}
	var changed, fitting []string
	for _, c := range changes {
		if c.Status == 'D' || e.insidePlans(c.Path) == "" || strings.HasSuffix(c.Path, draftSuffix) {
			continue
		}
		changed = append(changed, c.Path)
		if e.fits(c.Path, p) {
			fitting = append(fitting, c.Path)
		}
	}
	switch {
	case len(fitting) > 0:
		return fitting, nil
	case len(changed) == 1:
		return changed, nil
	}
	return nil, nil
}

func (e *Engine) fits(file string, p machine.Phase) bool {
	plan, err := e.readPlan(file)
	if err != nil {
		plan = &spec.Plan{} // it fits by its name, and is refused with its problem when it is read
	}
	return plan.Fits(file, e.state().SpecPath, spec.Phase{Number: p.Number, Name: p.Name})
}

// insidePlans returns a path as git has it when it is a Markdown file in a folder for plans, else "".
func (e *Engine) insidePlans(file string) string {
	if file == "" || !strings.HasSuffix(file, ".md") {
		return ""
	}
	if filepath.IsAbs(file) {
		file = e.rel(file)
	}
	file = path.Clean(filepath.ToSlash(file))
	for _, dir := range e.planDirs() {
		if strings.HasPrefix(file, dir+"/") {
			if _, err := os.Stat(filepath.Join(e.Repo.Root(), filepath.FromSlash(file))); err == nil {
				return file
			}
		}
	}
	return ""
}

// planDirs are the folders for plans: docs/plans, and the topic's own when the spec lies in docs/changes/<topic>.
func (e *Engine) planDirs() []string {
	dirs := []string{"docs/plans"}
	if parts := strings.Split(e.state().SpecPath, "/"); len(parts) > 3 && parts[0] == "docs" && parts[1] == "changes" {
		dirs = slices.Insert(dirs, 0, path.Join("docs/changes", parts[2], "plans"))
	}
	return dirs
}

// suggestedPlan is the file that a planner is asked to write: docs/plans/YYYY-MM-DD-<phase-slug>-plan.md.
func (e *Engine) suggestedPlan(p machine.Phase) string {
	day := e.Now()
	if p.StartedAt != nil {
		day = *p.StartedAt
	}
	return path.Join(e.planDirs()[0], day.Format("2006-01-02")+"-"+spec.PhaseSlug(p.Name)+"-plan.md")
}

func (e *Engine) readPlan(file string) (*spec.Plan, error) {
	src, err := os.ReadFile(filepath.Join(e.Repo.Root(), filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	return spec.ParsePlan(src)
}

// written is the task as the plan file has it.
func (e *Engine) written(t machine.Task) (spec.Task, bool) {
	plan, err := e.readPlan(e.phase().PlanPath)
	if err != nil {
		return spec.Task{}, false
	}
	i := slices.IndexFunc(plan.Tasks, func(w spec.Task) bool { return w.Number == t.Number })
	if i < 0 {
		return spec.Task{}, false
	}
	return plan.Tasks[i], true
}

// facts is a plan as the core takes it.
func facts(file string, plan *spec.Plan) *machine.PlanFacts {
	f := &machine.PlanFacts{Path: file, SHA256: plan.SHA256}
	ids := map[string]string{}
	for i, t := range plan.Tasks {
		ids[t.Number] = machine.TaskID(i + 1)
	}
	for i, t := range plan.Tasks {
		task := machine.Task{
			ID: machine.TaskID(i + 1), Number: t.Number, Title: t.Title, DependsOn: []string{}, Files: nonNil(t.Files),
			FilesNone: t.FilesNone, Owns: t.Owns, ChangesTests: t.ChangesTests, Validation: t.Validation, ValidationNone: t.ValidationNone,
		}
		for _, n := range t.DependsOn {
			task.DependsOn = append(task.DependsOn, ids[n])
		}
		f.Tasks = append(f.Tasks, task)
	}
	for _, c := range plan.Checkpoints {
		f.Checkpoints = append(f.Checkpoints, machine.Checkpoint{Task: ids[c.Task], Kind: c.Kind, Text: c.Text, Options: c.Options})
	}
	return f
}

// planEdited looks whether the plan file still says what the session knows, while it is being weighed or run; an
// edited one is asked about anew.
func (e *Engine) planEdited() (bool, error) {
	s := e.state()
	asked := s.CurrentState == machine.ApprovePlan
	running := s.CurrentState == machine.Execute && s.Gate == nil &&
		slices.Contains([]machine.StepName{machine.StepPick, machine.StepDiagnose, machine.StepDispatch}, s.Step)
	if !asked && !running {
		return false, nil
	}
	p := e.phase()
	plan, err := e.readPlan(p.PlanPath)
	if os.IsNotExist(err) && s.IsImported && p.PlanSHA256 == "" {
		e.note("info", "The plan "+p.PlanPath+" of the imported session is not there any more: the phase begins with its plan.")
		return true, e.apply(machine.Event{Type: machine.PhaseRedone, Phase: s.CurrentPhase + 1})
	}
	if err != nil {
		return false, usage("the plan %s cannot be read any more: %v\nPut it back (git restore %s), then run the same command again. Or have the phase planned anew: autopilot phases %s redo %s", p.PlanPath, err, p.PlanPath, s.SpecPath, p.Number)
	}
	if plan.SHA256 == p.PlanSHA256 || len(plan.Tasks) == 0 {
		return false, nil
	}
	e.note("info", "The plan was edited: it is looked at again.")
	return true, e.apply(machine.Event{Type: machine.PlanEdited, Plan: facts(p.PlanPath, plan)})
}
