package tasks

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
)

type hookSettings struct {
	host       *console.Host
	executable func() (string, error) // where the running program lies

	project, user, dryRun bool
}

func newHookInstall(h *console.Host) *cobra.Command {
	return newHookSettings(h, runHookInstall, &cobra.Command{
		Use: "install", Short: "Add the hooks to Claude Code's settings.json",
		Long: "Adds the hooks to the settings that Claude Code reads when it starts. The rest of the file doesn't change, and installing\n" +
			"twice adds nothing. The hooks act once autopilot tasks init has made a task file and .harness-active.",
		Example: "  autopilot hook install --dry-run\n  autopilot hook install\n  autopilot hook install --user",
	})
}

func newHookUninstall(h *console.Host) *cobra.Command {
	return newHookSettings(h, runHookUninstall, &cobra.Command{
		Use: "uninstall", Short: "Remove the hooks from Claude Code's settings.json",
		Long:    "Removes what autopilot hook install added. The rest of the file doesn't change.",
		Example: "  autopilot hook uninstall\n  autopilot hook uninstall --user --dry-run",
	})
}

func newHookSettings(h *console.Host, run func(context.Context, *hookSettings) error, c *cobra.Command) *cobra.Command {
	o := &hookSettings{host: h, executable: os.Executable}
	c.Args, c.RunE = cobra.NoArgs, func(c *cobra.Command, _ []string) error { return run(c.Context(), o) }
	c.Flags().BoolVar(&o.project, "project", false, "the settings of this project, .claude/settings.json (the default)")
	c.Flags().BoolVar(&o.user, "user", false, "your own settings, ~/.claude/settings.json")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "print what would change; write nothing")
	return c
}

func runHookInstall(ctx context.Context, o *hookSettings) error {
	program, err := o.program()
	if err != nil {
		return err
	}
	return o.edit(ctx, "The hooks are there already", func(s settingsText) []string { return s.install(program) })
}

func runHookUninstall(ctx context.Context, o *hookSettings) error {
	program, _ := o.program() // one that cannot be found has only the hooks that its usual name tells
	return o.edit(ctx, "There are no hooks of autopilot", func(s settingsText) []string { return s.uninstall(program) })
}

// edit changes the settings by a function that says what it did.
func (o *hookSettings) edit(ctx context.Context, nothing string, change func(settingsText) []string) error {
	file, err := o.file(ctx)
	if err != nil {
		return err
	}
	was, err := readSettings(file)
	if err != nil {
		return err
	}
	s, err := parseSettings(was)
	if err != nil {
		return console.UsageError("%s: %v; fix it, then run the same command again", file, err)
	}
	done := change(s)
	if len(done) == 0 {
		return o.host.Say("%s in %s.", nothing, file)
	}
	for _, what := range done {
		if err := o.host.Say("%s", what); err != nil {
			return err
		}
	}
	if o.dryRun {
		return o.host.Say("%s was not changed (--dry-run).", file)
	}
	if err := writeSettings(file, was, s.root.Bytes()); err != nil {
		return err
	}
	return o.host.Say("Wrote %s. Claude Code reads it when a session starts.", file)
}

// file is the settings file that is meant: that of the repository (or of the folder, where there is none), or the user's.
func (o *hookSettings) file(ctx context.Context) (string, error) {
	if o.user && o.project {
		return "", console.UsageError("--project and --user name two files: autopilot hook install --user")
	}
	if !o.user {
		dir := o.host.Dir
		if repo, err := git.Find(ctx, dir); err == nil {
			dir = repo.Root()
		}
		return filepath.Join(dir, ".claude", "settings.json"), nil
	}
	if dir := o.host.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Join(o.host.Path(dir), "settings.json"), nil
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := o.host.Getenv(name); home != "" {
			return filepath.Join(home, ".claude", "settings.json"), nil
		}
	}
	return "", console.UsageError("the environment names no home: set HOME, or use autopilot hook install --project")
}

// program is how the settings name this program, for sh: by its name alone where PATH leads to it.
func (o *hookSettings) program() (string, error) {
	self, err := o.executable()
	if err != nil {
		return "", fmt.Errorf("finding the path of the running program: %w", err)
	}
	is, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(o.host.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		found, err := exec.LookPath(filepath.Join(dir, "autopilot"))
		if err != nil {
			continue
		}
		if there, err := os.Stat(found); err == nil && os.SameFile(is, there) {
			return "autopilot", nil
		}
		break // another one comes first
	}
	return shell.QuotePath(self), nil
}

// isOwnCommand says that a shell command is what install writes for a hook: for this program, whatever it is called, or for
// an autopilot anywhere.
func isOwnCommand(command, program, hook string) bool {
	return program != "" && command == program+" hook "+hook || isHookCommand(command, hook)
}

// isHookCommand says that a shell command runs a hook of autopilot and nothing else, wherever the program lies.
func isHookCommand(command, hook string) bool {
	program, ok := strings.CutSuffix(strings.TrimSpace(command), " hook "+hook)
	if !ok {
		return false
	}
	program = strings.Trim(strings.ReplaceAll(program, `'\''`, ""), `'"`)
	name := program[strings.LastIndexAny(program, `/\`)+1:]
	plain := !strings.ContainsAny(name, " \t;&|<>()$`'\"")
	return plain && strings.HasPrefix(strings.ToLower(name), "autopilot")
}
