package autopilot

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// maxDiff is how much of a diff stands in a prompt, in bytes; the rest is for the persona to read itself.
const maxDiff = 60_000

// brief collects what a dispatch has to name.
func (e *Engine) brief(ctx context.Context, step machine.Step, d personas.Dispatch) (personas.Brief, error) {
	s := e.state()
	b := personas.Brief{
		Purpose: briefPurpose(step), Rigor: personas.Rigor(s.RigorLevel), SpecPath: d.SpecCopy, SpecTitle: s.Spec.Title,
		Criteria: s.Spec.Criteria, SessionDir: d.SessionDir, ScratchpadDir: d.ScratchpadDir, ReplyPath: d.ReplyPath,
		Attempt: step.Attempt, Dirty: firstFew(s.LeftOut, maxDirty), Interrupted: !e.fresh && wasCutOff(d.AttemptDir),
	}
	for _, note := range s.Notes {
		b.Notes = append(b.Notes, "The human in charge says: "+note)
	}
	learnings, err := e.Memory.Learnings(e.Settings.LearningsBudget)
	if err != nil {
		return b, err
	}
	b.Learnings = learnings
	b.Guide, b.GuidePath = e.guide()
	for _, v := range e.validations() {
		b.Validations = append(b.Validations, v.Command)
	}
	if step.Phase > 0 {
		e.briefPhase(&b, s, step)
	}
	if b.Standing, err = e.progressSections(ctx, s, step); err != nil {
		return b, err
	}
	switch {
	case step.Persona == "planner":
		return b, e.briefPlanner(ctx, &b, s, step)
	case step.Persona == "executor", step.Purpose == string(personas.Diagnosis):
		return b, e.briefTask(ctx, &b, s, step)
	case step.Persona == "verifier":
		e.briefEvidence(&b, s)
		return b, e.briefDiff(ctx, &b, s.Phases[s.CurrentPhase].StartCommit)
	}
	return b, e.briefReview(ctx, &b, s, step)
}

// maxDirty is how many of the user's uncommitted files a prompt names.
const maxDirty = 50

// wasCutOff says whether the attempt was dispatched before and came to no reply: it was interrupted, or met a limit.
// An attempt that was spent without a reply has a folder of its own.
func wasCutOff(attempt string) bool {
	_, sent := os.Stat(filepath.Join(attempt, "prompt.md"))
	_, replied := os.Stat(filepath.Join(attempt, "reply.json"))
	return sent == nil && replied != nil
}

// briefPurpose: a fix is the executor's plain work, on a task of another kind.
func briefPurpose(step machine.Step) personas.Purpose {
	if slices.Contains([]string{"fix", "draft", "interactive"}, step.Purpose) {
		return personas.Work
	}
	return personas.Purpose(step.Purpose)
}

func (e *Engine) briefPhase(b *personas.Brief, s machine.State, step machine.Step) {
	p := s.Phases[step.Phase-1]
	b.Phase = personas.PhaseBrief{
		Number: p.Number, Name: p.Name, Complexity: string(p.Complexity), Index: step.Phase, Of: len(s.Phases), Text: e.phaseText(p),
	}
	b.Failure, b.Remark = p.Failure, p.Remark
	b.PlanPath = p.PlanPath
	if text, err := plainfile.ReadIn(e.Repo.Root(), p.PlanPath); err == nil && p.PlanPath != "" {
		b.PlanText = string(text)
	}
	for _, c := range s.Checkpoints {
		if c.Passed {
			b.Checkpoints = append(b.Checkpoints, personas.CheckpointBrief{Task: c.Task, Kind: c.Kind, Question: c.Text, Choice: c.Answer})
		}
	}
}

func (e *Engine) briefPlanner(ctx context.Context, b *personas.Brief, s machine.State, step machine.Step) error {
	p := s.Phases[step.Phase-1] // one to come, where a human has its plan drafted beforehand
	b.PlanDir = e.planDirs()[0]
	b.PlanSuggestedPath = cmp.Or(p.PlanPath, e.suggestedPlan(p))
	if p.Skeleton != "" || p.Remark != "" {
		b.Skeleton = e.lastSummary("skeleton", step.Phase)
	}
	position, err := e.Repo.Position(ctx)
	if position.Head != s.StartingCommit {
		b.Base, b.Head = s.StartingCommit, position.Head
	}
	return err
}

// briefTask names the task, what failed before, and with each retry more of what may help.
func (e *Engine) briefTask(ctx context.Context, b *personas.Brief, s machine.State, step machine.Step) error {
	t, _ := s.Task(step.Task)
	b.Task = &personas.TaskBrief{
		ID: t.ID, Number: cmp.Or(t.Number, strings.TrimLeft(strings.TrimPrefix(t.ID, "task-"), "0")), Title: t.Title, Files: t.Files, Owns: t.Owns,
		ChangesTests: t.ChangesTests, DependsOn: t.DependsOn, Validation: t.Validation,
	}
	if t.Kind != machine.KindPlan {
		b.Task.Kind = t.Kind
		if t.Finding != nil {
			b.Task.Body = t.Finding.String() + "\n\n" + t.Finding.Rationale
		}
	} else if written, ok := e.written(t); ok {
		b.Task.Body, b.Task.Steps = written.Body, written.Steps
	}
	failed := t.Failures()
	b.Attempt, b.MaxAttempts = len(failed)+1, s.RetryBudget.MaxAttempts+1+t.Extra
	b.Remark, b.Failure, b.Base, b.RolledBack = t.Remark, "", t.Base, e.Settings.Rollback || e.fresh
	if len(failed) == 0 {
		return nil
	}
	b.Failure = failed[len(failed)-1].Error
	var err error
	b.MoreContext, err = e.retryContext(ctx, step, t)
	if step.Purpose == string(personas.Diagnosis) {
		briefDiagnosis(b, t)
	}
	return err
}

