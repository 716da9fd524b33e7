package autopilot

import (
	"context"
	"fmt"
	"path"
	"strings"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
)

// weigh collects what in a plan may speak for asking a human; the core decides.
func (e *Engine) weigh(ctx context.Context, _ machine.Step) error {
	s, ctx := e.Journal.State(), git.Still(ctx)
	w, scripts := &machine.Weighed{}, e.checks().Scripts(nil)
	for _, t := range s.Tasks {
		if t.Kind != machine.KindPlan {
			continue
		}
		if waived := waiver(t); waived != "" && !e.Settings.ValidateNone {
			w.Waived = append(w.Waived, waived)
		}
		w.ChangedTests = append(w.ChangedTests, t.ChangesTests...)
		dirty, _, err := e.changes().Overlap(ctx, t.ID)
		if err != nil {
			return err
		}
		w.DirtyFiles = append(w.DirtyFiles, changes.NewIn(dirty, w.DirtyFiles)...)
		for _, file := range t.Files {
			if isCheckFile(file) && e.exists(file) || e.checks().IsScript(file, scripts) {
				w.ChecksTouched = append(w.ChecksTouched, file)
			}
		}
		for _, file := range t.Owns { // naming a script there lets it change as well
			if e.checks().IsScript(file, scripts) {
				w.ChecksTouched = append(w.ChecksTouched, file)
			}
		}
	}
	e.tellPlan(s)
	return e.Journal.Apply(machine.Event{Type: machine.PlanWeighed, Weighed: w})
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
func (e *Engine) tellPlan(s machine.State) {
	p := s.Phases[s.CurrentPhase]
	e.Journal.Report.Report(journal.Note{
		Event: "plan", Text: fmt.Sprintf("plan %s: %s, %s", p.PlanPath, machine.Plural(len(s.Tasks), "task", "tasks"), machine.Plural(len(s.Checkpoints), "checkpoint", "checkpoints")),
		Fields: map[string]any{"plan": p.PlanPath, "tasks": len(s.Tasks), "checkpoints": len(s.Checkpoints), "concerns": p.Concerns},
	})
	for _, t := range s.Tasks {
		text := t.ID + " " + t.Title
		if len(t.Files) > 0 {
			text += " (" + strings.Join(words.FirstFew(t.Files, 4), ", ") + ")"
		}
		e.Journal.Report.Report(journal.Note{Event: "plan", Text: text, Fields: map[string]any{"task": t.ID}})
	}
	e.tellTwins(p.PlanPath)
	if f, ok := s.Forecast(); ok {
		e.Journal.Report.Report(journal.Note{Event: "plan", Text: "forecast: " + f.String(), Fields: map[string]any{"forecast": f}})
	}
}

// tellTwins names the paths of a plan that not every file system tells apart.
func (e *Engine) tellTwins(file string) {
	plan, err := e.Plans().Read(file)
	if err != nil {
		return // who reads it next says so
	}
	for _, twin := range plan.Twins() {
		e.Journal.Note("warning", fmt.Sprintf("%s:%d: %s; %s.", file, twin.Line, twin.Message, twin.Hint))
	}
}

// isCheckFile says whether a path is one that decides how the project is checked: CI, or a validation's own file.
func isCheckFile(file string) bool {
	switch path.Base(file) {
	case "Makefile", "makefile", ".gitlab-ci.yml", "Jenkinsfile", "azure-pipelines.yml", "pytest.ini", "tox.ini", "conftest.py",
		"jest.config.js", "jest.config.ts", "vitest.config.ts", "vitest.config.js", ".golangci.yml", ".golangci.yaml", workspace.ProjectFile:
		return true
	}
	for _, dir := range []string{".github/", ".circleci/", ".ci/", ".buildkite/", ".harness/validate.d/"} {
		if strings.HasPrefix(file, dir) {
			return true
		}
	}
	return false
}
