package dispatch

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/evidence"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// maxDiff is how much of a diff stands in a prompt, in bytes, where nobody knows the model's window; the rest is for the
// persona to read itself.
const maxDiff = 60_000

// Shares of a model's window, in percent.
const (
	diffShare = 40
	textShare = 15 // of the spec, of the repository's instructions, and of a task's files
)

// share is how many bytes of a prompt a share of the window is; usual where no window is known. Three bytes a token are few
// for code, so that what is within the share fits for sure.
func (f Facts) share(percent, usual int) int {
	if f.Window == 0 {
		return usual
	}
	return f.Window * percent / 100 * 3
}

// Briefs writes briefs: what a dispatch is told of the session, of its work and of the repository.
type Briefs struct {
	Repo *git.Repo
	Dir  string         // the session's folder
	Mask *personas.Mask // takes secrets out of what is shortened; may be nil
}

// Facts are what a brief tells that neither the state nor the repository has. Those of another persona's brief may be empty.
type Facts struct {
	Learnings   []string
	Validations []string // the project's commands
	Project     string   // what it is made of, in short
	PhaseText   string   // the phase's section of the spec
	PlanDir     string   // the folder where plans belong, relative to the repository
	PlanPath    string   // the file where the planner leaves this one
	PlanRefused string   // the plan that was handed in and refused, relative to the repository
	Body        string   // the task, as the plan has it
	Steps       []string
	Unseen      []string // of a phase's text, what occurs nowhere in the tree
	Related     []string // files that a retry is shown
	VerifyLog   string   // the file in the session's folder that has the output of the phase's commands
	Fresh       bool     // nothing was done in the working tree yet
	Rollback    bool     // a failed attempt is rolled back
	Window      int      // tokens that the persona's model takes; 0: not known
}

// Write is the brief of a dispatch.
func (w Briefs) Write(ctx context.Context, s machine.State, step machine.Step, d personas.Dispatch, f Facts) (personas.Brief, error) {
	b := personas.Brief{
		Purpose: PurposeOf(step), Rigor: personas.Rigor(s.RigorLevel), SpecPath: w.here(d.SpecCopy), SpecTitle: s.Spec.Title,
		Criteria: s.Spec.Criteria, SessionDir: w.here(d.SessionDir), ScratchpadDir: w.here(d.ScratchpadDir), ReplyPath: d.ReplyPath,
		Attempt: step.Attempt, Dirty: s.LeftOut[:min(len(s.LeftOut), MaxDirty)], Interrupted: !f.Fresh && WasCutOff(d.AttemptDir),
		Learnings: f.Learnings, Validations: f.Validations,
	}
	for _, note := range s.Notes {
		b.Notes = append(b.Notes, "The human in charge says: "+note)
	}
	b.Guide, b.GuidePath = Guide(w.Mask, w.Repo.Root())
	b.Guide = w.Mask.Shorten(b.Guide, min(maxDiff, f.share(textShare, maxDiff)))
	if step.Phase > 0 {
		w.phase(&b, s, step, f)
	}
	var err error
	base := standingBase(s, step)
	if b.Earlier, err = w.earlier(ctx, s, step); err != nil {
		return b, err
	}
	if b.Earlier != nil {
		base = b.Earlier.Commit
	}
	done, err := w.done(ctx, base)
	if err != nil {
		return b, err
	}
	b.Standing = w.progress(s, step, f, done)
	switch {
	case step.Persona == "planner":
		w.planner(&b, s, step, f, done)
		return b, nil
	case step.Persona == "executor", step.Purpose == string(personas.Diagnosis):
		w.task(&b, s, step, f, done)
		return b, nil
	case step.Persona == "verifier":
		w.evidence(&b, s, f)
		b.MoreContext = append(b.MoreContext, toRefute(s.Phases[s.CurrentPhase], f)...)
		b.Findings, b.Blind = findingsOf(toJudge(s.Register, done.stat)), blindFailures(s.Phases[s.CurrentPhase].Blind)
		return b, w.diff(ctx, &b, s, done, f)
	}
	return b, w.review(ctx, &b, s, step, f, done)
}

// toRefute is where the spec may say otherwise than the work: what the plan takes for granted, and words that are nowhere.
func toRefute(p machine.Phase, f Facts) (sections []personas.Section) {
	if len(p.Assumptions) > 0 {
		sections = append(sections, personas.Section{Title: "What the plan takes for granted: try to refute it by the spec", Text: "- " + strings.Join(p.Assumptions, "\n- ")})
	}
	if len(f.Unseen) > 0 {
		sections = append(sections, personas.Section{Title: "Words of the spec that occur nowhere in the tree: see why", Text: "- " + strings.Join(f.Unseen, "\n- ")})
	}
	return sections
}

