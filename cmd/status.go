package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/closing"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

func newStatus(h *console.Host) *cobra.Command {
	o := &console.Output{Host: h}
	return o.WithJSON("one JSON object", &cobra.Command{
		Use: "status SPEC.md", Short: "Show phases, tasks, the open question and usage of a session",
		Example: "  autopilot status docs/spec.md\n  autopilot status docs/spec.md --json", Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error { return runStatus(c.Context(), o, args[0]) },
	})
}

// statusView is the answer of status --json.
type statusView struct {
	Session     string                `json:"session"`
	Spec        string                `json:"spec"`
	State       machine.Name          `json:"state"`
	Step        machine.StepName      `json:"step"`
	Phase       int                   `json:"phase"` // 1-based
	Phases      []machine.Phase       `json:"phases"`
	Tasks       []machine.Task        `json:"tasks"`
	Gate        *console.GateView     `json:"gate"`
	Findings    machine.Register      `json:"findings"`
	Usage       machine.Usage         `json:"usage"`
	Metrics     machine.MetricsShown  `json:"metrics"`
	TaskMetrics []machine.TaskMetrics `json:"taskMetrics"`       // of all phases so far
	Targets     machine.Targets       `json:"targets"`           // of the rates
	Limited     string                `json:"limited,omitempty"` // by what the last dispatch was stopped
	Waits       bool                  `json:"waits,omitempty"`   // a run waits until that is over, and goes on
	Running     bool                  `json:"running"`           // a run is at work on it now
	FinalReview machine.ReviewedShown `json:"finalReview"`
	ExitCode    int                   `json:"exitCode"`
	Next        string                `json:"next"`
	Rigor       machine.Rigor         `json:"rigor"`
	Branch      string                `json:"branch"`
	StackedOn   string                `json:"stackedOn,omitempty"` // the branch of other work that it began on
	Base        string                `json:"base,omitempty"`      // of such a branch: what its pull request goes into
	Parallel    int                   `json:"parallel"`
	Waves       [][]string            `json:"waves"`  // ids of tasks, as they would run at once
	Flakes      []machine.Flake       `json:"flakes"` // tests that failed now and then, and were not blamed

	footing branches.Footing
	folder  string    // of the session; "": not known
	now     time.Time // of a look at a session that a run is at work on
}

func runStatus(ctx context.Context, o *console.Output, spec string) error {
	w, s, err := app.ReadSession(ctx, o.Host, spec)
	if err != nil {
		return err
	}
	view := viewOf(s)
	if view.footing, err = w.Footing(ctx, s); err != nil {
		return err
	}
	view.StackedOn, view.Base = view.footing.On, view.footing.Into
	limit, waits := overBudget(w, s)
	view.Running, view.folder, view.now = sessions.Held(w.Session), w.Session, o.Now()
	view.TaskMetrics, view.Targets = closing.TaskMetrics(s, w.Session), machine.Target
	switch view.Waits = waits; {
	case view.Running:
		view.Waits = waitsFor(s) != ""
	case limit != nil && !waits && view.ExitCode == 0:
		view.ExitCode = 5
	}
	if o.JSON {
		return o.Encode(view)
	}
	_, err = fmt.Fprint(o.Out, statusText(view, s, o.OutWidth()))
	return err
}

func viewOf(s machine.State) statusView {
	v := statusView{
		Session: s.SessionSlug, Spec: s.SpecPath, State: s.CurrentState, Step: s.Step, Phase: s.CurrentPhase + 1, Phases: s.Phases,
		Tasks: append([]machine.Task{}, s.Tasks...), Usage: s.Usage, Metrics: machine.ShowMetrics(s), Limited: limited(s), FinalReview: s.FinalReviewShown(), Rigor: s.RigorLevel, Branch: s.Branch,
		Next: app.NextCommand(s), Findings: append(machine.Register{}, s.Register...),
	}
	v.Parallel, v.Waves = max(1, s.Parallel), append([][]string{}, machine.Waves(s)...)
	v.Flakes = append([]machine.Flake{}, s.Flakes...)
	if s.Gate != nil {
		v.ExitCode, v.Gate = 3, console.ShownGate(*s.Gate, s.SpecPath)
	}
	return v
}

