package transition

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// place says where the session stands: phase, state, step, task, and the open question with its options; a star marks
// an option that wants a reason.
func (w *world) place() string {
	s, step := w.s, machine.Next(w.s)
	line := fmt.Sprintf("%d %s %s", s.CurrentPhase+1, s.CurrentState, s.Step)
	if step.Task != "" {
		line += " " + step.Task
	}
	if is, _ := step.Dispatching(); is {
		line += fmt.Sprintf(" (%s)", strings.Join(strings.Fields(fmt.Sprint(step.Persona, " ", step.Purpose, " ", step.Attempt)), " "))
	}
	if step.Stuck {
		line += " stuck"
	}
	if s.Gate == nil {
		return line
	}
	var options []string
	for _, o := range s.Gate.Options {
		name := o.Name
		if o.WantsReason {
			name += "*"
		}
		options = append(options, name)
	}
	return fmt.Sprintf("%s ? %s: %s", line, s.Gate.Kind, strings.Join(options, " "))
}

// lists are the parts of the state that have a function of their own.
var lists = map[string]func(machine.State) []string{"register": registered, "rationales": rationales, "drawn": drawn, "final": judgements}

// show prints a part of the state.
func (w *world) show(what string) []string {
	s := w.s
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if of, is := lists[what]; is {
		return of(s)
	}
	switch what {
	case "tasks":
		for _, t := range s.Tasks {
			say("%s %s, %s: %d failed, %d interruptions, %d dispatches%s", t.ID, t.Title, t.Status, len(t.Failures()), t.Interruptions, t.Dispatches, marks(t))
		}
	case "kept":
		lines = keptOn(s.Tasks)
	case "waits":
		for _, t := range s.Tasks {
			say("%s waits for %v", t.ID, t.DependsOn)
		}
	case "attempts":
		for _, t := range s.Tasks {
			for i, a := range t.Attempts {
				say("%s %d %s %s %s", t.ID, i+1, a.Result, a.Category, a.Error)
			}
		}
	case "decisions":
		for _, d := range s.Decisions {
			say("%s %s by %s: %s", d.State, d.Decision, d.By, d.Reason)
		}
	case "history":
		for _, h := range s.History {
			say("%s %s: %d tasks, %d retries, verified %s, %d/%d/%d findings, %d dispatches, %v", h.Name, h.Outcome, h.TasksCompleted,
				h.RetriesUsed, truth(h.VerificationPassed), h.ReviewFindings.Critical, h.ReviewFindings.Important, h.ReviewFindings.Suggestion,
				h.Usage.Dispatches, h.CompletedAt.Sub(h.StartedAt))
		}
	case "records": // which phase each belongs to
		for _, h := range s.History {
			say("history %s: phase %s", h.Name, s.PhaseNumber(h.Phase))
		}
		for _, d := range s.Decisions {
			say("decision %s: phase %s", d.Decision, s.PhaseNumber(d.Phase))
		}
		for _, f := range s.Flakes {
			say("flake %s: phase %s", f.Test, s.PhaseNumber(f.Phase))
		}
	case "gate":
		return append([]string{s.Gate.Question}, s.Gate.Context...)
	case "phases":
		for _, p := range s.Phases {
			say("%s %s %s, %s, text %s, reread %t, gone %t", p.Number, p.Name, p.Complexity, p.Status, p.SpecSHA256, p.Reread, p.Gone)
		}
	case "phase":
		p := s.Phases[s.CurrentPhase]
		say("verify fixes %d, review fixes %d, tries %d, interruptions %d", p.VerifyFixes, p.ReviewFixes, p.Tries, p.Interruptions)
		say("override %q, plan %q, approved %q, verified %s, overridden %t", p.ComplexityOverride, p.PlanSHA256, p.ApprovedSHA256, truth(p.Verification), p.Overridden)
		say("failure %q, remark %q, concerns %v", p.Failure, p.Remark, p.Concerns)
	case "findings":
		for _, f := range append(s.Phases[s.CurrentPhase].Findings, s.FinalReview.Findings...) {
			say("%s [%s]", f, f.Source)
		}
	case "checkpoints":
		for _, c := range s.Checkpoints {
			say("%s %s passed %t: %s", c.Task, c.Kind, c.Passed, c.Answer)
		}
	case "suspended":
		for _, g := range s.Suspended {
			say("%s", g.Kind)
		}
	case "session":
		say("runs %d, running %gs, accepted red %v, by-products %v, left out %v, notes %v", s.Runs, s.Elapsed, s.AcceptedRed, s.ByProducts, s.LeftOut, s.Notes)
		say("usage %+v, closed %v", s.Usage, s.ClosingDone)
	case "budget":
		if b := s.RetryBudget.CurrentTask; b != nil {
			say("%s: %d used of %d retries", b.Name, b.AttemptsUsed, s.RetryBudget.MaxAttempts)
		}
	default:
		return w.showBlind(what)
	}
	return lines
}

