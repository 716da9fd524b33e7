// Package audit is the command audit: it replays a session's journal and compares everything that the session claims with its
// records, the files beside the journal, and the commits in git. With --rerun it also runs the recorded commands again.
//
// It never writes to the session or to the user's working tree, and it starts no backend. What can't be looked at is said,
// and never counts as well.
//
//	root.AddCommand(audit.New(host)) // exit code 1: a claim doesn't hold
package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/audit"
)

type auditOptions struct {
	console.Output
	rerun bool
}

// New is the command audit.
func New(h *console.Host) *cobra.Command {
	o := &auditOptions{Output: console.Output{Host: h}}
	c := o.WithJSON("one JSON object", &cobra.Command{
		Use: "audit [SPEC.md]", Short: "Verify a session's results against its records and git",
		Long: `Reads a session's records and checks that every result has one: each completed task, each verified and reviewed phase, each
commit, each answer. Then compares the session's files and its commits in git with the records. Writes nothing and needs no
backend.

With --rerun it also runs the recorded commands again, each in a fresh worktree of its recorded commit.

Exit code 0: everything matches, 1: something doesn't, 2: no such session, 7: can't read the journal.`,
		Example: "  autopilot audit docs/spec.md\n  autopilot audit docs/spec.md --rerun\n  autopilot audit --json",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return runAudit(c.Context(), o, args) },
	})
	c.Flags().BoolVar(&o.rerun, "rerun", false, "run the recorded commands again on the recorded commits")
	return c
}

// auditView is the answer of audit --json.
type auditView struct {
	Session  string        `json:"session"`
	Spec     string        `json:"spec"`
	State    machine.Name  `json:"state"`
	Finished bool          `json:"finished"`
	Holds    bool          `json:"holds"`
	ExitCode int           `json:"exitCode"`
	Groups   []auditGroup  `json:"groups"`
	Said     []string      `json:"said"` // what is not verified, and says so; what could not be looked at
	Claims   []audit.Claim `json:"claims"`
	Records  []audit.Proof `json:"records"`
}

// auditGroup is one line of the answer: claims of one kind, or one part of the files.
type auditGroup struct {
	Name     string          `json:"name"`
	Text     string          `json:"text"`
	Problems []audit.Problem `json:"problems"`
}

func (g *auditGroup) problem(where, means, format string, args ...any) {
	g.Problems = append(g.Problems, audit.Problem{Where: where, What: fmt.Sprintf(format, args...), Means: means})
}

// auditing is an audit under way.
type auditing struct {
	audit.Report
	w    *app.Workspace
	view auditView
}

func (a *auditing) add(g auditGroup) {
	g.Problems = append([]audit.Problem{}, g.Problems...) // none is a list too
	a.view.Groups = append(a.view.Groups, g)
}

func runAudit(ctx context.Context, o *auditOptions, args []string) error {
	w, err := app.FindSession(ctx, o.Host, console.First(args))
	if err != nil {
		return err
	}
	found, err := audit.Session(w.Session, w.SessionOptions(ctx))
	switch {
	case errors.Is(err, sessions.ErrNoJournal):
		return console.UsageError("%v. Look at it: autopilot state show %s", err, shell.QuotePath(w.Rel))
	case err != nil:
		return w.Missing(err)
	}
	if err := w.SameSpec(found.State); err != nil {
		return err
	}
	a := &auditing{Report: found, w: w}
	a.folder()
	a.claims()
	if err := a.commits(ctx); err != nil {
		return err
	}
	if o.rerun {
		if err := a.again(ctx, o); err != nil {
			return err
		}
	}
	return o.tell(a)
}

// folder tells of the files beside the journal.
func (a *auditing) folder() {
	a.add(auditGroup{Name: "journal", Text: machine.Plural(int(a.Events), "entry", "entries") + ", each sealed, each possible after the one before"})
	parts := []auditGroup{
		{Name: audit.PartState, Text: "the state is what the journal leads to"},
		{Name: audit.PartOutputs, Text: machine.Plural(a.Outputs, "file", "files") + " of output, compared with size, hash and exit codes"},
		{Name: audit.PartAttempts, Text: fmt.Sprintf("%s, %s compared", machine.Plural(len(a.Dispatches), "dispatch", "dispatches"), machine.Plural(a.Replies, "reply", "replies"))},
		{Name: audit.PartRecords, Text: "the files that show records and tasks say what the journal says"},
	}
	for _, g := range parts {
		g.Problems = a.Problems[g.Name]
		a.add(g)
	}
}

