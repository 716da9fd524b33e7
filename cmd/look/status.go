package look

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// NewStatus is the command status.
func NewStatus(h *console.Host) *cobra.Command {
	o := &console.Output{Host: h}
	return o.WithJSON("one JSON object", &cobra.Command{
		Use: "status [SPEC.md]", Short: "Show a session's phases, tasks, open question and usage",
		Long:    "Shows where a session is. You can leave out SPEC.md if exactly one session isn't finished, or if there is only one. Here and in the other commands on a\nsession, you can write the session's name, or the beginning of it, instead of SPEC.md.",
		Example: "  autopilot status docs/spec.md\n  autopilot status docs/spec.md --json", Args: console.MaySpec,
		RunE: func(c *cobra.Command, args []string) error { return runStatus(c.Context(), o, console.First(args)) },
	})
}

func runStatus(ctx context.Context, o *console.Output, spec string) error {
	w, s, err := app.ReadSession(ctx, o.Host, spec)
	if err != nil {
		return err
	}
	f, _, err := w.AllFacts(ctx, s)
	if err != nil {
		return err
	}
	if o.JSON {
		return o.Encode(view.Of(f))
	}
	return Print(o.Host, view.Of(f))
}

// Print shows how a session stands.
func Print(h *console.Host, v view.Session) error {
	p := &page{h: h, width: h.OutWidth()}
	status(p, v)
	return p.print()
}

// Elsewhere prints the status of a session that runs on other machines: its whole question, with the commands of the program that answers it.
func Elsewhere(h *console.Host, v view.Session, program string) error {
	p := &page{h: h, width: h.OutWidth(), program: program}
	status(p, v)
	return p.print()
}

// page is what a command prints, in the width of the terminal.
type page struct {
	h     *console.Host
	text  strings.Builder
	width int  // 0: not known
	whole bool // all that a check printed, not its first lines

	program string // that answers are typed for; "": this one
}

// line adds a line; what does not fit goes on below, indented.
func (p *page) line(indent int, format string, args ...any) {
	p.text.WriteString(console.Wrapped(console.Trimmed(console.Clean(fmt.Sprintf(format, args...))), p.width, indent) + "\n")
}

// command adds a command to type, whole.
func (p *page) command(line string) {
	if line != "" {
		p.text.WriteString("  " + console.Clean(line) + "\n")
	}
}

func (p *page) print() error {
	_, err := fmt.Fprint(p.h.Out, p.text.String())
	return err
}

func (p *page) clock(t time.Time) string {
	if t.Local().YearDay() != p.h.Now().Local().YearDay() {
		return t.Local().Format("2 Jan 15:04")
	}
	return t.Local().Format("15:04")
}

func status(p *page, v view.Session) {
	p.line(2, "%s", view.Joined(v.Spec, v.Title, strings.TrimSpace(v.Standing.Words()+" "+p.age(v))))
	p.line(2, "%s", view.Joined("branch "+cmp.Or(v.Branch, "not recorded"), string(v.Rigor), runOf(v), v.Footing))
	names := 0
	for _, phase := range v.Phases {
		names = max(names, len([]rune(phase.Name)))
	}
	for _, phase := range v.Phases {
		p.phase(phase, min(names, 32))
	}
	if v.State == machine.FinalReview || len(v.FinalTasks) > 0 {
		p.line(4, "  %s final review  %s", markText[finalMark(v)], strings.ReplaceAll(v.FinalReview.Status, "_", " "))
		p.tasks(v.FinalTasks)
	}
	p.waves(v)
	for _, e := range v.Findings.Open() {
		p.line(6, "open: %s", e.String())
	}
	for _, f := range v.Flakes {
		p.line(6, "flaky, so not counted: %s (%s, %s)", f.Test, f.Command, phaseName(v, f.Phase))
	}
	p.line(2, "%s", v.Spent())
	for _, t := range v.TaskMetrics {
		if missed := t.Missed(); missed != "" {
			p.line(2, "above target: %s, %s", phaseName(v, t.Phase), missed)
		}
	}
	p.now(v)
}

// age says how long it is so.
func (p *page) age(v view.Session) string {
	if v.Since.IsZero() || v.Standing == view.Finished || v.Standing == view.Stopped || v.Standing == view.Failed {
		return ""
	}
	return view.Ago(p.h.Now().Sub(v.Since))
}

// runOf says who plays the personas, as far as the last run recorded it.
func runOf(v view.Session) string {
	if v.LastRun == nil || v.LastRun.Backend == "" {
		return ""
	}
	if v.LastRun.Model == "" {
		return v.LastRun.Backend
	}
	return v.LastRun.Backend + " (" + v.LastRun.Model + ")"
}

var markText = map[view.Mark]string{view.Pending: " ", view.Active: "*", view.Asking: "?", view.Passed: "✓", view.Broken: "✗", view.Skipped: "-"}

func finalMark(v view.Session) view.Mark {
	switch {
	case v.Gate != nil && v.State == machine.FinalReview:
		return view.Asking
	case v.State == machine.FinalReview:
		return view.Active
	}
	return view.Passed
}

