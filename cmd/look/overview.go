package look

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// NewList is the command list.
func NewList(h *console.Host) *cobra.Command {
	o := &console.Output{Host: h}
	return o.WithJSON("one JSON array", &cobra.Command{
		Use: "list", Short: "List the repository's sessions, including finished and archived ones", Example: "  autopilot list\n  autopilot list --json",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runList(c.Context(), o) },
	})
}

func runList(ctx context.Context, o *console.Output) error {
	repo, err := app.UserRepoAt(ctx, o.Dir, git.Find)
	if err != nil {
		return err
	}
	rows, err := app.Rows(o.Host, repo)
	if err != nil {
		return err
	}
	archived, err := app.Archived(o.Host, repo)
	if err != nil {
		return err
	}
	rows = append(sorted(rows), archived...)
	if o.JSON {
		return o.Encode(rows)
	}
	if len(rows) == 0 {
		return o.Say("There are no sessions here. Start one: autopilot docs/spec.md")
	}
	s := newSheet(o.Host, rows)
	for _, r := range rows {
		s.row(r)
	}
	return s.print()
}

// recent is how long a finished session is shown where only what is new is.
const recent = 7 * 24 * time.Hour

// Overview shows what goes on in the repository, what needs a person first, each with a command that works now.
func Overview(ctx context.Context, h *console.Host) error {
	repo, err := app.UserRepoAt(ctx, h.Dir, git.Find)
	if _, none := errors.AsType[*git.NoRepositoryError](err); none {
		return h.Say("autopilot takes a spec through its phases: autopilot docs/spec.md\nTry it: autopilot demo\nMore: autopilot --help")
	}
	if err != nil {
		return err
	}
	rows, err := app.Rows(h, repo)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r app.Listed) bool { return r.Standing == view.Finished && h.Now().Sub(r.Since) > recent })
	s := newSheet(h, rows)
	open := 0
	for _, g := range view.Groups {
		first := true
		for _, r := range sorted(rows) {
			if !slices.Contains(g.Has, r.Standing) {
				continue
			}
			if first {
				s.line(headed(g))
			}
			if first = false; r.Standing != view.Finished && r.Standing != view.Unreadable {
				open++
			}
			s.row(r)
		}
	}
	if open == 0 {
		s.line("No open sessions here.")
		s.line("  Start one: autopilot docs/spec.md")
		s.line("  Try it:    autopilot demo")
		s.line("  More:      autopilot --help")
	}
	return s.print()
}

// headed is the line above a group. What is done is shown as long as it is new.
func headed(g view.Group) string {
	if slices.Contains(g.Has, view.Finished) {
		return g.Title + " (last 7 days; all: autopilot list)"
	}
	return g.Title
}

// sorted are rows with what needs a person first, then the latest.
func sorted(rows []app.Listed) []app.Listed {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b app.Listed) int {
		if by := placeOf(a) - placeOf(b); by != 0 {
			return by
		}
		return b.Since.Compare(a.Since)
	})
	return rows
}

func placeOf(r app.Listed) int {
	return slices.IndexFunc(view.Groups, func(g view.Group) bool { return slices.Contains(g.Has, r.Standing) })
}

// sheet is a list of rows, in the width of the terminal.
type sheet struct {
	h      *console.Host
	text   strings.Builder
	column int // of the specs
	width  int // 0: not known
}

func newSheet(h *console.Host, rows []app.Listed) *sheet {
	s := &sheet{h: h, width: h.OutWidth()}
	for _, r := range rows {
		s.column = max(s.column, len([]rune(console.Clean(named(r)))))
	}
	if s.column = min(s.column, 40); s.width >= console.Narrowest {
		s.column = min(s.column, s.width/3)
	}
	return s
}

func (s *sheet) line(text string) { s.text.WriteString(console.Wrapped(text, s.width, 2) + "\n") }

func (s *sheet) print() error {
	_, err := fmt.Fprint(s.h.Out, s.text.String())
	return err
}

// named is what a row is called.
func named(r app.Listed) string {
	if r.Spec == "" {
		return r.Session
	}
	return r.Spec
}

// row is a session: its mark, what it is about and how long that is so, and the command that works now.
func (s *sheet) row(r app.Listed) {
	lead := fmt.Sprintf("  %s %-*s  ", markOf(r), s.column, console.Clean(named(r)))
	headline, age := console.Clean(r.Headline), ageOf(r, s.h.Now())
	whole := lead + headline
	gap := "  "
	if room := s.width - len([]rune(whole)) - len([]rune(age)); s.width > 0 && room >= 2 {
		gap = strings.Repeat(" ", min(room, max(2, 80-len([]rune(whole))-len([]rune(age)))))
	}
	s.text.WriteString(strings.TrimRight(console.Wrapped(whole, s.width, min(len([]rune(lead)), max(6, s.width/3))), " "))
	if s.width >= console.Narrowest && len([]rune(whole))+len(gap)+len([]rune(age)) > s.width {
		gap = "\n" + strings.Repeat(" ", 6)
	}
	s.text.WriteString(strings.TrimRight(gap+age, " ") + "\n")
	if r.Next != "" {
		s.text.WriteString("      " + console.Clean(r.Next) + "\n")
	}
}

func markOf(r app.Listed) string {
	switch {
	case r.Standing == view.NeedsYou && r.Gate != "":
		return "?"
	case r.Standing == view.NeedsYou, r.Standing == view.Failed, r.Standing == view.Unreadable:
		return "!"
	case r.Standing == view.AtWork, r.Standing == view.Waiting:
		return "*"
	case r.Standing == view.Finished:
		return "✓"
	}
	return "-"
}

// ageOf says how long a row is as it is.
func ageOf(r app.Listed, now time.Time) string {
	if r.Since.IsZero() {
		return ""
	}
	d := now.Sub(r.Since)
	switch {
	case r.Gate != "":
		return "waiting " + view.Ago(d)
	case r.Running:
		return strings.TrimSpace(view.Ago(d) + "  " + view.Dollars(r.CostUSD))
	case d > 12*time.Hour && now.Local().AddDate(0, 0, -1).YearDay() == r.Since.Local().YearDay():
		return "yesterday"
	}
	return view.Ago(d) + " ago"
}
