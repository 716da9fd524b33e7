package cmd

import (
	"context"
	"strings"

	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

// leavesNothing refuses files that change what a session does, and that git ignores unless they are added by name.
func (r *remote) leavesNothing(ctx context.Context, environ []string) error {
	out, err := app.Git(ctx, r.place.Repo.Root(), environ, "ls-files", "--others", "-z", "--", ".harness/personas/*.md", ".harness/validate.d/*.sh", ".harness/init.sh")
	if err != nil || out == "" {
		return err
	}
	return uncommitted(strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")...)
}

// withoutLFS refuses files in Git LFS: their content is not in git, and workers would not get it to each other.
func (r *remote) withoutLFS(ctx context.Context, environ []string) error {
	out, err := app.Git(ctx, r.place.Repo.Root(), environ, "ls-files", "-z", "--", ":(top,attr:filter=lfs)")
	if file, _, is := strings.Cut(out, "\x00"); is {
		return console.UsageError("%s is in Git LFS, which workers don't carry\n  run the session on this machine: autopilot %s", file, r.spec)
	}
	return err
}

// uncommitted is the error of files that workers don't have.
func uncommitted(files ...string) error {
	add := "git add"
	if strings.HasPrefix(files[0], ".harness/") { // git ignores it
		add += " -f"
	}
	for _, file := range files {
		add += " " + shell.QuotePath(file)
	}
	return console.UsageError("%s isn't committed, and workers read it from the remote\n  %s && git commit && git push", files[0], add)
}
