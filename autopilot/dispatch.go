package autopilot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// dispatch runs a persona: the budgets are looked at first, the attempt is journaled before anything is sent, and
// what the persona did to the repository is put right before its word counts.
func (e *Engine) dispatch(ctx context.Context, step machine.Step) error {
	if err := e.withinBudget(); err != nil {
		return err
	}
	if err := e.Inbox.TakeNotes(func(text string) error { return e.apply(machine.Event{Type: machine.Noted, Detail: text}) }); err != nil {
		return err
	}
	persona := e.Personas.For(personas.Name(step.Persona), briefPurpose(step))
	backend, name, err := e.Backends.For(persona)
	if err != nil {
		return err
	}
	d, err := e.prepare(ctx, step, persona)
	if err != nil {
		return err
	}
	watch, err := e.watch(ctx, d, persona)
	if err != nil {
		return fmt.Errorf("looking at the repository before the dispatch: %w", err)
	}
	if err := e.apply(machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{
		ID: d.ID, Persona: step.Persona, Purpose: step.Purpose, Task: step.Task, Attempt: step.Attempt, Base: watch.Base,
	}}); err != nil {
		return err
	}
	if err := e.makeOut(step, d); err != nil {
		return err
	}
	if err := e.Seal.Mark(); err != nil {
		return err
	}
	out, err := backend.Dispatch(ctx, d)
	if err != nil {
		return fmt.Errorf("backend %s: %w", name, err)
	}
	if ctx.Err() != nil && out.Kind != personas.GotReply {
		out.Kind = personas.Interrupted
	}
	return e.land(context.WithoutCancel(ctx), step, watch, out, name)
}

// cutOff is met on resume only: a dispatch was in flight when the program ended. What it left behind is kept, or put
// right, and it counts as interrupted.
func (e *Engine) cutOff(ctx context.Context, step machine.Step) error {
	d := e.state().InFlight[0].Dispatch
	watch, err := e.lastWatch(d.ID)
	if err != nil {
		return fmt.Errorf("reading what the repository was before the dispatch: %w", err)
	}
	e.progress(ProgressLine{Type: "RECOVERY", Task: step.Task, Message: "action=repeat reason=the dispatch was cut off; the same attempt goes on in the kept tree"})
	return e.land(ctx, step, watch, personas.Outcome{Kind: personas.Interrupted, Detail: "cut off"}, "")
}

// land ends a dispatch: the repository is compared with what it was, then the end is journaled with what was found.
func (e *Engine) land(ctx context.Context, step machine.Step, w watch, out personas.Outcome, backend string) error {
	settled, err := e.settle(ctx, w, e.Personas.For(personas.Name(step.Persona), briefPurpose(step)))
	if err != nil {
		return fmt.Errorf("putting the repository right after the dispatch: %w", err)
	}
	id := e.state().InFlight[0].Dispatch.ID
	if err := e.keep(step, id, out); err != nil {
		return err
	}
	end := &machine.Ended{ID: id, Outcome: machine.DispatchOutcome(out.Kind), Detail: out.Detail, Findings: settled.findings}
	if !out.Until.IsZero() {
		end.Until = &out.Until
	}
	if out.Reply != nil {
		end.Reply = coreReply(*out.Reply)
	}
	ev := machine.Event{Type: machine.DispatchEnded, Ended: end, ByProducts: settled.byProducts, Rollback: e.Settings.Rollback}
	if err := e.apply(ev); err != nil {
		return err
	}
	return e.stopAfter(out, backend)
}

// stopAfter ends the run where going on would only meet the same wall.
func (e *Engine) stopAfter(out personas.Outcome, backend string) error {
	switch out.Kind {
	case personas.RateLimited:
		return &LimitError{What: "backend " + backend + " reports a limit: " + out.Detail, Until: out.Until}
	case personas.Auth:
		return &CredentialsError{Backend: backend, Detail: out.Detail}
	}
	return nil
}

