package report

import (
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

// actors are what acts in Markdown and in HTML.
var actors = strings.NewReplacer(`\`, `\\`, "<", "&lt;", ">", "&gt;", "[", `\[`, "]", `\]`, "|", `\|`, "`", "\\`")

// inert is a text of somebody else in Markdown: one line, without links, pictures, tags or columns of its own.
func inert(text string) string { return actors.Replace(words.OneLine(text)) }

// code is a text of somebody else as code, behind more backquotes than it has in a row.
func code(text string) string {
	text, fence := words.OneLine(text), "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if fence != "`" {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Markdown is the report in summary.md, behind what that says for other tools.
func Markdown(f Facts) string {
	b := &paper{}
	b.line("## %s", inert(f.head()))
	b.line("")
	b.line("- **Built:** %s", f.built())
	b.line("- **Time:** %s", f.time())
	b.line("- **Cost:** %s", f.cost())
	for _, c := range f.lastChecks() {
		b.line("- **Check:** %s", inert(f.checkLine(c)))
	}
	if command, _ := f.next(); command != "" {
		b.line("- **Next:** %s", code(command))
	}
	b.lookAt(f.attention())
	b.criteria(f.criteria())
	for _, p := range f.Session.Phases {
		b.phase(f, p)
	}
	b.finalFixes(f)
	b.register(f.Session.Findings)
	b.decisions(f)
	b.metrics(f)
	return b.String()
}

// paper is a text in Markdown.
type paper struct{ strings.Builder }

func (b *paper) line(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }

// table begins a table below a heading.
func (b *paper) table(heading string, columns ...string) {
	if heading != "" {
		b.line("\n## %s", heading)
	}
	b.line("\n| %s |\n|%s", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
}

func (b *paper) row(cells ...string) { b.line("| %s |", strings.Join(cells, " | ")) }

func (b *paper) lookAt(groups []Group) {
	if len(groups) > 0 {
		b.line("\n## Look at\n")
	}
	for _, g := range groups {
		b.line("- **%s**", g.Name)
		for _, item := range g.Items {
			b.line("  - %s", inert(item))
		}
	}
}

func (b *paper) criteria(list []criterion) {
	if len(list) > 0 {
		b.table("Criteria", "", "criterion", "", "evidence")
	}
	for _, c := range list {
		b.row(c.Sign, inert(c.Text), c.Verdict, inert(c.Evidence))
	}
}

// phase is what was built in a phase.
func (b *paper) phase(f Facts, p view.Phase) {
	b.line("\n## Phase %s: %s\n", inert(p.Number), inert(p.Name))
	b.line("%s\n", f.phaseLine(p))
	for _, t := range p.Tasks {
		b.task(f, p.Position, t)
	}
	for _, c := range f.commitsOf(p.Position) {
		b.line("- commit %s", words.Joined(" ", words.Commit(c.SHA), inert(subject(c)), diffOf(c)))
	}
}

// phaseLine sums up a phase: complete · verified · 3 tasks, 1 retry · 4 commits, 9 files +120 −8 · 59:10 · $2.14.
func (f Facts) phaseLine(p view.Phase) string {
	outcome := p.Outcome
	if outcome == "" {
		outcome = p.Status
	}
	verified := ""
	if p.Outcome != "" {
		verified = "verified: " + machine.VerifiedWords(p.Verified)
	}
	return words.Joined(dot, outcome, verified, count(len(p.Tasks), "task", "tasks")+", "+count(p.Retries, "retry", "retries"),
		changed(f.commitsOf(p.Position)).String(), words.Seconds(p.Spent.Seconds)+" work", view.Dollars(p.Spent.CostUSD), f.used(p.Spent.Usage))
}

func (b *paper) task(f Facts, phase int, t view.Task) {
	b.line("- %s %d.%d %s", sign(t.Mark), phase, t.N, words.Joined(dot, inert(t.Title), f.taskDiff(t), words.Seconds(t.Seconds), view.Dollars(t.USD)))
	if t.Summary != "" {
		b.line("  - %s", inert(t.Summary))
	}
	for _, a := range t.Attempts {
		if a.Mark == view.Broken {
			b.line("  - attempt %d failed: %s", a.N, inert(reason(a.Error)))
		}
	}
}

// taskDiff is what a task's commit changed: 4 files +120 −8, 3f9ac1e.
func (f Facts) taskDiff(t view.Task) string {
	for _, c := range f.Session.Commits {
		if c.SHA == t.Commit && t.Commit != "" {
			return words.Joined(", ", diffOf(c), words.Commit(c.SHA))
		}
	}
	return words.Commit(t.Commit)
}

func diffOf(c view.Commit) string {
	if c.Files == 0 {
		return ""
	}
	return count(c.Files, "file", "files") + " " + lines(c.Added, c.Removed)
}

// finalFixes are the commits of the final review.
func (b *paper) finalFixes(f Facts) {
	commits := f.commitsOf(0)
	if len(commits) > 0 {
		b.line("\n## Final review\n")
	}
	for _, c := range commits {
		b.line("- commit %s", words.Joined(" ", words.Commit(c.SHA), inert(subject(c)), diffOf(c)))
	}
}

func (b *paper) register(list machine.Register) {
	if len(list) > 0 {
		b.table("Findings", "", "severity", "place", "title", "became")
	}
	for _, e := range list {
		b.row(e.ID, e.Severity, inert(placeOf(e.Finding)), inert(e.Title), inert(became(e)))
	}
}

// became is what became of a finding, for people.
func became(e machine.Entry) string {
	text := e.Became()
	if text == "" {
		return string(e.Fate)
	}
	return person(text)
}

func (b *paper) decisions(f Facts) {
	if len(f.Session.Decisions) > 0 {
		b.table("Decisions", "where", "decision", "reason", "by")
	}
	for _, d := range f.Session.Decisions {
		b.row(inert(f.phaseName(d.Phase)), inert(words.OneLine(d.Words)), inert(d.Reason), inert(person(d.By)))
	}
}

// metrics say how the tasks went.
func (b *paper) metrics(f Facts) {
	s := f.Session
	if s.Metrics.Ended == 0 {
		return
	}
	b.line("\n## Metrics\n\nMetrics: %s.", inert(s.Metrics.String()))
	if tools := s.Metrics.ToolsText(); tools != "" {
		b.line("\nTool calls: %s.", inert(tools))
	}
	if len(s.TaskMetrics) > 0 {
		b.table("", "phase", "task", "title", "attempts", "turns", "seconds", "tokens", "context", "first check", "tool calls")
	}
	for _, t := range s.TaskMetrics {
		phase := "-"
		if t.Phase > 0 && t.Phase <= len(s.Phases) {
			phase = s.Phases[t.Phase-1].Number
		}
		cells, used := t.Cells(), "-"
		if n := tokens(t.Usage); n > 0 {
			used = fmt.Sprint(n)
		}
		row := []string{inert(phase), t.ID, inert(t.Title), fmt.Sprint(t.Attempts), cells[0], fmt.Sprintf("%.0f", t.Seconds), used}
		b.row(append(row, cells[1:]...)...)
	}
}

// subject is that of a commit, without the labels that all of a session's have.
func subject(c view.Commit) string {
	text := words.OneLine(c.Subject)
	for strings.HasPrefix(text, "[") && strings.Contains(text, "]") {
		_, text, _ = strings.Cut(text, "]")
	}
	return strings.TrimSpace(text)
}
