package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// gateOf is the open question with what helps to answer it.
func gateOf(s machine.State, tasks []Task) *Gate {
	if s.Gate == nil {
		return nil
	}
	asks := asked(s, *s.Gate)
	g := &Gate{
		Gate: *s.Gate, Headline: Joined(over(s, *s.Gate), asks.state), Ask: asks.ask,
		Choices: Choices(*s.Gate), Commands: Commands(*s.Gate, s.SpecPath),
	}
	g.Blocking, g.Checks, g.Rounds = blockingOf(s), checksOf(s), roundsOf(s)
	if f, ok := s.Forecast(); ok && g.Kind == machine.GateApprovePlan {
		g.Forecast = &f
	}
	if p, ok := phaseOf(s); ok && (g.State == machine.Plan || g.State == machine.ApprovePlan) {
		g.Plan = cmp.Or(p.PlanPath, p.PlanHint)
	}
	if next, _ := following(s); g.Kind == machine.GateContinue && !strings.HasPrefix(next, "phase ") {
		g.Choices[0].Label = "start " + next
	}
	g.About = about(s, tasks)
	g.Because, g.Notes = becauseOf(s, g)
	g.Gate = g.Shown()
	return g
}

func phaseOf(s machine.State) (machine.Phase, bool) {
	if s.CurrentPhase < 0 || s.CurrentPhase >= len(s.Phases) {
		return machine.Phase{}, false
	}
	return s.Phases[s.CurrentPhase], true
}

// over is what a question stands under: Phase 2 of 3 · Rule engine.
func over(s machine.State, g machine.Gate) string {
	p, ok := phaseOf(s)
	switch {
	case g.State == machine.Init:
		return "Before any change"
	case g.State == machine.FinalReview, g.State == machine.Done, !ok:
		return "Final review"
	}
	return Joined(fmt.Sprintf("Phase %d of %d", s.CurrentPhase+1, len(s.Phases)), p.Name)
}

// about are the tasks that a question is about: those of the plan, or the one that it names.
func about(s machine.State, tasks []Task) []Task {
	if s.Gate.Kind == machine.GateApprovePlan {
		return tasks
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t Task) bool { return t.ID != s.Gate.Task || s.Gate.Task == "" })
}

// blockingOf are the findings that the open question is about, those that block first.
func blockingOf(s machine.State) machine.Register {
	var findings []machine.Finding
	p, _ := phaseOf(s)
	switch s.Gate.Kind {
	case machine.GateVerifyFailed, machine.GateReviewBlocking:
		findings = p.Findings
	case machine.GateFinalBlocking:
		findings = s.FinalReview.Findings
	case machine.GateContinue:
		return s.Register.Open()
	}
	entries := make(machine.Register, len(findings))
	for i, f := range findings {
		entries[i] = machine.Entry{Finding: f}
		if e, ok := s.Register.Of(f); ok {
			e.Finding = f
			entries[i] = e
		}
	}
	slices.SortStableFunc(entries, func(a, b machine.Entry) int {
		return cmp.Compare(rank(a, s.RigorLevel), rank(b, s.RigorLevel))
	})
	return entries
}

// rank is the place of a finding in a list: what blocks comes first, then by severity.
func rank(e machine.Entry, rigor machine.Rigor) int {
	if e.Blocks(rigor) {
		return 0
	}
	return 1 + slices.Index([]string{machine.Critical, machine.Important, machine.Suggestion}, e.Severity)
}

// checksOf are the checks that the open question is about, those that failed first.
func checksOf(s machine.State) []machine.Check {
	var checks []machine.Check
	p, _ := phaseOf(s)
	switch {
	case s.Gate.Kind == machine.GateBaselineRed && s.CurrentState == machine.Init && s.Baseline != nil:
		checks = slices.Clone(s.Baseline.Checks)
	case s.Gate.Kind == machine.GateVerifyFailed, s.Gate.Kind == machine.GateBaselineRed:
		checks = slices.Clone(p.Checks)
	}
	slices.SortStableFunc(checks, func(a, b machine.Check) int {
		return cmp.Compare(len(machine.ChecksWith([]machine.Check{a}, machine.CheckPassed)), len(machine.ChecksWith([]machine.Check{b}, machine.CheckPassed)))
	})
	return checks
}

