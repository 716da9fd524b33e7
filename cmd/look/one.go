package look

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// one tells of a task or a finding.
func one(p *page, o *console.Output, v view.Session, about, which string) error {
	if about == "finding" {
		return oneFinding(p, o, v, which)
	}
	position, t, ok := taskOf(v, which)
	if !ok {
		return console.UsageError("there is no task %s; autopilot status %s lists them", which, shell.QuotePath(v.Spec))
	}
	if o.JSON {
		return o.Encode(t)
	}
	place := "final"
	if position > 0 {
		place = strconv.Itoa(position)
	}
	p.line(2, "%s", view.Joined(fmt.Sprintf("Task %d of %s", t.N, phaseName(v, position)), t.Title, string(t.Mark)))
	if len(t.Files) > 0 {
		p.line(2, "  files: %s", strings.Join(t.Files, ", "))
	}
	for _, n := range t.After {
		p.line(2, "  after task %d", n)
	}
	if len(t.Attempts) == 0 {
		p.line(2, "No attempt was made yet.")
	}
	for _, a := range t.Attempts {
		p.attempt(a, t, path.Join(".harness/sessions", v.Slug, "attempts", place, t.ID, strconv.Itoa(a.N)))
	}
	if t.Commit != "" {
		p.line(2, "Its commit:")
		p.command("git show " + t.Commit[:min(8, len(t.Commit))])
	}
	return p.print()
}

// attempt is an attempt: how it ended, what its agent said, its checks, and where its records are.
func (p *page) attempt(a view.Attempt, t view.Task, folder string) {
	when, took := "", ""
	if !a.Start.IsZero() {
		when = p.clock(a.Start)
	}
	if !a.Start.IsZero() && a.End.After(a.Start) {
		took = words.Elapsed(a.End.Sub(a.Start).Round(time.Second))
	}
	p.line(4, "%s", view.Joined(fmt.Sprintf("%s attempt %d of %d", markText[a.Mark], a.N, t.Limit), string(a.Mark), when, took, view.Dollars(a.USD)))
	if a.Summary != "" {
		p.line(6, "    its agent: %s", a.Summary)
	}
	for _, c := range a.Checks {
		p.check(c)
	}
	if a.Error != "" && len(a.Checks) == 0 {
		p.detail(a.Error)
	}
	p.line(6, "    records: %s", folder)
}

// taskOf finds a task: 2 is one of the phase at hand, 1.2 one of phase 1, and task-002 or 1.task-002 the same by its id.
func taskOf(v view.Session, which string) (position int, t view.Task, ok bool) {
	position, which = v.Phase, strings.ToLower(which)
	if phase, rest, found := strings.Cut(which, "."); found {
		position, which = 0, rest
		for _, p := range v.Phases {
			if strings.EqualFold(p.Number, phase) {
				position = p.Position
			}
		}
	} else if v.State == machine.FinalReview || v.State == machine.Done && len(v.FinalTasks) > 0 {
		position = 0
	}
	tasks := v.FinalTasks
	if position > 0 && position <= len(v.Phases) {
		tasks = v.Phases[position-1].Tasks
	}
	at := slices.IndexFunc(tasks, func(t view.Task) bool { return strconv.Itoa(t.N) == which || t.ID == which })
	if at < 0 {
		return position, t, false
	}
	return position, tasks[at], true
}

func phaseName(v view.Session, position int) string {
	if position < 1 || position > len(v.Phases) {
		return "the final review"
	}
	p := v.Phases[position-1]
	return fmt.Sprintf("phase %s (%s)", p.Number, p.Name)
}

// oneFinding tells what was found, by whom, and what became of it.
func oneFinding(p *page, o *console.Output, v view.Session, which string) error {
	id := "F" + strings.TrimPrefix(strings.ToUpper(which), "F")
	at := slices.IndexFunc(v.Findings, func(e machine.Entry) bool { return e.ID == id })
	if at < 0 {
		return console.UsageError("there is no finding %s; autopilot findings %s lists them", console.Clean(which), shell.QuotePath(v.Spec))
	}
	e := v.Findings[at]
	if o.JSON {
		return o.Encode(e)
	}
	p.finding(e, e.Blocks(v.Rigor) && e.Fate == machine.FateOpen)
	found := "in " + phaseName(v, e.Phase)
	if e.Source != "" {
		found = "by the " + e.Source + " " + found
	}
	if e.Task != "" {
		found += ", in " + e.Task
	}
	if !e.RaisedAt.IsZero() {
		found += ", " + p.clock(e.RaisedAt)
	}
	p.line(4, "  found %s", found)
	p.line(4, "  now %s", e.Fate)
	if e.Fate == machine.FateOpen {
		p.line(2, "If it is none:")
		p.command("autopilot findings " + shell.QuotePath(v.Spec) + " dismiss " + e.ID + " --reason \"…\"")
	}
	return p.print()
}
