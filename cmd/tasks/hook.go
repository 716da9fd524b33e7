package tasks

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	harness "autopilot/sessions/hooks"
	"autopilot/sessions/taskfile"
)

// NewHook is the command hook.
func NewHook(h *console.Host) *cobra.Command {
	c := &cobra.Command{
		Use: "hook", Short: "Keep an agent program working through harness-tasks.json, by its hooks",
		Long: "Gives tasks to an agent program that you start yourself, and keeps it working while harness-tasks.json has tasks left.\n" +
			"Each hook reads JSON from standard input and answers at once.\n\n" +
			"autopilot hook install adds the hooks to Claude Code's settings.json. They act in every session of Claude Code in a folder\n" +
			"with a file .harness-active, which autopilot tasks init and tasks run create. When the list is done, .harness-reflect\n" +
			"replaces it, and the agent reviews its work.\n\n" +
			"To turn the hooks off for one session of Claude Code, start it with AUTOPILOT_SESSION_DIR=off. To turn them off in a folder, until\n" +
			"the next tasks init or tasks run:\n\n" +
			"  rm -f .harness-active .harness-reflect",
		Example: "  autopilot hook install --dry-run\n  autopilot hook install\n  HARNESS_WORKER_ID=worker-1 autopilot hook claim </dev/null",
	}
	for _, hook := range harness.All {
		c.AddCommand(&cobra.Command{
			Use: hook.Name, Short: hook.Short, Long: hook.Short + ".\n" + whoRuns(hook.Name), Example: "  autopilot hook " + hook.Name + " <input.json",
			// A wrong use would end with 2, which tells an agent program to go on and on.
			Args: cobra.ArbitraryArgs, FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
			RunE: func(c *cobra.Command, _ []string) error { return runHook(c.Context(), h, hook.Name) },
		})
	}
	c.AddCommand(newHookInstall(h), newHookUninstall(h))
	return c
}

// whoRuns says on the page of a hook who runs it.
func whoRuns(hook string) string {
	if hook == "claim" || hook == "renew" {
		return "Agents and scripts run it. Its input, JSON on standard input, may be left out: </dev/null. docs/hooks.md describes it."
	}
	return "Claude Code runs it, with its event as JSON on standard input; you rarely run it yourself."
}

// runHook answers a hook. Whatever goes wrong, the agent program goes on as if there were no hook.
func runHook(ctx context.Context, h *console.Host, name string) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			fmt.Fprintf(h.Err, "HARNESS: WARN: autopilot hook %s is broken (%v); it says nothing this time. Please report it.\n", name, broken)
			err = nil
		}
	}()
	var refused error
	host := &harness.Hooks{
		Getenv: h.Getenv, Now: h.Now, Dir: h.Dir, Temp: tempFolder(h), Process: harness.Process(hostname(), os.Getpid()),
		Find: func(dir string) (string, bool) {
			root, ok := taskfile.Find(h.Getenv, h.Path(dir))
			if !ok {
				return "", false
			}
			if refused = app.CheckOwner(ctx, h, root, taskfile.FileName); refused != nil {
				return "", false
			}
			return root, true
		},
		Open: func(root string) harness.Store { return tasksAt(h, root).store },
		Base: func(ctx context.Context) string { return headOf(ctx, h.Dir) },
	}
	answer := host.Run(ctx, name, h.In)
	if refused != nil {
		answer.Err += "HARNESS: WARN: " + strings.ReplaceAll(refused.Error(), "\n", ". ") + "\n"
	}
	_, _ = io.WriteString(h.Out, answer.Out) // nobody who went away can be told
	_, _ = io.WriteString(h.Err, console.Clean(answer.Err))
	return console.Exit(answer.Code)
}

// tempFolder is where files for a short while lie: that of the host's environment, or of the system.
func tempFolder(h *console.Host) string {
	if dir := h.Getenv("TMPDIR"); filepath.IsAbs(dir) {
		return dir
	}
	return os.TempDir()
}

// headOf is the commit that a folder stands at; "" where it belongs to no repository, or to one without a commit.
func headOf(ctx context.Context, dir string) string {
	repo, err := git.Find(ctx, dir)
	if err != nil {
		return ""
	}
	at, err := repo.Position(ctx)
	if err != nil {
		return ""
	}
	return at.Head
}