func briefDiagnosis(b *personas.Brief, t machine.Task) {
	var tries []string
	for i, a := range t.Failures() {
		tries = append(tries, fmt.Sprintf("Attempt %d: %s", i+1, a.Error))
	}
	b.MoreContext = append(b.MoreContext, personas.Section{Title: "All attempts so far", Text: strings.Join(tries, "\n\n")})
}

// briefEvidence names the commands that the program ran for the phase, with their output.
func (e *Engine) briefEvidence(b *personas.Brief, s machine.State) {
	checks := s.Phases[s.CurrentPhase].Checks
	outputs := outputsOf(filepath.Join(e.Records.Dir(), verifyLog(s)), checks)
	for i, c := range checks {
		note := c.Detail // the state's own excerpt, where there is no more
		if out, ok := outputs[i]; ok {
			note = strings.TrimSuffix(strings.TrimSpace(out), machine.OutputEnd(c))
		}
		if len(c.Flakes) > 0 {
			note = "flaky, and not blamed: " + strings.Join(c.Flakes, ", ") + "\n" + note
		}
		if c.Outcome != machine.CheckPassed {
			note = strings.ReplaceAll(c.Outcome, "_", " ") + "\n" + note
		}
		b.Evidence = append(b.Evidence, personas.Evidence{Command: c.Command, ExitCode: c.ExitCode, Note: e.Mask.Shorten(strings.TrimSpace(note), maxFile)})
	}
	if flakes := s.FlakesOf(s.CurrentPhase); len(flakes) > 0 {
		var list strings.Builder
		for _, f := range flakes {
			list.WriteString("- " + machine.FlakeLine(s, f) + "\n")
		}
		b.MoreContext = append(b.MoreContext, personas.Section{Title: "Flaky tests of this phase (failed, passed when run again; not blamed)", Text: list.String()})
	}
}

func (e *Engine) briefDiff(ctx context.Context, b *personas.Brief, from string) error {
	b.Base = from
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	b.Head = position.Head
	if b.DiffStat, err = e.Repo.DiffStat(ctx, from, position.Head); err != nil {
		return err
	}
	b.Diff, b.DiffCut, err = e.Repo.Diff(ctx, from, position.Head, maxDiff)
	return err
}

// briefReview gives the reviewer the phase's range, or in the final review the whole change with the findings of all
// phases.
func (e *Engine) briefReview(ctx context.Context, b *personas.Brief, s machine.State, step machine.Step) error {
	p := s.Phases[s.CurrentPhase]
	if step.State != machine.FinalReview {
		e.briefEvidence(b, s)
		b.Findings = briefFindings(p.Findings)
		for _, t := range s.Tasks {
			b.Findings = append(b.Findings, briefFindings(t.Findings)...)
		}
		return e.briefDiff(ctx, b, p.StartCommit)
	}
	text, err := os.ReadFile(b.SpecPath)
	if err != nil {
		return err
	}
	b.SpecText = e.Mask.Shorten(string(text), maxDiff)
	for _, p := range s.Phases {
		b.Findings = append(b.Findings, briefFindings(p.Findings)...)
	}
	var ended strings.Builder
	for _, h := range s.History {
		fmt.Fprintf(&ended, "- %s, %s: %s, verified: %s\n", s.PhaseNumber(h.Phase), h.Name, h.Outcome, machine.VerifiedWords(h.VerificationPassed))
	}
	b.MoreContext = append(b.MoreContext, personas.Section{Title: "How the phases ended", Text: ended.String()})
	b.Findings = append(b.Findings, briefFindings(s.FinalReview.Findings)...)
	b.Failure, b.Remark = p.Failure, p.Remark
	return e.briefDiff(ctx, b, s.StartingCommit)
}

func briefFindings(findings []machine.Finding) []personas.Finding {
	var list []personas.Finding
	for _, f := range findings {
		said := personas.Finding{Severity: personas.Severity(f.Severity), File: f.File, Line: f.Line, Title: f.Title, Rationale: f.Rationale}
		if f.Warning {
			said.Title += " (a warning, which blocks nothing)"
		}
		if f.Overridden {
			said.Title += " (" + cmp.Or(f.Source, "program") + "; overridden by a human)"
		}
		list = append(list, said)
	}
	return list
}

// guide reads the repository's own rules for agents: AGENTS.md, else CLAUDE.md.
func (e *Engine) guide() (text, path string) { return Guide(e.Mask, e.Repo.Root()) }

// Guide is the repository's own instructions for agents, and which file has them; of a long one the beginning. A link
// that leads out of the repository is none: whoever committed it would choose which of the user's files a model gets.
func Guide(m *personas.Mask, root string) (text, path string) {
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		if data, err := plainfile.ReadIn(root, name); err == nil {
			if text = string(data); len(text) > maxDiff {
				text = m.Replace(text)
			}
			return text[:min(len(text), maxDiff)], name
		}
	}
	return "", ""
}
