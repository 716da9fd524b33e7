package report

import (
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

const (
	broken   = "\u200b" // between the characters that a forge would act on
	mostBody = 60       // lines
	mostOf   = 12       // rows of a kind
)

// calls are what a forge acts on: mentions, numbers of issues, addresses.
var calls = strings.NewReplacer("@", "@"+broken, "#", "#"+broken, "GH-", "G"+broken+"H-", "://", ":"+broken+"//")

// tame is a text of somebody else for a forge: nobody is called, no issue is named or closed.
func tame(text string) string { return calls.Replace(inert(text)) }

// PullRequest is the body of a pull request: the report in short, for who reviews it. Issue is what it closes; "" is none.
func PullRequest(f Facts, issue string) string {
	b := &paper{}
	b.line("%s. Spec: %s\n", strings.TrimRight(tame(f.Session.Title), "."), code(f.Session.Spec))
	if list := f.criteria(); len(list) > 0 {
		b.line("| Criterion | | Evidence |\n|---|---|---|")
		for i, c := range list {
			if i == mostOf && len(list) > mostOf {
				b.row(fmt.Sprintf("and %d more", len(list)-i), "", "")
				break
			}
			b.row(tame(c.Text), c.Verdict, tame(c.Evidence))
		}
		b.line("")
	}
	if look := f.pleaseLook(); len(look) > 0 {
		b.line("**Please look at**: %s\n", strings.Join(words.FirstFew(look, mostOf), dot))
	}
	b.checks(f)
	b.detail(f)
	if issue != "" {
		b.line("\nCloses %s", issue)
	}
	return b.String()
}

// pleaseLook are overrides and what is left, in short.
func (f Facts) pleaseLook() (look []string) {
	for _, item := range f.overrides() {
		look = append(look, "override "+tame(item))
	}
	for _, item := range f.unverified() {
		look = append(look, tame(item))
	}
	left, suggestions := f.Session.Findings.Open(), 0
	for _, e := range left {
		if e.Severity == machine.Suggestion {
			suggestions++
			continue
		}
		look = append(look, fmt.Sprintf("%s %s", e.Severity, tame(words.Joined(" ", placeOf(e.Finding), e.Title))))
	}
	if suggestions > 0 {
		look = append(look, count(suggestions, "suggestion", "suggestions")+" left")
	}
	if n := len(f.Session.Flakes); n > 0 {
		look = append(look, count(n, "flaky test", "flaky tests"))
	}
	if n := len(f.Session.Assumptions); n > 0 {
		look = append(look, count(n, "assumption", "assumptions")+" of the plans, where the spec leaves it open")
	}
	return look
}

// checks are those that speak for the whole.
func (b *paper) checks(f Facts) {
	list := f.lastChecks()
	if len(list) == 0 {
		b.line("**Checks**: none were run\n")
		return
	}
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = code(c.Name()) + " " + strings.ReplaceAll(c.Outcome, "_", " ")
		if n := tests(c, f.before(c)); n != "" {
			parts[i] += " (" + n + ")"
		}
	}
	on := ""
	if n := len(f.Session.Commits); n > 0 {
		on = " on " + words.Commit(f.Session.Commits[n-1].SHA)
	}
	b.line("**Checks**: %s%s\n", strings.Join(words.FirstFew(parts, mostOf), ", "), on)
}

// detail is a table of phases and tasks, folded up.
func (b *paper) detail(f Facts) {
	s := f.Session
	completed, retries := f.tasks()
	fixed := 0
	for _, e := range s.Findings {
		if e.Fate == machine.FateFixed {
			fixed++
		}
	}
	b.line("<details><summary>%s, %s, %s, %s</summary>\n", count(len(s.Phases), "phase", "phases"), count(completed, "task", "tasks"),
		count(retries, "retry", "retries"), count(fixed, "fixed finding", "fixed findings"))
	b.line("| | | |\n|---|---|---|")
	room := mostBody - strings.Count(b.String(), "\n") - 8
	rows := f.detailRows()
	for _, row := range rows[:min(room, len(rows))] {
		b.row(row...)
	}
	if left := len(rows) - room; left > 0 {
		b.row("", fmt.Sprintf("and %d more", left), "")
	}
	b.line("\n%s. %s.\n\n</details>", f.time(), f.cost())
}

func (f Facts) detailRows() (rows [][]string) {
	for _, p := range f.Session.Phases {
		rows = append(rows, []string{"**" + tame(p.Number) + "**", "**" + tame(p.Name) + "**", words.Joined(", ", p.Outcome, changed(f.commitsOf(p.Position)).String())})
		for _, t := range p.Tasks {
			rows = append(rows, []string{fmt.Sprintf("%d.%d", p.Position, t.N), tame(reason(words.Joined(": ", t.Title, t.Summary))), words.Joined(", ", f.taskDiff(t), again(t))})
		}
	}
	return rows
}

// again says how often a task was tried again; "" where once was enough.
func again(t view.Task) string {
	if n := len(t.Attempts); n > 1 {
		return count(n, "attempt", "attempts")
	}
	return ""
}
