package look

import (
	"context"
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// Waiting is the open question of a session, with the command of each option and the one that continues, in a width.
func Waiting(h *console.Host, v view.Session, again string, width int) string {
	p := &page{h: h, width: width}
	p.question(v)
	p.line(2, "Then continue with:")
	p.command(again)
	return p.text.String()
}

// Prompt is the open question of a session with its options, as a person is asked line by line.
func Prompt(h *console.Host, v view.Session, width int) string {
	p := &page{h: h, width: width}
	p.asked(v)
	for i, c := range v.Gate.Choices {
		number := fmt.Sprint(i+1) + ")"
		if !v.Gate.Numbered() {
			number = "  "
		}
		p.line(15, "  %s %-9s  %s", number, c.Word, c.Label)
	}
	return p.text.String()
}

// Question shows the open question of a session, which a person names.
func Question(ctx context.Context, h *console.Host, name string) error {
	_, _, v, err := OpenQuestion(ctx, h, name)
	if err != nil {
		return err
	}
	p := &page{h: h, width: h.OutWidth()}
	p.question(v)
	return p.print()
}

// OpenQuestion is a session that a person names, with a question that is open.
func OpenQuestion(ctx context.Context, h *console.Host, name string) (*app.Workspace, machine.State, view.Session, error) {
	w, s, err := app.ReadSession(ctx, h, name)
	if err != nil {
		return nil, s, view.Session{}, err
	}
	v := w.View(ctx, s)
	if v.Gate == nil {
		err = console.UsageError("no question is open for %s\nContinue with: %s", v.Spec, v.Next)
	}
	return w, s, v, err
}

// Asked is what an open question stands under, what it asks, why, and what it is about, in a width; whole: all that checks
// printed, too. The options are not in it.
func Asked(h *console.Host, v view.Session, width int, whole bool) string {
	p := &page{h: h, width: width, whole: whole}
	p.asked(v)
	return p.text.String()
}

// question is an open question, the options with what each does, and the command of each.
func (p *page) question(v view.Session) {
	p.asked(v)
	p.line(2, "Answer with one of:")
	for _, c := range v.Gate.Choices {
		lead := " "
		if c.Default {
			lead = ">"
		}
		p.line(15, "  %s %-9s  %s", lead, c.Word, c.Label)
		p.answer(v.Gate.Commands[c.Name])
	}
	if v.Gate.Kind == machine.GatePlanWanted && p.program == "" {
		p.line(2, "Or make the plan now, in your editor or with a draft of the planner:")
		p.answer("autopilot plan " + shell.QuotePath(v.Spec) + " --edit")
		p.answer("autopilot plan " + shell.QuotePath(v.Spec) + " --draft")
	}
}

func (p *page) asked(v view.Session) {
	g := v.Gate
	p.line(2, "%s", g.Headline)
	p.line(2, "  %s", g.Ask)
	for _, line := range g.Because {
		p.item("because", line)
	}
	for _, line := range g.Notes {
		p.item("-", line)
	}
	for _, e := range g.Blocking {
		p.finding(e, e.Blocks(v.Rigor))
	}
	for _, c := range g.Checks {
		p.check(c)
	}
	switch {
	case g.Kind == machine.GateApprovePlan:
		p.planned(g.About)
	case len(g.Blocking) == 0 && len(g.Checks) == 0:
		p.tasks(g.About)
		p.failures(v)
	}
	if g.Forecast != nil {
		p.line(4, "  forecast: %s", g.Forecast)
	}
	if g.Rounds != "" {
		p.line(4, "  %s", g.Rounds)
	}
	for _, r := range g.Refused {
		p.line(4, "  %s is not offered: %s", r.Option, r.Why)
	}
}

// item is a reason or a note below a question, its further lines indented.
func (p *page) item(lead, text string) {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	p.line(4, "  %s %s", lead, first)
	for line := range strings.Lines(rest) {
		p.line(6, "    %s", strings.TrimRight(line, "\n"))
	}
}

// planned are the tasks of a plan, with the files that each may change.
func (p *page) planned(tasks []view.Task) {
	titles := 0
	for _, t := range tasks {
		titles = max(titles, len([]rune(t.Title)))
	}
	for _, t := range tasks {
		after := ""
		if len(t.After) > 0 {
			after = "after " + numbers(t.After)
		}
		p.line(9, "    %d  %-*s  %s", t.N, min(titles, 32), t.Title, view.Joined(strings.Join(t.Files, ", "), after))
	}
}

// failures are what each attempt of the task that a question is about came to, the last one with what its checks printed.
func (p *page) failures(v view.Session) {
	if v.Gate.Task == "" || len(v.Gate.About) != 1 {
		return
	}
	t, last := v.Gate.About[0], view.Attempt{}
	for _, a := range t.Attempts {
		if a.Mark != view.Broken {
			continue
		}
		why := words.FirstLine(a.Error)
		if a.Error == last.Error {
			why = "the same failure"
		}
		p.line(10, "        %d  %s", a.N, why)
		last = a
	}
	_, printed, _ := strings.Cut(last.Error, "\n")
	p.detail(printed)
	if last.Output != "" && p.program == "" { // else it isn't here
		p.line(10, "        full output: %s", view.OutputPath(v.Slug, last.Output))
	}
	if t.Diagnosis != "" {
		p.item("diagnosis:", t.Diagnosis)
	}
}

func (p *page) answer(command string) {
	if rest, is := strings.CutPrefix(command, "autopilot "); is && p.program != "" {
		command = p.program + " " + rest
	}
	if command != "" {
		p.text.WriteString("      " + console.Clean(command) + "\n")
	}
}

// finding is a finding with its place and what speaks for it.
func (p *page) finding(e machine.Entry, blocks bool) {
	lead := " "
	if blocks {
		lead = "✗"
	}
	p.line(6, "  %s %s", lead, e.String())
	if e.Rationale != "" {
		p.line(6, "      %s", e.Rationale)
	}
	if became := e.Became(); became != "" {
		p.line(6, "      %s", became)
	}
}

// check is a command with how it ended, and the lines that say why.
func (p *page) check(c machine.Check) {
	mark, how := "✗", fmt.Sprintf("exit %d", c.ExitCode)
	switch c.Outcome {
	case machine.CheckPassed, machine.CheckKnownFailure:
		mark = "✓"
	case machine.CheckFailed:
	default:
		how = strings.ReplaceAll(c.Outcome, "_", " ")
	}
	p.line(6, "  %s %s  %s", mark, c.Name(), how)
	if mark == "✗" {
		p.detail(c.Detail)
	}
}

// detail are the first lines of what a command printed.
func (p *page) detail(text string) {
	n := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if n++; n > 8 && !p.whole {
			break
		}
		p.line(10, "        %s", strings.TrimRight(line, "\r\n"))
	}
}
