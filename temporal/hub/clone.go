package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"autopilot/autopilot/branches"
)

// Clone is a worker's own clone of a repository. One step at a time is done in it.
type Clone struct {
	Dir string // absolute
	git git
}

// Open takes up the clone in a folder, or makes it from the hub at a URL.
func Open(ctx context.Context, dir, url string, env []string) (*Clone, error) {
	c := &Clone{dir, git{dir, env}}
	if _, err := os.Stat(filepath.Join(dir, ".git", "config")); err == nil {
		if err := c.unlock(); err != nil {
			return nil, err
		}
		_, err := c.git.run(ctx, "remote", "set-url", "origin", url)
		return c, err
	}
	made := dir + ".new" // a clone that was cut off is none
	if err := errors.Join(os.RemoveAll(made), os.RemoveAll(dir), os.MkdirAll(filepath.Dir(dir), 0o700)); err != nil {
		return nil, err
	}
	if _, err := (git{filepath.Dir(dir), env}).run(ctx, "clone", "--quiet", "--no-checkout", url, made); err != nil {
		return nil, fmt.Errorf("cloning the hub: %w", err)
	}
	return c, os.Rename(made, dir)
}

// unlock removes the lock files of a git that was killed: nobody else is at work in the clone.
func (c *Clone) unlock() error {
	return filepath.WalkDir(filepath.Join(c.Dir, ".git"), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "objects":
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".lock"):
			return os.Remove(name)
		}
		return nil
	})
}

// RepositoryID names a repository by its URL, alike for all ways to reach it: host and path, such as github.com/acme/shop.
func RepositoryID(url string) string {
	id := url
	if scheme, rest, is := strings.Cut(id, "://"); is && scheme != "" {
		id = rest
	} else if host, rest, is := strings.Cut(id, ":"); is && !strings.Contains(host, "/") {
		id = host + "/" + rest // as ssh has it
	}
	if login, rest, is := strings.Cut(id, "@"); is && !strings.Contains(login, "/") {
		id = rest
	}
	return strings.Trim(strings.TrimSuffix(path.Clean(id), ".git"), "/")
}

// refs is what the names of a session's own refs begin with.
func refs(slug string) string { return "refs/autopilot/" + branches.RefName(slug) + "/" }

// RecordsRef is the ref of a session's folder.
func RecordsRef(slug string) string { return refs(slug) + "records" }

// worksRefs is what the names of the refs of working trees begin with.
func worksRefs(slug string) string { return refs(slug) + "work/" }