func statusText(v statusView, s machine.State, width int) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(console.Wrapped(fmt.Sprintf(format, args...), width, 4) + "\n")
	}
	line("%s  %s", console.Clean(v.Spec), console.Clean(s.Spec.Title))
	stacked := ""
	if on := v.footing.String(); on != "" {
		stacked = ", " + console.Clean(on)
	}
	line("%s (%s), rigor %s, branch %s%s", v.State, stepText(v.Step), v.Rigor, cmp.Or(console.Clean(v.Branch), "not recorded"), stacked)
	for i, p := range s.Phases {
		mark := " "
		if i == s.CurrentPhase && s.CurrentState != machine.Done {
			mark = ">"
		}
		fmt.Fprintln(&b, console.Wrapped(phaseLine(mark, p), width, nameColumn))
		for _, t := range tasksOf(s, i, v.folder) {
			b.WriteString(taskLine(t, width))
		}
	}
	if final := s.CurrentState == machine.FinalReview || s.CurrentState == machine.Done; final && len(s.Tasks) > 0 {
		line("  final review")
		for _, t := range s.Tasks {
			b.WriteString(taskLine(t, width))
		}
	}
	if s.Parallel > 1 && len(v.Waves) > 0 {
		line("waves, up to %d at once: %s", s.Parallel, wavesText(v.Waves))
	}
	for _, finding := range s.Register.Open().Lines() {
		line("open: %s", console.Clean(finding))
	}
	for _, flake := range machine.FlakeLines(s) {
		line("flaky, and not blamed: %s", console.Clean(flake))
	}
	running := time.Duration(s.Elapsed * float64(time.Second))
	if v.Running && v.Gate == nil {
		running += max(0, v.now.Sub(s.UpdatedAt))
	}
	line("%s, %s running", journal.UsageWords(s.Usage), words.Elapsed(running))
	if u := s.Usage; u.InputTokens+u.OutputTokens > 0 {
		line("tokens: %d in (%d cached), %d out", u.InputTokens, u.CachedTokens, u.OutputTokens)
	}
	if how := v.Metrics.String(); how != "" {
		line("%s", how)
	}
	for _, t := range v.TaskMetrics {
		if missed := t.Missed(); missed != "" {
			line("beyond a target: %s, %s", phaseOf(s, t.Phase), missed)
		}
	}
	switch {
	case v.Running:
		line("%s", atWorkNow(s, v.now))
	case v.Waits:
		line("stopped by %s; a run waits until then, and goes on", v.Limited)
	case v.Limited != "":
		line("stopped by %s", v.Limited)
	}
	if v.Gate != nil {
		b.WriteString(console.GateText(v.Gate.Gate, width))
	}
	b.WriteString(console.Told("Next: "+console.Clean(v.Next), width) + "\n")
	return b.String()
}

// phaseOf names a phase by its position, counted from 1; 0 is the final review.
func phaseOf(s machine.State, position int) string {
	if position == 0 {
		return "final review"
	}
	return "phase " + console.Clean(s.PhaseNumber(position-1))
}

// laneText says what goes on in a task's working tree of its own.
func laneText(t machine.Task) string {
	switch {
	case t.Lane == nil:
		return ""
	case t.Lane.Step == machine.StepCommit:
		return " (done beside the others, comes next)"
	case t.Lane.Busy():
		return fmt.Sprintf(" (beside the others, %s)", stepText(t.Lane.Step))
	}
	return " (beside the others, waits)"
}

// wavesText writes the waves in a line: "task-001 + task-002, then task-003".
func wavesText(waves [][]string) string {
	var parts []string
	for _, wave := range waves {
		parts = append(parts, strings.Join(wave, " + "))
	}
	return strings.Join(parts, ", then ")
}

func attemptsText(t machine.Task) string {
	text := ""
	if n := len(t.Failures()); n > 0 {
		text = " (" + machine.Plural(n, "failed attempt", "failed attempts") + ")"
	}
	if t.Unproven {
		text += " (unproven)"
	}
	return text
}

// runList shows the open sessions of the repository and how to go on.
func runList(h *console.Host) error {
	repo, err := git.Find(context.Background(), h.Dir)
	if err != nil {
		fmt.Fprintln(h.Out, "autopilot takes a spec through its phases: autopilot docs/spec.md. To see it work: autopilot demo. More: autopilot --help")
		return nil //nolint:nilerr // outside a repository there is nothing to list
	}
	if err := errors.Join(app.PlainHarness(repo.Root()), app.NotOwnTree(repo)); err != nil {
		return err
	}
	all, err := app.WithOlder(h, repo.Root())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	open := 0
	for _, one := range all {
		switch {
		case one.Err != nil:
			fmt.Fprintf(h.Out, "%-40s cannot be read: %s\n", console.Clean(one.Slug), console.Clean(one.Err.Error()))
		case one.State.CurrentState != machine.Done:
			open++
			p := one.State.Phases[one.State.CurrentPhase]
			fmt.Fprintf(h.Out, "%s: %s, phase %s (%d of %d)%s\n    autopilot %s\n", console.Clean(one.State.SpecPath), one.State.CurrentState, console.Clean(p.Number),
				one.State.CurrentPhase+1, len(one.State.Phases), app.OfOlder(one), console.Clean(shell.QuotePath(one.State.SpecPath)))
		}
	}
	if open == 0 {
		fmt.Fprintf(h.Out, "No session is open in %s.\nStart one with a spec: autopilot docs/spec.md. To see it work: autopilot demo. More: autopilot --help\n", console.ShortPath(repo.Root()))
	}
	return nil
}
