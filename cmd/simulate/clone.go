package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/budget"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
)

// first is the clone that the runs start from.
func (s *Simulation) first() string { return filepath.Join(s.dir, "repository") }

// lay clones the repository's last commit into a temporary folder, with the spec as it is now, and puts the stand-ins
// beside it.
func (s *Simulation) lay(ctx context.Context, w *app.Workspace) error {
	dir, err := os.MkdirTemp("", "autopilot-simulate-")
	if err != nil {
		return err
	}
	if s.dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	s.environ = append(console.WithoutConfig(w.Host.Environ), "GIT_CEILING_DIRECTORIES="+s.dir, "GIT_LFS_SKIP_SMUDGE=1", "GIT_TERMINAL_PROMPT=0")
	if err := s.clone(ctx, w.Repo.Root(), s.first()); err != nil {
		return err
	}
	text, err := os.ReadFile(w.Spec)
	settings, jsonErr := json.MarshalIndent(settingsOf(s.cfg), "", "  ")                // JSON is YAML too
	err = errors.Join(err, jsonErr, os.RemoveAll(filepath.Join(s.first(), ".harness"))) // the user's checks are no part of this
	for name, data := range map[string][]byte{
		s.rel: text, "autopilot.yaml": settings, checkScript: []byte(checkText), standInTest: []byte(testText),
	} {
		if err == nil {
			err = app.WriteFile(filepath.Join(s.first(), filepath.FromSlash(name)), data)
		}
	}
	for _, args := range [][]string{
		{"add", "--all", "--force"}, {"commit", "--quiet", "--no-verify", "--allow-empty", "-m", "What the simulation begins with"},
	} {
		if err == nil {
			_, err = s.git(ctx, s.first(), args...)
		}
	}
	return err
}

// own are the settings of every clone: nothing of the user's runs in it, and nothing has to outlive the machine.
var own = []string{
	"user.name=Autopilot Simulation", "user.email=simulation@example.com", "commit.gpgsign=false", "core.hooksPath=.git/hooks",
	"core.fsync=none", "gc.auto=0", "maintenance.auto=false", "core.autocrlf=false",
}

// clone makes a clone that reads the other's objects, and writes none there.
func (s *Simulation) clone(ctx context.Context, from, to string) error {
	args := []string{"clone", "--quiet", "--shared", "--no-tags", "--template="}
	for _, setting := range own {
		args = append(args, "-c", setting)
	}
	_, err := s.git(ctx, s.dir, append(args, "--", from, to)...)
	return err
}

func (s *Simulation) git(ctx context.Context, dir string, args ...string) (string, error) {
	return app.Git(ctx, dir, s.environ, args...)
}

// scene makes the repository of a run, with a file of the user in it.
func (s *Simulation) scene(ctx context.Context, name string) (string, error) {
	dir := filepath.Join(s.dir, name)
	if err := s.clone(ctx, s.first(), dir); err != nil {
		return "", err
	}
	return dir, app.WriteFile(filepath.Join(dir, usersFile), []byte(usersText))
}

// settingsOf is the user's configuration as far as it says how a session goes and what it may use. Who plays, and what
// checks the work, is the simulation's.
func settingsOf(cfg *config.Config) map[string]any {
	of := func(b budget.Bounds) map[string]any {
		return map[string]any{"max_dispatches": b.Dispatches, "max_duration": b.Duration.String(), "max_cost_usd": b.CostUSD, "max_tokens": b.Tokens}
	}
	most := app.BudgetLimits(cfg.Limits)
	limits := of(most.Session)
	limits["wait"], limits["phase"], limits["task"] = cfg.Limits.Wait, of(most.Phase), of(most.Task)
	return map[string]any{
		"rigor": cfg.Rigor, "review_plans": cfg.ReviewPlans, "retries": cfg.Retries, "parallel": cfg.Parallel, "pause_every": cfg.PauseEvery, "limits": limits,
		"fix":       map[string]any{"auto": cfg.Fix.Auto},
		"verify":    map[string]any{"blind": cfg.Verify.Blind},
		"tasks":     map[string]any{"on_failure": cfg.Tasks.OnFailure},
		"learnings": map[string]any{"budget": cfg.Learnings.Budget},
		"validate":  map[string]any{"commands": []string{"sh " + checkScript}},
	}
}

// blob is a file of a run's repository as a commit has it; "" where it has none.
func (s *Simulation) blob(ctx context.Context, dir, commit, file string) string {
	text, _ := s.git(ctx, dir, "cat-file", "blob", commit+":"+file)
	return text
}

// saved says whether the user's file holds in a run's repository what it held, or is there with other content and git
// keeps the first under a ref.
func (s *Simulation) saved(ctx context.Context, dir string) (bool, error) {
	if text := textOf(dir, usersFile); text == usersText || text == "" {
		return text != "", nil
	}
	refs, err := s.git(ctx, dir, "for-each-ref", "--format=%(refname)", "refs/autopilot")
	return slices.ContainsFunc(strings.Fields(refs), func(ref string) bool { return s.blob(ctx, dir, ref, usersFile) == usersText }), err
}

// committed says whether HEAD holds what a task made: its mark, in each of its files.
func (s *Simulation) committed(ctx context.Context, dir string, p piece) bool {
	return !slices.ContainsFunc(p.files, func(file string) bool {
		return !strings.Contains(s.blob(ctx, dir, "HEAD", file), p.mark.String())
	})
}
