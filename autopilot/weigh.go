package autopilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
)

// weighing finds the plan of a phase, and what in it may speak for asking a human.
type weighing struct {
	journal  *journal.Journal
	records  Records
	repo     *git.Repo
	settings Settings
	changes  changes.Changes
	checks   checks.Checks
	plans    plans.Plans
}

// weigh collects what in a plan may speak for asking a human; the core decides.
func (we weighing) weigh(ctx context.Context, _ machine.Step) error {
	s, ctx := we.journal.State(), git.Still(ctx)
	w, scripts := &machine.Weighed{}, we.checks.Scripts(nil)
	for _, t := range s.Tasks {
		if t.Kind != machine.KindPlan {
			continue
		}
		if waived := waiver(t); waived != "" && !we.settings.ValidateNone {
			w.Waived = append(w.Waived, waived)
		}
		w.ChangedTests = append(w.ChangedTests, t.ChangesTests...)
		dirty, _, err := we.changes.Overlap(ctx, t.ID)
		if err != nil {
			return err
		}
		w.DirtyFiles = append(w.DirtyFiles, changes.NewIn(dirty, w.DirtyFiles)...)
		for _, file := range t.Files {
			if (integrity.Guards(file) || checks.IsScript(file, scripts)) && exists(we.repo.Root(), file) {
				w.ChecksTouched = append(w.ChecksTouched, file)
			}
		}
		for _, file := range t.Owns { // naming a script there lets it change as well
			if checks.IsScript(file, scripts) && exists(we.repo.Root(), file) {
				w.ChecksTouched = append(w.ChecksTouched, file)
			}
		}
	}
	we.tellPlan(s)
	if err := we.journal.Apply(machine.Event{Type: machine.PlanWeighed, Weighed: w}); err != nil {
		return err
	}
	if we.journal.State().Gate == nil { // the question tells them
		for _, a := range s.Phases[s.CurrentPhase].Assumptions {
			we.journal.Note("info", "the plan assumes: "+a)
		}
	}
	return nil
}

// waiver names a task that nothing checks: its plan says so, or has a command that cannot fail, which comes to the same.
func waiver(t machine.Task) string {
	switch {
	case t.ValidationNone:
		return t.ID
	case validate.Validation{Command: t.Validation}.CannotFail() && t.Validation != "":
		return fmt.Sprintf("%s (`%s` cannot fail)", t.ID, words.OneLine(t.Validation))
	}
	return ""
}

// tellPlan prints a plan in short: what a person would want to see who does not stop it.
func (we weighing) tellPlan(s machine.State) {
	p := s.Phases[s.CurrentPhase]
	we.journal.Report.Report(journal.Note{
		Event: "plan", Text: fmt.Sprintf("plan %s: %s, %s", p.PlanPath, machine.Plural(len(s.Tasks), "task", "tasks"), machine.Plural(len(s.Checkpoints), "checkpoint", "checkpoints")),
		Fields: map[string]any{"plan": p.PlanPath, "tasks": len(s.Tasks), "checkpoints": len(s.Checkpoints), "concerns": p.Concerns},
	})
	for _, t := range s.Tasks {
		text := t.ID + " " + t.Title
		if len(t.Files) > 0 {
			text += " (" + strings.Join(words.FirstFew(t.Files, 4), ", ") + ")"
		}
		we.journal.Report.Report(journal.Note{Event: "plan", Text: text, Fields: map[string]any{"task": t.ID}})
	}
	for _, c := range s.Checkpoints {
		we.journal.Note("plan", words.OneLine(c.String()))
	}
	we.tellTwins(p.PlanPath)
	if f, ok := s.Forecast(); ok {
		we.journal.Report.Report(journal.Note{Event: "plan", Text: "forecast: " + f.String(), Fields: map[string]any{"forecast": f}})
	}
}

// tellTwins names the paths of a plan that not every file system tells apart.
func (we weighing) tellTwins(file string) {
	plan, err := we.plans.Read(file)
	if err != nil {
		return // who reads it next says so
	}
	for _, twin := range plan.Twins() {
		we.journal.Note("warning", fmt.Sprintf("%s:%d: %s; %s.", file, twin.Line, twin.Message, twin.Hint))
	}
}

// look is ASSESS: is the plan that the session knows of there?
func (we weighing) look(ctx context.Context, _ machine.Step) error {
	position, err := we.repo.Position(ctx)
	if err != nil {
		return err
	}
	if we.journal.Phase().StartCommit == "" {
		if err := we.records.SetAttemptsAside(we.journal.State().CurrentPhase + 1); err != nil {
			return err
		}
	}
	stood, err := we.plans.StoodWithDrafts()
	if err != nil {
		return err
	}
	ev := machine.Event{Type: machine.PlanChecked, Commit: position.Head, Stood: stood}
	if known := we.journal.Phase().PlanPath; known != "" {
		plan, err := we.plans.Read(known)
		if err != nil && !os.IsNotExist(err) {
			we.journal.Note("warning", fmt.Sprintf("The plan %s cannot be used: %v", known, err))
		}
		if err == nil {
			ev.Plan = plans.Facts(known, plan)
		}
	}
	return we.journal.Apply(ev)
}

// findPlan is the last step of PLAN: the plan that the planner or a human made is read.
func (we weighing) findPlan(_ context.Context, _ machine.Step) error {
	found, err := we.plans.Locate()
	if err != nil {
		return err
	}
	if found.Plan == nil {
		err := we.journal.Apply(machine.Event{Type: machine.PlanMissing, Detail: found.Trouble, Several: found.Several})
		if err == nil && we.journal.State().Gate == nil {
			we.journal.Note("warning", "The plan was refused, and the planner is dispatched again with it: "+found.Trouble)
		}
		return err
	}
	return we.journal.Apply(machine.Event{Type: machine.PlanRead, Plan: plans.Facts(found.Path, found.Plan), Own: we.plans.Own(found)})
}

// exists says whether there is a file at a path of a working tree.
func exists(root, file string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(file)))
	return err == nil
}
