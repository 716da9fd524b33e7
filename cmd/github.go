package cmd

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/pullrequest"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/undo"
)

// github makes pull requests with gh, in the working tree of the session.
type github struct {
	host *console.Host
	repo *git.Repo
}

// forgeOf is github in the working tree of whichever session is meant.
func forgeOf(h *console.Host) undo.Forge {
	return func(w *app.Workspace) pullrequest.Forge { return github{h, w.Work} }
}

// Open finds the open pull request of a branch.
func (g github) Open(ctx context.Context, branch string) (string, error) {
	return g.run(ctx, "gh", "pr", "list", "--head", branch, "--state", "open", "--limit", "1", "--json", "url", "--jq", ".[].url")
}

// MergedAt asks which commits the merged pull requests of a branch ended in.
func (g github) MergedAt(ctx context.Context, branch string) ([]string, error) {
	out, err := g.run(ctx, "gh", "pr", "list", "--head", branch, "--state", "merged", "--json", "headRefOid", "--jq", ".[].headRefOid")
	return strings.Fields(out), err
}

// ready asks whether gh can be used in this repository: it is there, logged in, and knows the remote.
func (g github) ready(ctx context.Context) error {
	_, err := g.run(ctx, "gh", "pr", "list", "--limit", "1", "--json", "url")
	return err
}

// Create pushes the branch and makes its pull request.
func (g github) Create(ctx context.Context, branch, base, title, body string) (string, error) {
	if _, err := g.run(ctx, "git", "push", "--quiet", "--set-upstream", "origin", "refs/heads/"+branch+":refs/heads/"+branch); err != nil {
		return "", err
	}
	args := []string{"pr", "create", "--head", branch, "--title", title, "--body", body}
	if base != "" {
		args = append(args, "--base", base)
	}
	return g.run(ctx, "gh", args...)
}

// run runs a program that must never ask, and returns what it printed. It may push, so that git has to be configured as when
// the run began.
func (g github) run(ctx context.Context, program string, args ...string) (string, error) {
	if _, err := exec.LookPath("gh"); err != nil {
		return "", pullrequest.ErrNoForge
	}
	if err := g.repo.Config.SameRemote(ctx); err != nil {
		return "", err
	}
	pinned, err := g.repo.Environment()
	if err != nil {
		return "", err
	}
	var out, errs bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.Stdout, c.Stderr = g.repo.Root(), &out, &errs
	c.Env = append(slices.Concat(g.host.Environ, pinned), "GIT_TERMINAL_PROMPT=0", "GH_PROMPT_DISABLED=1", "NO_COLOR=1")
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", program, args[0], err, strings.TrimSpace(errs.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
