package diff

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/live"
	"autopilot/sessions/view"
)

type options struct {
	host        *console.Host
	task, phase string
	stat        bool
}

// New is the command.
func New(h *console.Host) *cobra.Command {
	o := &options{host: h}
	c := &cobra.Command{
		Use: "diff [SPEC.md]", Short: "Show what a session changed",
		Long: "Shows the commits of a session, of a phase or of a task as one diff. For a running task it shows the changes so far,\n" +
			"including new files. At a terminal it uses $PAGER.",
		Example: "  autopilot diff docs/spec.md\n  autopilot diff docs/spec.md --phase 2 --stat\n  autopilot diff docs/spec.md --task 3", Args: console.MaySpec,
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), console.First(args)) },
	}
	c.Flags().StringVar(&o.task, "task", "", "show only task `N` of the current phase; instead of N you can write the task's id, such as task-003")
	c.Flags().StringVar(&o.phase, "phase", "", "show only the phase with this `NUMBER` in the spec; with --task, the phase of that task")
	c.Flags().BoolVar(&o.stat, "stat", false, "show only the file names and the number of changed lines")
	return c
}

func (o *options) run(ctx context.Context, spec string) error {
	w, s, err := app.ReadSession(ctx, o.host, spec)
	if err != nil {
		return err
	}
	if err := w.OpenTree(ctx, s); err != nil {
		return err
	}
	d, err := Of(ctx, w, s, o.phase, o.task)
	if err != nil {
		return err
	}
	return d.Show(ctx, o.host, o.stat)
}

// Diff is what lies between pairs of commits of a repository. A second one that is empty is the working tree.
type Diff struct {
	repo  *git.Repo
	spans [][2]string
}

// Of finds the diff of a session, of one of its phases or of a task: "" is all phases, or all tasks.
func Of(ctx context.Context, w *app.Workspace, s machine.State, phase, task string) (*Diff, error) {
	d := &Diff{repo: w.Work}
	if s.StartingCommit == "" || s.Branch == "" {
		return nil, console.UsageError("the session has no branch yet: nothing was changed")
	}
	at := s.CurrentPhase
	if phase != "" {
		if at = slices.IndexFunc(s.Phases, func(p machine.Phase) bool { return strings.EqualFold(p.Number, phase) }); at < 0 {
			return nil, console.UsageError("there is no phase %q: autopilot phases %s lists them", phase, w.Rel)
		}
	}
	if phase == "" && task == "" {
		d.spans = [][2]string{{s.StartingCommit, "refs/heads/" + s.Branch}}
		return d, nil
	}
	id, err := idOf(s, at, task)
	if err != nil {
		return nil, err
	}
	if t, ok := s.Task(id); ok && at == s.CurrentPhase && t.Status == machine.TaskRunning {
		return d, d.soFar(ctx, w, t)
	}
	facts, _, err := w.AllFacts(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, c := range view.Of(facts).Commits {
		if c.Phase == at+1 && (id == "" || c.Task == id) {
			d.spans = append(d.spans, [2]string{c.SHA + "^", c.SHA})
		}
	}
	switch n := len(d.spans); {
	case n == 0:
		return nil, console.UsageError("nothing is committed of %s yet", cmp.Or(id, "phase "+s.PhaseNumber(at)))
	case id == "": // nothing else lies between the commits of a phase
		d.spans = [][2]string{{d.spans[0][0], d.spans[n-1][1]}}
	}
	return d, nil
}

// idOf is the id of a task that is named by its number in its phase, or by its id.
func idOf(s machine.State, phase int, task string) (string, error) {
	n, err := strconv.Atoi(task)
	switch {
	case err != nil:
		return task, nil //nolint:nilerr // it is no number
	case n < 1 || phase == s.CurrentPhase && n > len(s.Tasks) && len(s.Tasks) > 0:
		return "", console.UsageError("there is no task %d: the phase has %s", n, machine.Plural(len(s.Tasks), "task", "tasks"))
	case phase == s.CurrentPhase && n <= len(s.Tasks):
		return s.Tasks[n-1].ID, nil
	}
	return fmt.Sprintf("task-%03d", n), nil
}

// soFar is what a task at work changed since its attempt began, new files too.
func (d *Diff) soFar(ctx context.Context, w *app.Workspace, t machine.Task) (err error) {
	base := t.Base
	if t.Lane != nil {
		base = t.Lane.Base
		d.repo, err = git.Find(ctx, filepath.Join(w.Repo.Root(), filepath.FromSlash(t.Lane.Dir)))
	}
	d.spans = [][2]string{{base, ""}}
	return err
}

// Show prints the diff; where standard output is a terminal, in colours and in the person's pager.
func (d *Diff) Show(ctx context.Context, h *console.Host, stat bool) error {
	text, err := d.Text(ctx, stat)
	if err != nil {
		return err
	}
	if !h.OutTerminal {
		_, err := io.WriteString(h.Out, text)
		return err
	}
	return h.Page(ctx, live.NewLook(h, "auto", nil).Diff(text))
}

// Text is the diff; with stat only how many lines changed in each file.
func (d *Diff) Text(ctx context.Context, stat bool) (string, error) {
	var all strings.Builder
	for _, span := range d.spans {
		text, err := d.between(ctx, span, stat)
		if err != nil {
			return "", err
		}
		all.WriteString(text)
	}
	return console.Clean(all.String()), nil
}

func (d *Diff) between(ctx context.Context, span [2]string, stat bool) (string, error) {
	if stat {
		return d.repo.Tree.DiffStat(ctx, span[0], span[1])
	}
	text, _, err := d.repo.Tree.Diff(ctx, span[0], span[1], 0)
	return text, err
}