// phase is the line of a phase, with its tasks below where it is the one at hand.
func (p *page) phase(phase view.Phase, names int) {
	mark, here := view.Pending, false
	for _, step := range phase.Steps {
		if step.Mark == view.Active || step.Mark == view.Asking {
			mark, here = step.Mark, true
		}
	}
	switch {
	case phase.Outcome == "failed":
		mark = view.Broken
	case phase.Status == machine.PhaseDone:
		mark = view.Passed
	case phase.Status == machine.PhaseSkip:
		mark = view.Skipped
	}
	took := ""
	if phase.Spent.Dispatches > 0 || phase.Spent.Seconds >= 1 {
		took = strings.TrimSpace(words.Elapsed(time.Duration(phase.Spent.Seconds*float64(time.Second))) + "  " + view.Dollars(phase.Spent.CostUSD))
	}
	text := fmt.Sprintf("  %s phase %-2s %-*s  %s", markText[mark], phase.Number, names, phase.Name, phaseState(phase, here))
	if took != "" {
		text = strings.TrimRight(text, " ") + "  " + took
	}
	p.line(6, "%s", text)
	if !here { // what went well is summed up
		phase.Tasks = slices.DeleteFunc(slices.Clone(phase.Tasks), func(t view.Task) bool { return !t.Unproven && t.Mark != view.Broken && t.Mark != view.Skipped })
	}
	p.tasks(phase.Tasks)
}

// phaseState says how far a phase is.
func phaseState(phase view.Phase, here bool) string {
	switch {
	case phase.Status == machine.PhaseSkip:
		return "skipped"
	case phase.Status == machine.PhaseDone:
		parts := []string{machine.Plural(len(phase.Tasks), "task", "tasks")}
		if len(phase.Tasks) == 0 {
			parts = nil
		}
		if phase.Retries > 0 {
			parts = append(parts, machine.Plural(phase.Retries, "retry", "retries"))
		}
		parts = append(parts, map[bool]string{true: "checked", false: "not checked"}[phase.Verified != nil && *phase.Verified])
		if phase.Outcome == "failed" {
			parts = append(parts, "counts as failed")
		}
		return strings.Join(parts, ", ")
	case !here:
		return map[bool]string{true: string(phase.Complexity) + " complexity"}[phase.Complexity == machine.High]
	}
	for _, step := range phase.Steps {
		if step.Mark != view.Active && step.Mark != view.Asking {
			continue
		}
		tasks := machine.Plural(len(phase.Tasks), "task", "tasks")
		switch {
		case step.Name == "plan" && len(phase.Tasks) > 0:
			return "plan ready: " + tasks
		case step.Name == "build" && step.Count != "":
			return "building, " + strings.Replace(step.Count, "/", " of ", 1) + " tasks done"
		}
		return map[string]string{"plan": "planning", "build": "building", "check": "checking", "review": "reviewing"}[step.Name]
	}
	return ""
}

// tasks are the lines of tasks below their phase.
func (p *page) tasks(tasks []view.Task) {
	for _, t := range tasks {
		var facts []string
		if n := len(t.Attempts); t.Mark == view.Active || t.Mark == view.Broken || n > 1 {
			facts = append(facts, fmt.Sprintf("attempt %d of %d", max(1, n), t.Limit))
		}
		if t.Mark == view.Pending && len(t.After) > 0 {
			facts = append(facts, "after "+numbers(t.After))
		}
		if t.Mark == view.Skipped {
			facts = append(facts, "left out")
		}
		if t.Commit != "" {
			facts = append(facts, t.Commit[:min(7, len(t.Commit))])
		}
		if t.Unproven {
			facts = append(facts, "unproven: old tests fail on it")
		}
		if t.Lane {
			facts = append(facts, "beside the others")
		}
		p.line(10, "%s", strings.TrimRight(fmt.Sprintf("      %s %d  %s  %s", markText[t.Mark], t.N, t.Title, strings.Join(facts, ", ")), " "))
	}
}

func numbers(list []int) string {
	text := make([]string, len(list))
	for i, n := range list {
		text[i] = fmt.Sprint(n)
	}
	return strings.Join(text, ", ")
}

// waves says which tasks could run at once.
func (p *page) waves(v view.Session) {
	if v.Parallel < 2 || len(v.Waves) == 0 {
		return
	}
	var parts []string
	for _, wave := range v.Waves {
		parts = append(parts, strings.Join(wave, " + "))
	}
	p.line(2, "waves, up to %d at once: %s", v.Parallel, strings.Join(parts, ", then "))
}

// now says what goes on, what is asked, and what to type.
func (p *page) now(v view.Session) {
	for _, w := range v.Works {
		p.line(4, "Now: %s, for %s%s", w.Doing, view.Ago(p.h.Now().Sub(w.Since)), lastWords(w))
	}
	if v.Gate != nil && p.program != "" {
		v.Gate.Commands[machine.Stop] = "autopilot stop " + shell.QuotePath(v.Spec)
		p.question(v)
		return
	}
	if v.Gate != nil {
		p.line(2, "Question: %s (asked %s)", v.Headline, p.clock(v.Gate.AskedAt))
		var options []string
		for _, c := range v.Gate.Choices {
			if c.Name != machine.Stop {
				options = append(options, c.Word)
			}
		}
		p.line(2, "Answers: %s", strings.Join(options, ", "))
		p.command("autopilot answer " + shell.QuotePath(v.Spec))
		return
	}
	if v.Standing != view.AtWork {
		p.line(2, "%s", view.Capital(v.Headline))
	}
	if p.program == "" { // else what comes next is for those machines
		p.line(2, "Next:")
		p.command(v.Next)
	}
}

func lastWords(w view.Running) string {
	if w.Command != "" {
		return ": " + w.Command
	}
	if w.LastLine != "" {
		return ": " + w.LastLine
	}
	return ""
}
