package autopilot

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/shell"
	"autopilot/spec"
)

// look is ASSESS: is the plan that the session knows of there?
func (e *Engine) look(ctx context.Context, _ machine.Step) error {
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if e.Journal.Phase().StartCommit == "" {
		if err := e.Records.SetAttemptsAside(e.Journal.State().CurrentPhase + 1); err != nil {
			return err
		}
	}
	stood, err := e.stood()
	if err != nil {
		return err
	}
	ev := machine.Event{Type: machine.PlanChecked, Commit: position.Head, Stood: stood}
	if known := e.Journal.Phase().PlanPath; known != "" {
		plan, err := e.readPlan(known)
		if err != nil && !os.IsNotExist(err) {
			e.Journal.Note("warning", fmt.Sprintf("The plan %s cannot be used: %v", known, err))
		}
		if err == nil && len(plan.Tasks) > 0 {
			ev.Plan = facts(known, plan)
		}
	}
	return e.Journal.Apply(ev)
}

// located is what the search for a plan came to.
type located struct {
	path    string
	plan    *spec.Plan
	trouble string
	none    bool // there is nothing that could be the plan
	several bool
}

// findPlan is the last step of PLAN: the plan that the planner or a human made is read.
func (e *Engine) findPlan(_ context.Context, _ machine.Step) error {
	found, err := e.locate()
	if err != nil {
		return err
	}
	if found.plan == nil {
		return e.Journal.Apply(machine.Event{Type: machine.PlanMissing, Detail: found.trouble, Several: found.several})
	}
	return e.Journal.Apply(machine.Event{Type: machine.PlanRead, Plan: facts(found.path, found.plan)})
}

// locate finds the phase's plan and reads it.
func (e *Engine) locate() (located, error) {
	p := e.Journal.Phase()
	found, err := e.candidates(p)
	if err != nil {
		return located{}, err
	}
	switch n := len(found.plans); {
	case n > 1:
		return located{trouble: fmt.Sprintf("several plans fit: %s. Keep the one that you mean: remove the others, or name them %s; or say which: autopilot plan %s --file %s",
			strings.Join(found.plans, ", "), draftSuffix, shell.QuotePath(e.Journal.State().SpecPath), shell.QuotePath(found.plans[0])), several: true}, nil
	case n == 0 && len(found.same) > 0 && e.HumansPlan(e.Journal.State().CurrentPhase):
		return located{trouble: fmt.Sprintf("%s fits, but is as it was when the plan was wanted, or as an agent left it. To take it: autopilot plan %s --file %s",
			found.same[0], shell.QuotePath(e.Journal.State().SpecPath), shell.QuotePath(found.same[0]))}, nil
	case n == 0 && len(found.same) > 0:
		return located{trouble: strings.Join(found.same, ", ") + ": nothing is new or changed there since the plan was wanted"}, nil
	case n == 0:
		return located{trouble: fmt.Sprintf("no plan was found: expected a Markdown file such as %s", e.suggestedPlan(p)), none: true}, nil
	}
	file := found.plans[0]
	plan, err := e.readPlan(file)
	if err == nil && len(plan.Unknown) > 0 {
		err = &spec.ParseError{Problems: plan.Unknown} // who has just written it can mend it best
	}
	switch {
	case err != nil:
		return located{trouble: fmt.Sprintf("%s: %v", file, err)}, nil
	case len(plan.Tasks) == 0:
		return located{trouble: fmt.Sprintf("%s holds no task: it needs headings like \"### Task 1: title\"", file)}, nil
	}
	return located{path: file, plan: plan}, nil
}

func (e *Engine) readPlan(file string) (*spec.Plan, error) {
	src, err := plainfile.ReadIn(e.Repo.Root(), file)
	if err != nil {
		return nil, err
	}
	return e.plans.parse(src)
}

// plans is the plan that was parsed last: it is looked at before each step, and seldom another than before. Nobody
// changes what was parsed.
type plans struct {
	mu   sync.Mutex
	src  []byte
	plan *spec.Plan
}

func (p *plans) parse(src []byte) (*spec.Plan, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.plan != nil && bytes.Equal(src, p.src) {
		return p.plan, nil
	}
	plan, err := spec.ParsePlan(src)
	if err == nil {
		p.src, p.plan = src, plan
	}
	return plan, err
}

// written is the task as the plan file has it.
func (e *Engine) written(t machine.Task) (spec.Task, bool) {
	plan, err := e.readPlan(e.Journal.Phase().PlanPath)
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
			task.DependsOn = append(task.DependsOn, cmp.Or(ids[n], strconv.Quote(n))) // what is not there is no id
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
	s := e.Journal.State()
	asked := s.CurrentState == machine.ApprovePlan
	running := s.CurrentState == machine.Execute && s.Gate == nil &&
		slices.Contains([]machine.StepName{machine.StepPick, machine.StepDiagnose, machine.StepDispatch}, s.Step)
	if !asked && !running {
		return false, nil
	}
	p := e.Journal.Phase()
	plan, err := e.readPlan(p.PlanPath)
	if os.IsNotExist(err) && s.IsImported && p.PlanSHA256 == "" {
		e.Journal.Note("info", "The plan "+p.PlanPath+" of the imported session is not there any more: the phase begins with its plan.")
		return true, e.Journal.Apply(machine.Event{Type: machine.PhaseRedone, Phase: s.CurrentPhase + 1, Detail: "the plan of the imported session is gone"})
	}
	if err != nil {
		return false, halt.Usage("the plan %s cannot be read any more: %v\nPut it back (git restore %s), then run the same command again. Or have the phase planned anew: autopilot phases %s redo %s", p.PlanPath, err, p.PlanPath, s.SpecPath, p.Number)
	}
	if plan.SHA256 == p.PlanSHA256 || len(plan.Tasks) == 0 {
		return false, nil
	}
	e.Journal.Note("info", "The plan was edited: it is looked at again.")
	return true, e.Journal.Apply(machine.Event{Type: machine.PlanEdited, Plan: facts(p.PlanPath, plan)})
}
