package pullrequest

import (
	"fmt"
	"strings"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// body is what a reviewer of the pull request wants to know: phases, evidence, findings, what a human overrode, cost.
func (p PullRequest) body(s machine.State, issue string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nSpec: `%s`\n\n| phase | outcome | tasks | retries | verified |\n|---|---|---|---|---|\n", Title(s), s.SpecPath)
	for _, h := range s.History {
		fmt.Fprintf(&b, "| %s %s | %s | %d | %d | %s |\n", s.PhaseNumber(h.Phase), cell(h.Name), h.Outcome, h.TasksCompleted, h.RetriesUsed, machine.VerifiedWords(h.VerificationPassed))
	}
	section(&b, "Evidence", evidenceLines(s))
	section(&b, "Findings that are left", s.Register.Left().Lines())
	section(&b, "What the plans assumed, where the spec leaves it open", s.Assumed())
	section(&b, "Flaky tests, not blamed", machine.FlakeLines(s))
	section(&b, "Decisions of a human against a check", overrides(s))
	fmt.Fprintf(&b, "\nFinal review: %s. %s.\n", journal.FinalWords(s), journal.UsageWords(s.Usage))
	if issue != "" {
		fmt.Fprintf(&b, "\nCloses %s\n", issue)
	}
	return b.String()
}

func section(b *strings.Builder, heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", heading)
	for _, l := range lines {
		fmt.Fprintf(b, "- %s\n", words.OneLine(l))
	}
}

func cell(text string) string { return strings.ReplaceAll(words.OneLine(text), "|", `\|`) }

// evidenceLines are the last checks of each phase.
func evidenceLines(s machine.State) []string {
	var lines []string
	for _, p := range s.Phases {
		for _, c := range p.Checks {
			lines = append(lines, fmt.Sprintf("phase %s: `%s`: %s, exit %d", p.Number, strings.ReplaceAll(c.Command, "`", "'"), strings.ReplaceAll(c.Outcome, "_", " "), c.ExitCode))
		}
	}
	return lines
}

// overrides are the decisions by which a human went on in spite of something.
func overrides(s machine.State) []string {
	var lines []string
	for _, d := range s.Decisions {
		for _, word := range []string{"override", ": skip", "baseline_red: continue", "unverified"} {
			if strings.Contains(d.Decision, word) {
				lines = append(lines, fmt.Sprintf("phase %s, %s: %s (%s)", s.PhaseNumber(d.Phase), strings.ReplaceAll(d.Decision, "_", " "), d.Reason, d.By))
				break
			}
		}
	}
	return lines
}