// judgements are how the final review stands, and who judged which commit.
func judgements(s machine.State) []string {
	lines := []string{fmt.Sprintf("%s, %d fixes, %d dispatches", s.FinalReview.Status, s.FinalReview.RetryCount, s.FinalReview.Dispatches)}
	of := s.Phases[s.CurrentPhase].Judged
	for _, persona := range slices.Sorted(maps.Keys(of)) {
		lines = append(lines, fmt.Sprintf("%s %d judged %s", persona, of[persona].Attempt, of[persona].Commit))
	}
	if j := s.FinalReview.Judged; j != nil {
		lines = append(lines, fmt.Sprintf("final review %d judged %s", j.Attempt, j.Commit))
	}
	return lines
}

// keptOn lists the findings that tasks have for the reviewer.
func keptOn(tasks []machine.Task) []string {
	var lines []string
	for _, t := range tasks {
		for _, f := range t.Findings {
			lines = append(lines, fmt.Sprintf("%s %s [%s]", t.ID, f, f.Source))
		}
	}
	return lines
}

func marks(t machine.Task) string {
	var marks string
	if t.Unverified {
		marks += ", unverified"
	}
	if t.Unproven {
		marks += ", unproven"
	}
	if t.ByHuman {
		marks += ", by a human"
	}
	if t.Diagnosis != "" {
		marks += ", diagnosed"
	}
	if t.Remark != "" {
		marks += ", told " + strings.Join(strings.Fields(t.Remark), " ")
	}
	return marks
}

func truth(b *bool) string {
	if b == nil {
		return "unknown"
	}
	return fmt.Sprint(*b)
}

func registered(s machine.State) (lines []string) {
	for _, e := range s.Register {
		line := fmt.Sprintf("%s %s, phase %d %s: %s %s %s %s", e.ID, e.Finding, e.Phase, e.Task, e.Fate, e.Commit, e.By, e.Reason)
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// drawn are the findings of the phase as its file shows them.
func drawn(s machine.State) (lines []string) {
	for _, e := range s.Drawn(s.CurrentPhase+1, s.Phases[s.CurrentPhase].Findings) {
		lines = append(lines, fmt.Sprintf("%s %s: %s", e.ID, e.Finding, e.Fate))
	}
	return lines
}

// rationales says how much the state has of each, and where the whole is.
func rationales(s machine.State) (lines []string) {
	for _, e := range s.Register {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %d bytes %.8s %s", e.ID, len(e.Rationale), e.Whole.SHA256, e.Whole.In)))
	}
	for _, p := range s.Phases {
		for _, f := range p.Findings {
			lines = append(lines, fmt.Sprintf("phase %s %s: %d bytes", p.Number, f.Title, len(f.Rationale)))
		}
	}
	for _, f := range s.FinalReview.Findings {
		lines = append(lines, fmt.Sprintf("final review %s: %d bytes", f.Title, len(f.Rationale)))
	}
	return lines
}

// showBlind says what a blind reading came to.
func (w *world) showBlind(what string) []string {
	b := w.s.Phases[w.s.CurrentPhase].Blind
	if what != "blind" || b == nil {
		w.t.Fatalf("a script shows the unknown %s", what)
	}
	lines := []string{b.Summary()}
	for _, c := range b.Checks {
		lines = append(lines, fmt.Sprintf("%s %s: %s %s %d files", c.ID, c.Quote, c.Outcome, c.Answer, len(c.Files)))
	}
	return lines
}
