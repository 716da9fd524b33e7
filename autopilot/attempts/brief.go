package attempts

import (
	"context"
	"slices"

	"autopilot/autopilot/checks"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/project"
	"autopilot/personas"
)

// brief collects what a dispatch has to be told.
func (ats Attempts) brief(ctx context.Context, step machine.Step, d personas.Dispatch) (personas.Brief, error) {
	s := ats.Journal.State()
	f, err := ats.facts(ctx, s, step)
	if err != nil {
		return personas.Brief{}, err
	}
	f.Window = ats.window(ctx, d.Persona)
	return dispatch.Briefs{Repo: ats.Repo, Dir: ats.Records.Dir(), Mask: ats.Mask}.Write(ctx, s, step, d, f)
}

// window is how many tokens a persona's model takes, as far as is known.
func (ats Attempts) window(ctx context.Context, p personas.Persona) int {
	backend, _, err := ats.Backends.For(p)
	if err != nil {
		return 0 // the dispatch says so
	}
	return personas.WindowOf(ctx, backend)
}

// facts are what the brief of a step's persona tells beside the state and the repository.
func (ats Attempts) facts(ctx context.Context, s machine.State, step machine.Step) (f dispatch.Facts, err error) {
	f = dispatch.Facts{PlanDir: ats.Plans.Dirs()[0], VerifyLog: checks.VerifyLog(s), Fresh: ats.Look.Fresh, Rollback: ats.Settings.Rollback}
	if f.Learnings, err = ats.Memory.Learnings(ats.Settings.Learnings); err != nil {
		return f, err
	}
	for _, v := range ats.Checks.Project() {
		f.Validations = append(f.Validations, v.Command)
	}
	f.Project = ats.aboutProject(len(f.Validations) > 0)
	if step.Phase > 0 {
		p := s.Phases[step.Phase-1] // for the planner one to come, where a human has its plan drafted beforehand
		f.PhaseText, f.PlanPath, f.PlanRefused = ats.PhaseText(p), ats.Plans.Suggested(p), ats.Plans.InPlans(p.PlanHint)
	}
	if step.Name == machine.StepVerifier {
		f.Unseen = ats.unseen(ctx, f.PhaseText)
	}
	if t, is := s.Task(step.Task); is {
		if t.Kind == machine.KindPlan {
			written, _ := ats.Plans.Written(t)
			f.Body, f.Steps = written.Body, written.Steps
		}
		if len(t.Failures()) > 1 || step.Purpose == string(personas.Diagnosis) {
			f.Related, err = ats.related(ctx, t)
		}
	}
	return f, err
}

// related lists the files that a task names, that its findings are about, and that it changed so far.
func (ats Attempts) related(ctx context.Context, t machine.Task) ([]string, error) {
	files := slices.Clone(t.Files)
	for _, f := range t.Fixes() {
		if f.File != "" {
			files = append(files, f.File)
		}
	}
	changes, err := ats.Checks.Changes.OfTask(ctx, t, t.Base)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		files = append(files, c.Path)
	}
	var once []string
	for _, name := range files {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once, nil
}

// aboutProject is what the profile says of the project, in a line; of its tests only where the prompt names no validation.
func (ats Attempts) aboutProject(validated bool) string {
	p, err := project.ReadFrom(ats.Harness)
	if err != nil {
		return "" // VERIFY says so
	}
	if validated {
		p.TestCommands = nil
	}
	return p.About()
}
