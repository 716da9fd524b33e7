package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
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
		Use: "diff SPEC.md", Short: "Show what a session changed, by git diff",
		Long: "Shows the commits of a session as one diff, or those of a phase or a task. For a task at work it is what it changed so far, " +
			"new files too. Colours and pager are git's.",
		Example: "  autopilot diff docs/spec.md\n  autopilot diff docs/spec.md --phase 2 --stat\n  autopilot diff docs/spec.md --task 3", Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
	c.Flags().StringVar(&o.task, "task", "", "only task `N` of the phase, or the task with this id")
	c.Flags().StringVar(&o.phase, "phase", "", "only phase `N`, as the spec numbers it; with --task, the phase of that task")
	c.Flags().BoolVar(&o.stat, "stat", false, "only the names of files, and how many lines changed")
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
	v, err := Of(ctx, w, s, o.phase, o.task)
	if err != nil {
		return err
	}
	defer v.Close()
	return v.Show(ctx, o.host, o.stat)
}

// View is a diff that git can show.
type View struct {
	dir   string   // where git runs
	args  []string // of git, without options of how it is shown
	index string   // in place of the tree's own; "": that
}

// Of finds the diff of a session, of one of its phases or of a task: "" is all phases, or all tasks.
func Of(ctx context.Context, w *app.Workspace, s machine.State, phase, task string) (*View, error) {
	v := &View{dir: w.Work.Root()}
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
		v.args = []string{"diff", s.StartingCommit, "refs/heads/" + s.Branch}
		return v, nil
	}
	id, err := idOf(s, at, task)
	if err != nil {
		return nil, err
	}
	if t, ok := s.Task(id); ok && at == s.CurrentPhase && t.Status == machine.TaskRunning {
		return v, v.soFar(ctx, w, t)
	}
	commits, err := v.commits(ctx, s, at, id)
	switch {
	case err != nil:
		return nil, err
	case len(commits) == 0:
		return nil, console.UsageError("nothing is committed of %s yet", cmp.Or(id, "phase "+s.PhaseNumber(at)))
	case id == "":
		v.args = []string{"diff", commits[0] + "^", commits[len(commits)-1]}
	default:
		v.args = append([]string{"show"}, commits...)
	}
	return v, nil
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

// commits are those of a phase, or of one of its tasks, oldest first.
func (v *View) commits(ctx context.Context, s machine.State, phase int, task string) ([]string, error) {
	c := exec.CommandContext(ctx, "git", "log", "--reverse", "--no-show-signature",
		"--format=%H%x00%(trailers:key=Autopilot-Phase,valueonly,separator=)%x00%(trailers:key=Autopilot-Task,valueonly,separator=)",
		s.StartingCommit+"..refs/heads/"+s.Branch)
	c.Dir = v.dir
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the commits of %s: %w", s.Branch, err)
	}
	var commits []string
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "\x00")
		if len(part) == 3 && part[1] == strconv.Itoa(phase+1) && (task == "" || part[2] == task) {
			commits = append(commits, part[0])
		}
	}
	return commits, nil
}

// soFar is what a task at work changed since its attempt began. New files are shown by an index of their own.
func (v *View) soFar(ctx context.Context, w *app.Workspace, t machine.Task) error {
	base := t.Base
	if t.Lane != nil {
		if v.dir, base = filepath.FromSlash(t.Lane.Dir), t.Lane.Base; !filepath.IsAbs(v.dir) {
			v.dir = filepath.Join(w.Repo.Root(), v.dir)
		}
	}
	folder, err := os.MkdirTemp("", "autopilot-diff-")
	if err != nil {
		return err
	}
	v.index = filepath.Join(folder, "index")
	v.args = []string{"diff", base, "--"}
	for _, args := range [][]string{{"read-tree", base}, {"add", "--intent-to-add", "--", "."}} {
		if said, err := v.git(ctx, w.Host, args...).CombinedOutput(); err != nil {
			return errors.Join(fmt.Errorf("git %s: %w: %s", args[0], err, said), v.Close())
		}
	}
	return nil
}

// git runs no program that the repository's configuration names to read or compare files.
func (v *View) git(ctx context.Context, h *console.Host, args ...string) *exec.Cmd {
	c := exec.CommandContext(context.WithoutCancel(ctx), "git", append([]string{"-c", "core.fsmonitor=false"}, args...)...) // a pager takes Ctrl-C by itself
	c.Dir, c.Env = v.dir, slices.Clone(h.Environ)
	if v.index != "" {
		c.Env = append(c.Env, "GIT_INDEX_FILE="+v.index)
	}
	return c
}

// Show prints the diff as git does, and pages it where standard output is a terminal.
func (v *View) Show(ctx context.Context, h *console.Host, stat bool) error {
	args := []string{v.args[0], "--no-ext-diff", "--no-textconv"}
	if stat {
		args = append(args, "--stat")
	}
	c := v.git(ctx, h, append(args, v.args[1:]...)...)
	c.Stdin, c.Stdout, c.Stderr = h.In, console.Unguarded(h.Out), console.Unguarded(h.Err)
	if err := c.Run(); err != nil {
		return fmt.Errorf("git %s: %w", v.args[0], err)
	}
	return nil
}

// Close removes what showing it needed.
func (v *View) Close() error {
	if v.index == "" {
		return nil
	}
	return os.RemoveAll(filepath.Dir(v.index))
}