// claimGroups are the claims by kind, in the words of the answer.
var claimGroups = []struct {
	kind      audit.ClaimKind
	name      string
	one, many string
}{
	{audit.ClaimTask, "tasks", "completed", "completed"},
	{audit.ClaimVerified, "verified", "phase verified", "phases verified"},
	{audit.ClaimReviewed, "reviewed", "phase reviewed", "phases reviewed"},
	{audit.ClaimSkipped, "skipped", "phase left out", "phases left out"},
	{audit.ClaimRedone, "redone", "phase done again", "phases done again"},
	{audit.ClaimDecision, "answers", "question answered", "questions answered"},
	{audit.ClaimDone, "done", "end of the session", "ends of the session"},
}

// claims tells, kind by kind, how what the session says of itself stands by its records.
func (a *auditing) claims() {
	for _, kind := range claimGroups {
		g, n, marked := auditGroup{Name: kind.name}, 0, 0
		for _, c := range a.Claims {
			if c.Kind != kind.kind {
				continue
			}
			n++
			switch c.Standing {
			case audit.Unproven:
				g.problem(fmt.Sprintf("events.jsonl, revision %d", c.Rev), "the session claims what its records do not show", "%s: %s", claimName(c), c.Why)
			case audit.Marked:
				marked++
				a.Said = append(a.Said, claimName(c)+": "+c.Why)
			}
		}
		if g.Text = machine.Plural(n, kind.one, kind.many); marked > 0 {
			g.Text += fmt.Sprintf(", %d of them marked (see below)", marked)
		}
		if n > 0 || kind.kind == audit.ClaimTask {
			a.add(g)
		}
	}
	if s := a.State; s.CurrentState != machine.Done {
		a.Said = append(a.Said, fmt.Sprintf("the session is not finished: it stands in %s. What it has so far was looked at", s.CurrentState))
	}
}

func claimName(c audit.Claim) string {
	switch {
	case c.Kind == audit.ClaimTask && c.Phase == 0:
		return fmt.Sprintf("%s (%s, final review)", c.Task, c.What)
	case c.Kind == audit.ClaimTask:
		return fmt.Sprintf("%s (%s, phase %d)", c.Task, c.What, c.Phase)
	case c.Kind == audit.ClaimCommit:
		return c.What + " commit " + c.Commit[:min(8, len(c.Commit))]
	}
	return c.What
}

// tell prints the answer and makes the exit code.
func (o *auditOptions) tell(a *auditing) error {
	v := &a.view
	v.Session, v.Spec, v.State = a.State.SessionSlug, a.State.SpecPath, a.State.CurrentState
	v.Finished = v.State == machine.Done
	v.Claims, v.Records, v.Said = append([]audit.Claim{}, a.Claims...), append([]audit.Proof{}, a.Proofs...), append([]string{}, a.Said...)
	v.Holds = !slices.ContainsFunc(v.Groups, func(g auditGroup) bool { return len(g.Problems) > 0 })
	if !v.Holds {
		v.ExitCode = 1
	}
	if o.JSON {
		if err := o.Encode(v); err != nil {
			return err
		}
	} else {
		fmt.Fprint(o.Out, auditText(*v, o.OutWidth()))
	}
	return console.Exit(v.ExitCode)
}

// auditText is one line a group, then what is said, then each problem.
func auditText(v auditView, width int) string {
	var b strings.Builder
	line := func(text string, indent int) {
		b.WriteString(console.Wrapped(console.Clean(text), width, indent) + "\n")
	}
	line(fmt.Sprintf("%s, %s", v.Spec, v.State), 0)
	problems := 0
	for _, g := range v.Groups {
		mark := "ok"
		if problems += len(g.Problems); len(g.Problems) > 0 {
			mark = "NO"
		}
		line(fmt.Sprintf("  %s  %-9s %s", mark, g.Name, g.Text), 16)
	}
	for _, text := range v.Said {
		line("  -   "+console.OneLine(text), 6)
	}
	for _, g := range v.Groups {
		for _, p := range g.Problems {
			line(fmt.Sprintf("%s: %s", p.Where, console.OneLine(p.What)), 2)
			line("  "+p.Means, 2)
		}
	}
	if problems == 0 {
		line("Everything holds.", 0)
	} else {
		line(machine.Plural(problems, "thing does", "things do")+" not hold.", 0)
	}
	return b.String()
}
