package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/learnings"
)

type learningsOptions struct {
	console.Output
	dryRun bool
}

// learningsText says on each page what learnings are.
const learningsText = "Learnings are notes that agents leave for later agents; prompts contain the newest. When a session is done, autopilot\n" +
	"copies its learnings to those of the project."

func newLearnings(h *console.Host) *cobra.Command {
	c := &cobra.Command{
		Use: "learnings", Short: "List or prune the learnings of the project or of a session",
		Long:    learningsText,
		Example: "  autopilot learnings list\n  autopilot learnings list docs/spec.md\n  autopilot learnings prune",
	}
	list := &learningsOptions{Output: console.Output{Host: h}}
	show := list.WithJSON("one JSON object", &cobra.Command{
		Use: "list [SPEC.md]", Short: "List the learnings of the project, or of one session, newest first",
		Long:    "Lists the learnings of the project, or of one session, newest first.\n" + learningsText,
		Example: "  autopilot learnings list\n  autopilot learnings list docs/spec.md --json", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runLearningsList(c.Context(), list, args) },
	})
	prune := &learningsOptions{Output: console.Output{Host: h}}
	cut := prune.WithJSON("one JSON object", &cobra.Command{
		Use: "prune [SPEC.md]", Short: fmt.Sprintf("Keep the %d newest and archive the others by month in .harness/archive", learnings.Kept),
		Long:    fmt.Sprintf("Keeps the %d newest and archives the others by month in .harness/archive.\n", learnings.Kept) + learningsText,
		Example: "  autopilot learnings prune\n  autopilot learnings prune docs/spec.md --dry-run", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runLearningsPrune(c.Context(), prune, args) },
	})
	cut.Flags().BoolVar(&prune.dryRun, "dry-run", false, "print what would be archived; write nothing")
	c.AddCommand(show, cut)
	return c
}

// learningsView is the answer of learnings list --json.
type learningsView struct {
	File      string         `json:"file"`
	Learnings []learningView `json:"learnings"`
	Hint      string         `json:"hint,omitempty"`
}

type learningView struct {
	Date    string `json:"date"`
	Skill   string `json:"skill"`
	Outcome string `json:"outcome"`
	Text    string `json:"text"`
}

func runLearningsList(ctx context.Context, o *learningsOptions, args []string) error {
	harness, folder, err := o.folder(ctx, args)
	if err != nil {
		return err
	}
	all, err := learnings.List(folder)
	if err != nil {
		return err
	}
	view := learningsView{File: plainfile.Rel(filepath.Dir(harness), filepath.Join(folder, "learnings.md")), Learnings: []learningView{}}
	for _, l := range all {
		view.Learnings = append(view.Learnings, learningView{l.Date.Format(time.DateOnly), l.Skill, l.Outcome, l.Text})
	}
	if len(all) > learnings.Many {
		view.Hint = fmt.Sprintf("There are %d. To keep the %d newest and archive the rest: %s", len(all), learnings.Kept, pruneCommand(args))
	}
	if o.JSON {
		return o.Encode(view)
	}
	for _, l := range view.Learnings {
		fmt.Fprintf(o.Out, "%s %-11s %s\n", l.Date, console.Clean(l.Outcome), console.Clean(l.Text))
	}
	if len(all) == 0 {
		fmt.Fprintf(o.Out, "Nothing was learned yet: %s has no entry.\n", console.Clean(view.File))
	}
	if view.Hint != "" {
		fmt.Fprintln(o.Err, view.Hint)
	}
	return nil
}

func pruneCommand(args []string) string {
	if len(args) == 0 {
		return "autopilot learnings prune"
	}
	return "autopilot learnings prune " + shell.QuotePath(args[0])
}

func runLearningsPrune(ctx context.Context, o *learningsOptions, args []string) error {
	harness, folder, err := o.folder(ctx, args)
	if err != nil {
		return err
	}
	done, err := learnings.Prune(o.Disk, harness, folder, o.dryRun, o.Now)
	if err != nil {
		return err
	}
	archived := map[string]int{}
	for file, n := range done.Archived {
		archived[plainfile.Rel(filepath.Dir(harness), file)] = n
	}
	done.Archived = archived
	if o.JSON {
		return o.Encode(done)
	}
	for _, file := range slices.Sorted(maps.Keys(archived)) {
		fmt.Fprintf(o.Out, "%d to %s\n", archived[file], file)
	}
	fmt.Fprintf(o.Out, "%d kept%s.\n", done.Kept, map[bool]string{true: "; nothing was written (--dry-run)"}[o.dryRun])
	return nil
}

// folder is where the learnings lie: the project's, or those of a spec's session.
func (o *learningsOptions) folder(ctx context.Context, args []string) (harness, folder string, err error) {
	if len(args) == 0 {
		repo, err := app.UserRepoAt(ctx, o.Dir, git.Find)
		if err != nil {
			return "", "", err
		}
		harness = filepath.Join(repo.Root(), ".harness")
		return harness, harness, nil
	}
	w, err := app.FindSession(ctx, o.Host, args[0])
	if err != nil {
		return "", "", err
	}
	if _, err := os.Stat(w.Session); errors.Is(err, fs.ErrNotExist) {
		return "", "", w.Missing(sessions.ErrNoSession)
	}
	return w.Harness, w.Session, nil
}
