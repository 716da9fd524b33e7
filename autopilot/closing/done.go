package closing

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// closings does the closing steps of DONE, by name; each may be repeated without harm.
var closings = map[string]func(Closing, context.Context) error{
	"summary":   Closing.closeSummary,
	"handoff":   Closing.closeHandoff,
	"learnings": Closing.closeLearnings,
	"roadmap":   Closing.syncRoadmap,
	"pr":        func(Closing, context.Context) error { return nil }, // made after the end; sessions in older records have this step
}

// Step does one closing step of DONE.
func (c Closing) Step(ctx context.Context, step machine.Step) error {
	if err := closings[step.Closing](c, ctx); err != nil {
		return fmt.Errorf("closing step %s: %w", step.Closing, err)
	}
	if c.Journal.State().Gate != nil {
		return nil // it is done once a human has answered
	}
	return c.Journal.Apply(machine.Event{Type: machine.Closed, Step: step.Closing})
}

func (c Closing) closeSummary(ctx context.Context) error {
	if err := c.Facts.Drop(ctx); err != nil {
		return err
	}
	s := c.Journal.State()
	if err := c.Records.WriteJSON("final-review.json", s.FinalReviewShown()); err != nil {
		return err
	}
	if err := c.Records.WriteJSON("final.json", machine.FinalShown(s)); err != nil {
		return err
	}
	altered, err := c.Records.Altered()
	if err != nil {
		altered = append(altered, err.Error())
	}
	if len(altered) > 0 {
		c.Journal.Note("warning", fmt.Sprintf("Evidence of this session is missing or changed:\n  %s\nShow all: autopilot audit %s",
			strings.Join(words.FirstFew(altered, 5), "\n  "), shell.QuotePath(s.SpecPath)))
	}
	return c.Summary(ctx, altered...)
}

func (c Closing) closeHandoff(context.Context) error {
	s := c.Journal.State()
	var completed []string
	for _, h := range s.History {
		completed = append(completed, fmt.Sprintf("%s: %s", h.Name, h.Outcome))
	}
	return c.Records.WriteJSON("handoff.json", map[string]any{
		"timestamp": s.UpdatedAt, "fromSkill": "autopilot", "phase": string(machine.Done), "summary": c.summaryLine(s),
		"completed": append([]string{}, completed...), "pending": s.Register.Open().Lines(), "concerns": s.Register.Waived().Lines(), "totals": machine.TotalsOf(s), "decisions": s.Decisions, "blockers": []string{}, "contextKeywords": []string{},
	})
}

// manyLearnings is the number above which a prune is suggested.
const manyLearnings = 30

func (c Closing) closeLearnings(context.Context) error {
	n, err := c.Promote()
	if n > manyLearnings {
		c.Journal.Note("info", fmt.Sprintf("The project has %d learnings. To keep the newest and archive the rest: autopilot learnings prune", n))
	}
	return err
}

func (c Closing) summaryLine(s machine.State) string {
	outcomes := map[string]int{}
	for _, h := range s.History {
		outcomes[h.Outcome]++
	}
	parts := []string{machine.Plural(len(s.History), "phase", "phases")}
	for _, word := range []string{"complete", "skipped", "failed"} {
		if outcomes[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", outcomes[word], word))
		}
	}
	return strings.Join(parts, ", ") + "; final review " + journal.FinalWords(s)
}

// Summary writes summary.md: where the session stands, in lines that other tools read, and what it came to; and its line in the
// list of sessions. Altered is the evidence that is gone or changed, at the end.
func (c Closing) Summary(ctx context.Context, altered ...string) error {
	s := c.Journal.State()
	p := s.Phases[s.CurrentPhase]
	next := "autopilot " + s.SpecPath
	if s.CurrentState == machine.Done && s.Branch != "" { // an older program recorded none
		next = "look at the branch " + s.Branch
	}
	report, err := c.Report(ctx, altered)
	if err != nil {
		return fmt.Errorf("writing summary.md: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Session %s\n\n", s.SessionSlug)
	fmt.Fprintf(&b, "- **Session:** %s\n- **Last active:** %s\n- **Skill:** autopilot\n", s.SessionSlug, s.UpdatedAt.Format("2006-01-02 15:04"))
	fmt.Fprintf(&b, "- **Phase:** %s, %s (%d of %d)\n- **Status:** %s\n", p.Number, p.Name, s.CurrentPhase+1, len(s.Phases), s.CurrentState)
	fmt.Fprintf(&b, "- **Spec:** %s\n- **Plan:** %s\n- **Key context:** %s\n- **Next step:** %s\n\n", s.SpecPath, p.PlanPath, c.summaryLine(s), next)
	return errors.Join(c.Records.WriteText("summary.md", words.Shown(b.String()+report)), c.Records.Index())
}