// withinBudget refuses a dispatch that a budget or a known limit does not allow.
func (e *Engine) withinBudget() error {
	s := e.state()
	if n := e.Settings.MaxDispatches; n > 0 && s.Usage.Dispatches >= n {
		return &LimitError{What: fmt.Sprintf("the budget of %s is used up; --max-dispatches raises it", machine.Plural(n, "dispatch", "dispatches"))}
	}
	if d := e.Settings.MaxDuration; d > 0 && s.Elapsed >= d.Seconds() {
		return &LimitError{What: fmt.Sprintf("the budget of %s running time is used up; --max-duration raises it", d)}
	}
	if s.LimitedUntil != nil && e.Now().Before(*s.LimitedUntil) {
		return &LimitError{What: "the backend reported a limit", Until: *s.LimitedUntil}
	}
	return nil
}

// prepare makes the order for a backend: folders, prompt, environment.
func (e *Engine) prepare(ctx context.Context, step machine.Step, persona personas.Persona) (personas.Dispatch, error) {
	return e.prepareFor(ctx, step, persona, func(*personas.Brief) {})
}

// prepareFor is prepare, with a last change to the brief.
func (e *Engine) prepareFor(ctx context.Context, step machine.Step, persona personas.Persona, change func(*personas.Brief)) (personas.Dispatch, error) {
	s := e.state()
	id := e.NewID()
	attempts, err := e.Records.AttemptDir(step.Phase, folderOf(step), step.Attempt)
	if err != nil {
		return personas.Dispatch{}, err
	}
	out := filepath.Join(e.Repo.Root(), ".harness", "out", id)
	d := personas.Dispatch{
		ID: id, Purpose: briefPurpose(step), Persona: persona, Dir: e.Repo.Root(), OutDir: out,
		Key:       keyOf(step),
		ReplyPath: filepath.Join(out, "reply.json"), SpecCopy: filepath.Join(e.Records.Dir(), "spec.md"),
		SessionDir: e.Records.Dir(), AttemptDir: attempts,
		Idle: e.Settings.Idle, Timeout: e.Settings.Dispatch, MaxTurns: e.Settings.Turns,
		LockFile: e.LockFile, OnUsage: e.used, OnEvent: func(kind, text string) { e.detail(kind, text) },
	}
	for _, dir := range e.planDirs() {
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
	d.Env = environment(s, step, d, brief.Base)
	if err := writeJSON(filepath.Join(attempts, "dispatch.json"), d.Key); err != nil {
		return d, err
	}
	return d, os.WriteFile(filepath.Join(attempts, "prompt.md"), []byte(d.Prompt), 0o644)
}

// makeOut makes the folder that the agent may write to. The journal knows the dispatch by then, so that none is left
// behind which no resumed run would remove.
func (e *Engine) makeOut(step machine.Step, d personas.Dispatch) error {
	if d.ScratchpadDir == "" {
		return os.MkdirAll(d.OutDir, 0o755)
	}
	return errors.Join(os.MkdirAll(d.ScratchpadDir, 0o755), e.Records.FillScratchpad(step.Phase, d.OutDir))
}

// keyOf names a dispatch by its place in the work.
func keyOf(step machine.Step) personas.Key {
	return personas.Key{Persona: step.Persona, Phase: step.Phase, Task: orElse(step.Task, step.Purpose), Attempt: step.Attempt}
}

// folderOf names a dispatch's folder in attempts/<phase>: its task, its purpose where it has no task, or its persona.
func folderOf(step machine.Step) string {
	switch {
	case step.Task != "" && step.Purpose == string(personas.Diagnosis):
		return step.Task + "-diagnosis"
	case step.Task != "":
		return step.Task
	}
	return orElse(step.Purpose, step.Persona)
}

// environment is what an agent program finds in its environment.
func environment(s machine.State, step machine.Step, d personas.Dispatch, base string) map[string]string {
	env := map[string]string{
		"AUTOPILOT_REPLY": d.ReplyPath, "AUTOPILOT_PERSONA": step.Persona, "AUTOPILOT_TASK": step.Task,
		"AUTOPILOT_ATTEMPT": fmt.Sprint(step.Attempt), "AUTOPILOT_SESSION_DIR": d.SessionDir, "AUTOPILOT_SPEC": d.SpecCopy,
		"AUTOPILOT_RIGOR": string(s.RigorLevel), "AUTOPILOT_BASE": base, "AUTOPILOT_SCRATCHPAD": d.ScratchpadDir,
		"AUTOPILOT_PHASE": "", "AUTOPILOT_PHASE_NUMBER": "", "AUTOPILOT_PLAN": "",
	}
	if step.Phase > 0 {
		p := s.Phases[step.Phase-1]
		env["AUTOPILOT_PHASE"], env["AUTOPILOT_PHASE_NUMBER"], env["AUTOPILOT_PLAN"] = fmt.Sprint(step.Phase), p.Number, p.PlanPath
	}
	return env
}

// used journals what a model call cost.
func (e *Engine) used(u personas.Usage) {
	err := e.apply(machine.Event{Type: machine.Used, Usage: &machine.Usage{
		InputTokens: u.InputTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD,
	}})
	if err != nil {
		e.note("warning", "A model call could not be recorded: "+err.Error())
	}
}

// keep writes what came back to the attempt's folder, takes its learnings, and removes the dispatch's own folder.
func (e *Engine) keep(step machine.Step, id string, out personas.Outcome) error {
	if out.Reply != nil {
		attempts, err := e.Records.AttemptDir(step.Phase, folderOf(step), step.Attempt)
		if err != nil {
			return err
		}
		if err := writeJSON(filepath.Join(attempts, "reply.json"), out.Reply); err != nil {
			return err
		}
		if err := e.Records.WriteJSON("handoff.json", handoff(step, e.state(), *out.Reply)); err != nil {
			return err
		}
		if err := e.Memory.Learn(out.Reply.Learnings); err != nil {
			return err
		}
	}
	own := filepath.Join(e.Repo.Root(), ".harness", "out", id)
	if err := e.Records.KeepScratchpad(step.Phase, own); err != nil {
		return err
	}
	return os.RemoveAll(own)
}

// handoff is the last valid reply in the shape that older tools read.
func handoff(step machine.Step, s machine.State, r personas.Reply) map[string]any {
	blockers := []string{}
	if r.Blocker != "" {
		blockers = append(blockers, r.Blocker)
	}
	completed := []string{}
	if r.Status == personas.StatusDone {
		completed = append(completed, r.Summary)
	}
	return map[string]any{
		"timestamp": s.UpdatedAt.Format(time.RFC3339), "fromSkill": "autopilot-" + step.Persona, "phase": string(step.State),
		"summary": r.Summary, "completed": completed, "pending": []string{}, "concerns": nonNil(r.Concerns),
		"decisions": []string{}, "blockers": blockers, "contextKeywords": []string{},
	}
}

// coreReply is a reply as far as the core decides on it.
func coreReply(r personas.Reply) *machine.Reply {
	reply := &machine.Reply{Status: string(r.Status), Summary: r.Summary, PlanPath: r.PlanPath, Concerns: r.Concerns, Blocker: r.Blocker}
	for _, f := range r.Findings {
		reply.Findings = append(reply.Findings, machine.Finding{
			Severity: string(f.Severity), File: f.File, Line: f.Line, Title: f.Title, Rationale: f.Rationale,
		})
	}
	for _, c := range r.Criteria {
		reply.Criteria = append(reply.Criteria, machine.Criterion{
			Text: c.Text, Satisfied: c.Satisfied, Confidence: string(c.Confidence), Evidence: c.Evidence,
		})
	}
	return reply
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
