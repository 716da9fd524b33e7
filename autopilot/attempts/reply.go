package attempts

import (
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// Keep writes what came back to the attempt's folder, takes its learnings, and removes the dispatch's own folder.
func (ats Attempts) Keep(step machine.Step, id string, out personas.Outcome) error {
	attempt, err := ats.Records.AttemptDir(step.Phase, dispatch.FolderOf(step), step.Attempt)
	if err == nil {
		err = dispatch.Keep(attempt, out)
	}
	if err != nil {
		return err
	}
	if step.Purpose == machine.BlindPurpose {
		return os.RemoveAll(ats.Export)
	}
	if out.Reply != nil {
		if err := ats.Records.WriteJSON("handoff.json", handoff(step, ats.Journal.State(), *out.Reply)); err != nil {
			return err
		}
		if err := ats.Memory.Learn(out.Reply.Learnings); err != nil {
			return err
		}
	}
	own := filepath.Join(ats.Repo.Root(), ".harness", "out", id)
	if err := ats.Records.KeepScratchpad(step.Phase, own); err != nil {
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
		"summary": r.Summary, "completed": completed, "pending": s.Register.Open().Lines(), "concerns": append([]string{}, r.Concerns...),
		"decisions": []string{}, "blockers": blockers, "contextKeywords": []string{},
	}
}

// coreReply is a reply as far as the core decides on it.
func coreReply(r personas.Reply) *machine.Reply {
	reply := &machine.Reply{Status: string(r.Status), Summary: r.Summary, PlanPath: r.PlanPath, Concerns: r.Concerns, Assumptions: r.Assumptions, Blocker: r.Blocker}
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
	for _, j := range r.Judged {
		reply.Judged = append(reply.Judged, machine.Judgement{ID: j.ID, Verdict: string(j.Verdict), Why: j.Why})
	}
	for _, c := range r.Checks {
		check := machine.BlindCheck{Quote: c.Quote, Command: c.Command}
		for _, f := range c.Files {
			check.Files = append(check.Files, machine.BlindFile(f))
		}
		reply.Checks = append(reply.Checks, check)
	}
	return reply
}
