package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

type statusOptions struct {
	host *Host

	json bool
}

func newStatus(h *Host) *cobra.Command {
	o := &statusOptions{host: h}
	c := &cobra.Command{
		Use: "status SPEC.md", Short: "Show phases, tasks, the open question and usage of a session",
		Example: "  autopilot status docs/spec.md\n  autopilot status docs/spec.md --json", Args: oneSpec,
		RunE: func(c *cobra.Command, args []string) error { return runStatus(c.Context(), o, args[0]) },
	}
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	return c
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
	Gate        *gateView             `json:"gate"`
	Usage       machine.Usage         `json:"usage"`
	FinalReview machine.FinalReviewed `json:"finalReview"`
	ExitCode    int                   `json:"exitCode"`
	Next        string                `json:"next"`
	Rigor       machine.Rigor         `json:"rigor"`
	Branch      string                `json:"branch"`
}

func runStatus(ctx context.Context, o *statusOptions, spec string) error {
	s, err := readSession(ctx, o.host, spec)
	if err != nil {
		return err
	}
	view := viewOf(s)
	if o.json {
		return json.NewEncoder(o.host.Out).Encode(view)
	}
	_, err = fmt.Fprint(o.host.Out, statusText(view, s, o.host.outWidth()))
	return err
}

func viewOf(s machine.State) statusView {
	v := statusView{
		Session: s.SessionSlug, Spec: s.SpecPath, State: s.CurrentState, Step: s.Step, Phase: s.CurrentPhase + 1, Phases: s.Phases,
		Tasks: s.Tasks, Usage: s.Usage, FinalReview: s.FinalReview, Rigor: s.RigorLevel, Branch: s.Branch,
		ExitCode: endsWith(s), Next: nextCommand(s),
	}
	if v.Tasks == nil {
		v.Tasks = []machine.Task{}
	}
	if s.Gate != nil {
		v.Gate = shownGate(*s.Gate, s.SpecPath)
	}
	return v
}

// endsWith is the exit code that a run without a terminal would end with now, as far as the state tells.
func endsWith(s machine.State) int {
	switch {
	case s.Gate != nil:
		return 3
	case s.LimitedUntil != nil:
		return 5
	}
	return 0
}

// nextCommand is what to type next.
func nextCommand(s machine.State) string {
	switch {
	case s.CurrentState == machine.Done && s.Step == machine.StepClosed:
		return "git log --oneline " + s.StartingCommit[:min(8, len(s.StartingCommit))] + ".." + s.Branch
	case s.Gate != nil && s.Gate.Kind != machine.GatePlanWanted && len(s.Gate.Options) > 0:
		return gateCommands(*s.Gate, s.SpecPath)[s.Gate.Options[0].Name]
	}
	return "autopilot " + quoteArg(s.SpecPath)
}

func statusText(v statusView, s machine.State, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", clean(v.Spec), clean(s.Spec.Title))
	fmt.Fprintf(&b, "%s (%s), rigor %s, branch %s\n", v.State, v.Step, v.Rigor, clean(v.Branch))
	for i, p := range s.Phases {
		mark := " "
		if i == s.CurrentPhase && s.CurrentState != machine.Done {
			mark = ">"
		}
		fmt.Fprintln(&b, wrapped(phaseLine(mark, p), width, nameColumn))
	}
	for _, t := range v.Tasks {
		fmt.Fprintln(&b, wrapped(fmt.Sprintf("    %s %-11s %s", t.ID, t.Status, clean(t.Title)+attemptsText(t)), width, 26))
	}
	fmt.Fprintf(&b, "%s, %d tokens in (%d cached), %d out, %.2f USD, %s running\n", machine.Plural(s.Usage.Dispatches, "dispatch", "dispatches"), s.Usage.InputTokens,
		s.Usage.CachedTokens, s.Usage.OutputTokens, s.Usage.CostUSD, autopilot.Elapsed(seconds(s.Elapsed)))
	if v.Gate != nil {
		b.WriteString(gateText(v.Gate.Gate, width))
	}
	fmt.Fprintf(&b, "Next: %s\n", clean(v.Next))
	return b.String()
}

func attemptsText(t machine.Task) string {
	if n := len(t.Failures()); n > 0 {
		return " (" + machine.Plural(n, "failed attempt", "failed attempts") + ")"
	}
	return ""
}

// runList shows the open sessions of the repository and how to go on.
func runList(h *Host) error {
	repo, err := git.Find(context.Background(), h.Dir)
	if err != nil {
		fmt.Fprintln(h.Out, "autopilot takes a spec through its phases: autopilot docs/spec.md. To see it work: autopilot demo. More: autopilot --help")
		return nil //nolint:nilerr // outside a repository there is nothing to list
	}
	all, err := sessions.List(filepath.Join(repo.Root(), ".harness"), h.sessionOptions())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	open := 0
	for _, one := range all {
		switch {
		case one.Err != nil:
			fmt.Fprintf(h.Out, "%-40s cannot be read: %s\n", clean(one.Slug), clean(one.Err.Error()))
		case one.State.CurrentState != machine.Done:
			open++
			p := one.State.Phases[one.State.CurrentPhase]
			fmt.Fprintf(h.Out, "%s: %s, phase %s (%d of %d)\n    autopilot %s\n", clean(one.State.SpecPath), one.State.CurrentState, clean(p.Number),
				one.State.CurrentPhase+1, len(one.State.Phases), clean(quoteArg(one.State.SpecPath)))
		}
	}
	if open == 0 {
		fmt.Fprintf(h.Out, "No session is open in %s.\nStart one with a spec: autopilot docs/spec.md. To see it work: autopilot demo. More: autopilot --help\n", short(repo.Root()))
	}
	return nil
}

// short writes a path under the home folder with a tilde.
func short(path string) string {
	home, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); err == nil && ok {
		return "~/" + rest
	}
	return path
}
