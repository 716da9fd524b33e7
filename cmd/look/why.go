package look

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// NewWhy is the command why.
func NewWhy(h *console.Host) *cobra.Command {
	o := &console.Output{Host: h}
	return o.WithJSON("one JSON object", &cobra.Command{
		Use: "why [SPEC.md] [task N | finding N]", Short: "Explain where a session is, why it stopped, and what resuming does",
		Long: "Explains where a session is, why it stopped or what it waits for, what came before, and what resuming does. task N shows the\n" +
			"attempts of task N of the current phase. 2.N is task N of phase 2, as the spec numbers it; instead of N you can write the\n" +
			"task's id, such as task-003. finding N shows the history of a finding.",
		Example: "  autopilot why docs/spec.md\n  autopilot why docs/spec.md task 2\n  autopilot why finding F3",
		Args: func(_ *cobra.Command, args []string) error {
			if _, about, which := parts(args); len(args) > 1 && about == "" || about != "" && which == "" {
				return console.UsageError("why takes a session, and of it a task or a finding: autopilot why docs/spec.md task 2")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runWhy(c.Context(), o, args) },
	})
}

// parts are what the arguments name: the session, and of it a task or a finding by its number.
func parts(args []string) (spec, about, which string) {
	at := slices.IndexFunc(args, func(arg string) bool { return arg == "task" || arg == "finding" })
	if at < 0 || at > 1 || len(args) > at+2 {
		return console.First(args), "", ""
	}
	if at == 1 {
		spec = args[0]
	}
	if len(args) == at+2 {
		which = args[at+1]
	}
	return spec, args[at], which
}

// reasons are why --json.
type reasons struct {
	Running bool `json:"running"` // a run is at work on it now

	Where  string `json:"where"`
	Doing  string `json:"doing"`
	Last   string `json:"last"`
	Resume string `json:"resume"`
	Next   string `json:"next"`

	Gate     *view.Gate       `json:"gate"`     // the open question, if there is one
	Findings machine.Register `json:"findings"` // the open ones

	Standing view.Standing `json:"standing"`
	Headline string        `json:"headline"`
	Since    time.Time     `json:"since"`
	Because  []string      `json:"because"`
	Before   []view.Line   `json:"before"` // what came before, newest first
}

func runWhy(ctx context.Context, o *console.Output, args []string) error {
	spec, about, which := parts(args)
	w, s, err := app.ReadSession(ctx, o.Host, spec)
	if err != nil {
		return err
	}
	f, lines, err := w.AllFacts(ctx, s)
	if err != nil {
		return err
	}
	v, p := view.Of(f), &page{h: o.Host, width: o.OutWidth()}
	if about != "" {
		return one(p, o, v, about, which)
	}
	r := reasonsOf(v, lines)
	if o.JSON {
		return o.Encode(r)
	}
	p.reasons(v, r)
	return p.print()
}

// told is how many lines of the transcript why tells.
const told = 6

func reasonsOf(v view.Session, lines []view.Line) reasons {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l view.Line) bool { return v.Gate != nil && l.Kind == "question" && l.At.Equal(v.Gate.AskedAt) })
	before := slices.Clone(lines[max(0, len(lines)-told):])
	slices.Reverse(before)
	r := reasons{
		Running: v.Running, Where: where(v), Doing: doing(v), Last: "nothing yet", Resume: v.Resume, Next: v.Next,
		Gate: v.Gate, Findings: append(machine.Register{}, v.Findings.Open()...),
		Standing: v.Standing, Headline: v.Headline, Since: v.Since, Because: v.Because, Before: before,
	}
	if len(before) > 0 {
		r.Last = before[0].Text
	}
	return r
}

// where is the state by the names that programs know.
func where(v view.Session) string {
	at := v.Phase - 1
	if v.State == machine.Done || v.State == machine.FinalReview || at < 0 || at >= len(v.Phases) {
		return string(v.State)
	}
	p := v.Phases[at]
	return fmt.Sprintf("%s, phase %s of %d (%s)", v.State, p.Number, len(v.Phases), p.Name)
}

// doing says what goes on, in a sentence.
func doing(v view.Session) string {
	switch v.Standing {
	case view.NeedsYou:
		if v.Gate == nil {
			return v.Headline
		}
		return "waiting for you: " + v.Headline
	case view.AtWork:
		works := make([]string, len(v.Works))
		for i, w := range v.Works {
			works[i] = w.Doing
		}
		return "at work: " + strings.Join(works, "; ")
	case view.Finished:
		return "done: " + v.Headline
	}
	return v.Headline
}

func (p *page) reasons(v view.Session, r reasons) {
	p.line(2, "%s", view.Joined(v.Spec, strings.TrimSpace(v.Standing.Words()+" "+p.age(v)), v.Headline))
	if v.Gate != nil {
		p.question(v)
	} else {
		for _, line := range v.Because {
			p.line(4, "  because %s", line)
		}
		for _, e := range r.Findings {
			p.finding(e, e.Blocks(v.Rigor))
		}
	}
	if len(r.Before) > 0 {
		p.line(2, "Before that")
		for _, l := range r.Before {
			p.event(l)
		}
	}
	p.line(2, "If you resume: %s", r.Resume)
	if v.Gate == nil || v.Next != "autopilot answer "+shell.QuotePath(v.Spec) {
		p.command(r.Next)
	}
}

// event is a line of the transcript with its time.
func (p *page) event(l view.Line) {
	mark := markText[l.Mark]
	if l.Mark == "" || l.Mark == view.Pending {
		mark = " "
	}
	p.line(11, "  %s  %s %s", p.clock(l.At), mark, l.Text)
}