// here is a path as whoever works in the working tree uses it: relative, where it lies inside.
func (w Briefs) here(path string) string {
	if rel := plainfile.Rel(w.Repo.Root(), path); filepath.IsLocal(filepath.FromSlash(rel)) {
		return rel
	}
	return path
}

// MaxDirty is how many of the user's uncommitted files a prompt names.
const MaxDirty = 50

func (w Briefs) phase(b *personas.Brief, s machine.State, step machine.Step, f Facts) {
	p := s.Phases[step.Phase-1]
	b.Phase = personas.PhaseBrief{
		Number: p.Number, Name: p.Name, Complexity: string(p.Complexity), Index: step.Phase, Of: len(s.Phases), Text: f.PhaseText,
	}
	b.Failure, b.Remark = p.Failure, p.Remark
	b.PlanPath = p.PlanPath
	if text, err := plainfile.ReadIn(w.Repo.Root(), p.PlanPath); err == nil && p.PlanPath != "" {
		b.PlanText = string(text)
	}
	for _, c := range s.Checkpoints {
		if c.Passed {
			b.Checkpoints = append(b.Checkpoints, personas.CheckpointBrief{Task: c.Task, Kind: c.Kind, Question: c.Text, Choice: c.Answer})
		}
	}
}

func (w Briefs) planner(b *personas.Brief, s machine.State, step machine.Step, f Facts, done done) {
	p := s.Phases[step.Phase-1] // one to come, where a human has its plan drafted beforehand
	b.PlanDir, b.PlanSuggestedPath = f.PlanDir, cmp.Or(f.PlanRefused, p.PlanPath, f.PlanPath)
	if text, err := plainfile.ReadIn(w.Repo.Root(), f.PlanRefused); err == nil && f.PlanRefused != "" {
		b.MoreContext = []personas.Section{{Title: "The plan as it was refused: it is still there, fix it", Text: string(text)}}
	}
	if p.Skeleton != "" || p.Remark != "" {
		b.Skeleton = w.lastSummary("skeleton", step.Phase)
	}
	b.Findings = findingsOf(s.Register.Open())
	if head := done.head(); head != s.StartingCommit {
		b.Base, b.Head = s.StartingCommit, head
	}
}

// task names the task, what failed before, and with each retry more of what may help.
func (w Briefs) task(b *personas.Brief, s machine.State, step machine.Step, f Facts, done done) {
	t, _ := s.Task(step.Task)
	b.Task = &personas.TaskBrief{
		ID: t.ID, Number: cmp.Or(t.Number, strings.TrimLeft(strings.TrimPrefix(t.ID, "task-"), "0")), Title: t.Title, Files: t.Files, Owns: t.Owns,
		ChangesTests: t.ChangesTests, DependsOn: t.DependsOn, Validation: t.Validation, PassesBefore: t.PassesBefore(),
	}
	if t.Kind != machine.KindPlan {
		b.Task.Kind = t.Kind
		for _, f := range t.Fixes() {
			e, _ := s.Register.Of(f)
			b.Findings = append(b.Findings, findingOf(machine.Entry{ID: e.ID, Fate: machine.FateOpen, Finding: f}))
		}
	} else {
		b.Task.Body, b.Task.Steps = f.Body, f.Steps
	}
	failed := t.Failures()
	b.Attempt, b.MaxAttempts = len(failed)+1, s.RetryBudget.MaxAttempts+1+t.Extra
	b.Remark, b.Failure, b.Base, b.RolledBack = t.Remark, "", t.Base, f.Rollback || f.Fresh
	if len(failed) < 2 { // a later retry is shown more files than the task names
		b.Files, b.FilesLeft = w.taskFiles(t, done.files, f.share(textShare, maxTaskFiles))
	}
	if len(failed) == 0 {
		return
	}
	b.Failure = failed[len(failed)-1].Error
	b.MoreContext = w.retryContext(step, t, f.Related)
	if step.Purpose == string(personas.Diagnosis) {
		addAttempts(b, t)
	}
}

// addAttempts names all attempts so far to whoever makes a diagnosis.
func addAttempts(b *personas.Brief, t machine.Task) {
	var tries []string
	for i, a := range t.Failures() {
		tries = append(tries, fmt.Sprintf("Attempt %d: %s", i+1, a.Error))
	}
	b.MoreContext = append(b.MoreContext, personas.Section{Title: "All attempts so far", Text: strings.Join(tries, "\n\n")})
}

