package autopilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/machine"
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
		Attempt: step.Attempt, Notes: s.Notes, Dirty: s.LeftOut,
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
	switch step.Persona {
	case "planner":
		e.briefPlanner(&b, s)
	case "executor":
		e.briefTask(&b, s, step)
	case "verifier":
		if step.Purpose == string(personas.Diagnosis) {
			e.briefTask(&b, s, step)
			e.briefDiagnosis(&b, s, step)
			break
		}
		e.briefEvidence(&b, s)
		return b, e.briefDiff(ctx, &b, s.Phases[s.CurrentPhase].StartCommit)
	case "reviewer":
		return b, e.briefReview(ctx, &b, s, step)
	}
	return b, nil
}

// briefPurpose: a fix is the executor's plain work, on a task of another kind.
func briefPurpose(step machine.Step) personas.Purpose {
	if step.Purpose == "fix" {
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
	b.Interrupted = p.Interruptions > 0
	b.PlanPath = p.PlanPath
	if text, err := os.ReadFile(filepath.Join(e.Repo.Root(), filepath.FromSlash(p.PlanPath))); err == nil && p.PlanPath != "" {
		b.PlanText = string(text)
	}
	for _, c := range s.Checkpoints {
		if c.Passed {
			b.Checkpoints = append(b.Checkpoints, personas.CheckpointBrief{Task: c.Task, Kind: c.Kind, Question: c.Text, Choice: c.Answer})
		}
	}
}

func (e *Engine) briefPlanner(b *personas.Brief, s machine.State) {
	p := s.Phases[s.CurrentPhase]
	b.PlanDir = e.planDirs()[0]
	b.PlanSuggestedPath = orElse(p.PlanPath, e.suggestedPlan(p))
	if p.Skeleton != "" {
		b.Skeleton = e.lastSummary("skeleton", s.CurrentPhase+1)
	}
}

// briefTask names the task, what failed before, and with each retry more of what may help.
func (e *Engine) briefTask(b *personas.Brief, s machine.State, step machine.Step) {
	t, _ := s.Task(step.Task)
	b.Task = &personas.TaskBrief{
		ID: t.ID, Number: orElse(t.Number, strings.TrimLeft(strings.TrimPrefix(t.ID, "task-"), "0")), Title: t.Title, Files: t.Files, Owns: t.Owns,
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
	b.Interrupted, b.Remark, b.Failure, b.Base = t.Interruptions > 0, t.Remark, "", t.Base
	if len(failed) == 0 {
		return
	}
	b.Failure = failed[len(failed)-1].Error
	if len(failed) >= 2 {
		b.MoreContext = append(b.MoreContext, e.relatedFiles(t)...)
	}
	if len(failed) >= 3 {
		b.MoreContext = append(b.MoreContext, e.fullOutput(step, t)...)
		if t.Diagnosis != "" {
			b.MoreContext = append(b.MoreContext, personas.Section{Title: "The diagnosis", Text: t.Diagnosis})
		}
	}
}

func (e *Engine) briefDiagnosis(b *personas.Brief, s machine.State, step machine.Step) {
	t, _ := s.Task(step.Task)
	var tries []string
	for i, a := range t.Failures() {
		tries = append(tries, fmt.Sprintf("Attempt %d: %s", i+1, a.Error))
	}
	b.MoreContext = append(b.MoreContext, personas.Section{Title: "All attempts so far", Text: strings.Join(tries, "\n\n")})
}

func (e *Engine) briefEvidence(b *personas.Brief, s machine.State) {
	for _, c := range s.Phases[s.CurrentPhase].Checks {
		b.Evidence = append(b.Evidence, personas.Evidence{
			Command: c.Command, ExitCode: c.ExitCode, Note: strings.TrimSpace(strings.ReplaceAll(c.Outcome, "_", " ") + "\n" + c.Detail),
		})
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
	if step.State != machine.FinalReview {
		e.briefEvidence(b, s)
		b.Findings = briefFindings(s.Phases[s.CurrentPhase].Findings)
		return e.briefDiff(ctx, b, s.Phases[s.CurrentPhase].StartCommit)
	}
	for _, p := range s.Phases {
		b.Findings = append(b.Findings, briefFindings(p.Findings)...)
	}
	b.Findings = append(b.Findings, briefFindings(s.FinalReview.Findings)...)
	b.Failure = s.Phases[s.CurrentPhase].Failure
	return e.briefDiff(ctx, b, s.StartingCommit)
}

func briefFindings(findings []machine.Finding) []personas.Finding {
	var list []personas.Finding
	for _, f := range findings {
		list = append(list, personas.Finding{
			Severity: personas.Severity(f.Severity), File: f.File, Line: f.Line, Title: f.Title, Rationale: f.Rationale,
		})
	}
	return list
}

// guide reads the repository's own rules for agents: AGENTS.md, else CLAUDE.md.
func (e *Engine) guide() (text, path string) {
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		if data, err := os.ReadFile(filepath.Join(e.Repo.Root(), name)); err == nil {
			return string(data[:min(len(data), maxDiff)]), name
		}
	}
	return "", ""
}

// maxFile is how much of a file, or of an output, is added to a retry's prompt, in bytes.
const maxFile = 12_000

// relatedFiles are the files that the task names, as they are now.
func (e *Engine) relatedFiles(t machine.Task) []personas.Section {
	var sections []personas.Section
	for _, name := range t.Files {
		data, err := os.ReadFile(filepath.Join(e.Repo.Root(), filepath.FromSlash(name)))
		if err == nil {
			sections = append(sections, personas.Section{Title: "File " + name + " as it is now", Text: headTail(string(data), maxFile)})
		}
	}
	return sections
}

// fullOutput is the output of the last validation, as far as it fits.
func (e *Engine) fullOutput(step machine.Step, t machine.Task) []personas.Section {
	path := filepath.Join(e.Records.Dir(), "attempts", fmt.Sprint(step.Phase), t.ID, fmt.Sprint(t.Dispatches), "validation.log")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return []personas.Section{{Title: "Full output of the last validation", Text: headTail(string(data), 3*maxFile)}}
}

// headTail keeps the beginning and the end of a long text.
func headTail(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return text[:limit/2] + "\n[… cut …]\n" + text[len(text)-limit/2:]
}
