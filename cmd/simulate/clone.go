package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
)

// ground is where simulations take place: a clone of the user's repository, and a clone of that for each run.
type ground struct {
	dir     string // temporary; holds everything
	environ []string
	rel     string // the spec
}

// newGround clones the repository's last commit into a temporary folder, with the spec as it is now, and puts the
// stand-ins beside it.
func newGround(ctx context.Context, w *app.Workspace, cfg *config.Config) (*ground, error) {
	dir, err := os.MkdirTemp("", "autopilot-simulate-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	g := &ground{dir: dir, rel: w.Rel}
	g.environ = append(console.WithoutConfig(w.Host.Environ), "GIT_CEILING_DIRECTORIES="+dir, "GIT_LFS_SKIP_SMUDGE=1", "GIT_TERMINAL_PROMPT=0")
	if err := g.lay(ctx, w, cfg); err != nil {
		g.remove()
		return nil, fmt.Errorf("making a clone to simulate in: %w", err)
	}
	return g, nil
}

func (g *ground) remove() { _ = os.RemoveAll(g.dir) }

func (g *ground) first() string { return filepath.Join(g.dir, "repository") }

// lay makes the clone that the runs start from.
func (g *ground) lay(ctx context.Context, w *app.Workspace, cfg *config.Config) error {
	if err := g.clone(ctx, w.Repo.Root(), g.first()); err != nil {
		return err
	}
	text, err := os.ReadFile(w.Spec)
	if err != nil {
		return err
	}
	settings, err := json.MarshalIndent(settingsOf(cfg), "", "  ") // JSON is YAML too
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(g.first(), ".harness")); err != nil { // the user's checks are no part of this
		return err
	}
	for name, data := range map[string][]byte{
		g.rel: text, "autopilot.yaml": settings, checkScript: []byte(checkText), standInTest: []byte(testText),
	} {
		if err := app.WriteFile(filepath.Join(g.first(), filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	if err := g.git(ctx, g.first(), "add", "--all", "--force"); err != nil {
		return err
	}
	return g.git(ctx, g.first(), "commit", "--quiet", "--no-verify", "--allow-empty", "-m", "What the simulation begins with")
}

// own are the settings of every clone: nothing of the user's runs in it, and nothing has to outlive the machine.
var own = []string{
	"user.name=Autopilot Simulation", "user.email=simulation@example.com", "commit.gpgsign=false", "core.hooksPath=.git/hooks",
	"core.fsync=none", "gc.auto=0", "maintenance.auto=false", "core.autocrlf=false",
}

// clone makes a clone that reads the other's objects, and writes none there.
func (g *ground) clone(ctx context.Context, from, to string) error {
	args := []string{"clone", "--quiet", "--shared", "--no-tags", "--template="}
	for _, setting := range own {
		args = append(args, "-c", setting)
	}
	return g.git(ctx, g.dir, append(args, "--", from, to)...)
}

func (g *ground) git(ctx context.Context, dir string, args ...string) error {
	if out, err := g.command(ctx, dir, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return nil
}

func (g *ground) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	git := exec.CommandContext(ctx, "git", args...)
	git.Dir, git.Env = dir, g.environ
	return git
}

// blob is a file of a run's repository as a commit has it; "" where it has none.
func (g *ground) blob(ctx context.Context, dir, commit, file string) string {
	text, err := g.command(ctx, dir, "cat-file", "blob", commit+":"+file).Output()
	if err != nil {
		return ""
	}
	return string(text)
}

// scene makes the repository of a run, with a file of the user in it.
func (g *ground) scene(ctx context.Context, name string) (string, error) {
	dir := filepath.Join(g.dir, name)
	if err := g.clone(ctx, g.first(), dir); err != nil {
		return "", err
	}
	return dir, app.WriteFile(filepath.Join(dir, usersFile), []byte(usersText))
}

// settingsOf is the user's configuration as far as it says how a session goes and what it may use. Who plays, and what
// checks the work, is the simulation's.
func settingsOf(cfg *config.Config) map[string]any {
	l := cfg.Limits
	return map[string]any{
		"rigor": cfg.Rigor, "review_plans": cfg.ReviewPlans, "retries": cfg.Retries, "parallel": cfg.Parallel, "pause_every": cfg.PauseEvery,
		"tasks":     map[string]any{"on_failure": cfg.Tasks.OnFailure},
		"learnings": map[string]any{"budget": cfg.Learnings.Budget},
		"validate":  map[string]any{"commands": []string{"sh " + checkScript}},
		"limits": map[string]any{
			"max_dispatches": l.MaxDispatches, "max_duration": l.MaxDuration.String(), "max_cost_usd": l.MaxCostUSD, "max_tokens": l.MaxTokens, "wait": l.Wait,
			"phase": map[string]any{"max_dispatches": l.Phase.MaxDispatches, "max_duration": l.Phase.MaxDuration.String(), "max_cost_usd": l.Phase.MaxCostUSD, "max_tokens": l.Phase.MaxTokens},
			"task":  map[string]any{"max_dispatches": l.Task.MaxDispatches, "max_duration": l.Task.MaxDuration.String(), "max_cost_usd": l.Task.MaxCostUSD, "max_tokens": l.Task.MaxTokens},
		},
	}
}

// saved says whether the user's file holds in a run's repository what it held, or is there with other content and git
// keeps the first under a ref.
func (g *ground) saved(ctx context.Context, dir string) (bool, error) {
	if text := textOf(dir, usersFile); text == usersText || text == "" {
		return text != "", nil
	}
	out, err := g.command(ctx, dir, "for-each-ref", "--format=%(refname)", "refs/autopilot").Output()
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(strings.Fields(string(out)), func(ref string) bool {
		return g.blob(ctx, dir, ref, usersFile) == usersText
	}), nil
}

// committed says whether HEAD holds what a task made: its mark, in each of its files.
func (g *ground) committed(ctx context.Context, dir string, p piece) bool {
	return !slices.ContainsFunc(p.files, func(file string) bool {
		return !strings.Contains(g.blob(ctx, dir, "HEAD", file), p.mark.String())
	})
}