// evidence names the commands that the program ran for the phase, with their output.
func (w Briefs) evidence(b *personas.Brief, s machine.State, f Facts) {
	checks := s.Phases[s.CurrentPhase].Checks
	outputs := evidence.OutputsOf(filepath.Join(w.Dir, f.VerifyLog), checks)
	for i, c := range checks {
		note := c.Detail // the state's own excerpt, where there is no more
		if out, ok := outputs[i]; ok {
			note = strings.TrimSuffix(strings.TrimSpace(out), machine.OutputEnd(c))
		}
		if len(c.Flakes) > 0 {
			note = "flaky, so not counted: " + strings.Join(c.Flakes, ", ") + "\n" + note
		}
		if c.Outcome != machine.CheckPassed {
			note = strings.ReplaceAll(c.Outcome, "_", " ") + "\n" + note
		}
		b.Evidence = append(b.Evidence, personas.Evidence{Command: c.Command, ExitCode: c.ExitCode, Note: w.Mask.Shorten(strings.TrimSpace(note), maxFile)})
	}
	if flakes := s.FlakesOf(s.CurrentPhase); len(flakes) > 0 {
		var list strings.Builder
		for _, f := range flakes {
			list.WriteString("- " + machine.FlakeLine(s, f) + "\n")
		}
		b.MoreContext = append(b.MoreContext, personas.Section{Title: "Flaky tests of this phase (failed, passed when run again; not blamed)", Text: list.String()})
	}
}

// review gives the reviewer the phase's range, or in the final review the whole change with the findings of all
// phases.
func (w Briefs) review(ctx context.Context, b *personas.Brief, s machine.State, step machine.Step, f Facts, done done) error {
	p := s.Phases[s.CurrentPhase]
	b.Findings = findingsOf(toJudge(s.Register, done.stat))
	if step.State != machine.FinalReview {
		w.evidence(b, s, f)
		shown := slices.Clone(p.Proofs)
		for _, t := range s.Tasks {
			for _, line := range t.Proofs {
				shown = append(shown, t.ID+": "+line)
			}
		}
		if len(shown) > 0 {
			b.MoreContext = append(b.MoreContext, personas.Section{Title: "What running the tests of before and the new tests showed", Text: strings.Join(shown, "\n")})
		}
		return w.diff(ctx, b, s, done, f)
	}
	text, err := os.ReadFile(filepath.Join(w.Dir, "spec.md"))
	if err != nil {
		return err
	}
	b.SpecText = w.Mask.Shorten(string(text), min(maxDiff, f.share(textShare, maxDiff)))
	b.Failure, b.Remark = p.Failure, p.Remark
	return w.diff(ctx, b, s, done, f)
}

// toJudge are the findings that a persona is asked about: those that nothing mended, and of the changed files those that
// somebody holds for wrong. What changed in the user's home is nothing that the work could mend, and no model is to read it.
func toJudge(r machine.Register, changed string) machine.Register {
	return slices.DeleteFunc(slices.Clone(r), func(e machine.Entry) bool {
		here := e.File != "" && strings.Contains(changed, path.Base(e.File))
		return e.Outside || e.Fate == machine.FateFixed || e.Fate == machine.FateGone || e.Fate == machine.FateDismissed && !here
	})
}

// findingsOf are findings as a brief has them.
func findingsOf(r machine.Register) []personas.Finding {
	var list []personas.Finding
	for _, e := range r {
		list = append(list, findingOf(e))
	}
	return list
}

func findingOf(e machine.Entry) personas.Finding {
	said := personas.Finding{ID: e.ID, Severity: personas.Severity(e.Severity), File: e.File, Line: e.Line, Title: e.Title, Rationale: e.Rationale}
	if e.Warning {
		said.Title += " (a warning, which blocks nothing)"
	}
	if became := e.Became(); became != "" {
		said.Title += " (" + became + ")"
	}
	return said
}

// lastSummary is what the last reply of a kind said, for a later dispatch of the same phase.
func (w Briefs) lastSummary(task string, phase int) string {
	for n := 99; n > 0; n-- {
		var r personas.Reply
		path := filepath.Join(w.Dir, "attempts", fmt.Sprint(phase), task, fmt.Sprint(n), "reply.json")
		if plainfile.ReadJSON(path, &r) == nil {
			return r.Summary
		}
	}
	return ""
}