func roundsOf(s machine.State) string {
	p, _ := phaseOf(s)
	used, counts := 0, true
	switch s.Gate.Kind {
	case machine.GateVerifyFailed:
		used = p.VerifyFixes
	case machine.GateReviewBlocking:
		used = p.ReviewFixes
	case machine.GateFinalBlocking:
		used = s.FinalReview.RetryCount
	default:
		counts = false
	}
	if !counts {
		return ""
	}
	return fmt.Sprintf("Fix rounds used: %d of %d", used, machine.MaxFixes)
}

// becauseOf says why a person is asked, and what else helps to decide that no other part of the question says already.
func becauseOf(s machine.State, g *Gate) (because, notes []string) {
	said := machine.Details(g.Checks)
	for _, e := range g.Blocking {
		whole := e.Finding
		line := machine.Describe([]machine.Finding{whole})[0]
		said = append(said, line, e.String(), e.ID+" "+line)
		if became := e.Became(); became != "" {
			said = append(said, e.String()+" ("+became+")", e.ID+" "+line+" ("+became+")")
		}
	}
	because, notes = []string{}, slices.DeleteFunc(slices.Clone(g.Context), func(line string) bool {
		id, _, _ := strings.Cut(line, " ")
		return slices.Contains(said, line) || g.Kind == machine.GateTasksExhausted && numberOf(s.Tasks, id) > 0
	})
	if why := asked(s, *s.Gate).why; why != "" {
		because = append(because, why)
	}
	switch g.Kind {
	case machine.GateApprovePlan: // its lines are the signals that fired
		because, notes = append(because, notes...), nil
	case machine.GateContinue:
		if _, note := following(s); note != "" {
			notes = append(notes, note)
		}
	case machine.GatePause:
		for i, line := range notes {
			notes[i] = strings.NewReplacer("dispatches", "agent runs", "dispatch", "agent run").Replace(line)
		}
	}
	return because, append(append([]string{}, notes...), waitingFor(s, *s.Gate)...)
}

// waitingFor says which tasks wait for the one that failed for good.
func waitingFor(s machine.State, g machine.Gate) []string {
	var waiting []string
	for n, t := range s.Tasks {
		if g.Kind == machine.GateTasksExhausted && slices.Contains(t.DependsOn, g.Task) && !t.Over() {
			waiting = append(waiting, fmt.Sprintf("task %d (%s)", n+1, t.Title))
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	return []string{strings.Join(waiting, ", ") + map[bool]string{true: " waits for it", false: " wait for it"}[len(waiting) == 1]}
}

// Choices are the options of a gate as a person sees them, stop last.
func Choices(g machine.Gate) []Choice {
	choices := []Choice{}
	found := false
	for _, o := range g.Offered() {
		c := Choice{Name: o.Name, Word: o.Word(), Label: cmp.Or(o.Label, o.Name), NeedsReason: o.WantsReason, TakesReason: o.TakesReason}
		if !found && leads(o) {
			c.Default, found = true, true
		}
		choices = append(choices, c)
	}
	return choices
}

// leads says whether an option may be the default: it leaves nothing out, overrides nothing, and is not one of several that
// only a person can tell apart.
func leads(o machine.Option) bool {
	return !slices.Contains([]string{
		string(machine.PhaseSkipped), string(machine.VerificationSkipped), string(machine.Overridden), string(machine.Redo),
		machine.EffectDrop, machine.EffectChoose, machine.EffectGoOn, machine.EffectStop, machine.EffectAdopt, machine.EffectCommit,
	}, o.Effect)
}

// Commands are the commands that answer a gate, one for each option but stop.
func Commands(g machine.Gate, spec string) map[string]string {
	commands := map[string]string{}
	for _, o := range g.Offered() {
		if o.Name == machine.Stop {
			continue
		}
		line := "autopilot answer " + quoted(spec) + " " + o.Word()
		if o.WantsReason {
			line += " --reason \"…\""
		}
		if g.YourTurn.HandsIn(o.Name) {
			line += " --summary \"…\""
		}
		if g.Kind == machine.GateSpecChanged && o.Name == "redo" {
			line += " --phase N"
		}
		commands[o.Name] = line
	}
	return commands
}
