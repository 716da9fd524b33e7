package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"autopilot/autopilot/branches"
)

// Clone is a worker's own clone of a repository. One step at a time is done in it.
type Clone struct {
	Dir    string // absolute
	folder string // git's own, absolute
	remote string // the hub: an address, or what the clone calls it
	git    git
}

// Open takes up the clone in a folder, or makes it from the hub at an address. Nobody else may use the folder meanwhile: locks that a
// killed git left in it are removed, and objects are packed as git sees fit.
func Open(ctx context.Context, dir, address string, env []string) (*Clone, error) {
	env = withKeepAlive(ctx, os.TempDir(), env)
	c := &Clone{dir, filepath.Join(dir, ".git"), address, git{dir, env}}
	if _, err := os.Stat(filepath.Join(c.folder, "config")); err == nil {
		if err := unlock(c.folder); err != nil {
			return nil, err
		}
		for _, name := range remembered { // nobody prunes the memory here, and a checkout may take it back
			_ = os.Remove(filepath.Join(c.folder, "autopilot-"+name))
		}
		// What no ref names goes at once, since other workers do without it. Young objects that stay would have git collect at each Open.
		_, _ = c.git.run(ctx, "-c", "gc.autoDetach=false", "-c", "gc.pruneExpire=now", "gc", "--auto", "--quiet") // if it fails, the next one may not
		return c, nil
	}
	made := dir + ".new" // a clone that was cut off is none, and links to the files of a hub fail while somebody pushes there
	if err := errors.Join(os.RemoveAll(made), os.RemoveAll(dir), os.MkdirAll(filepath.Dir(dir), 0o700)); err != nil {
		return nil, err
	}
	if _, err := (git{filepath.Dir(dir), env}).run(ctx, "clone", "--quiet", "--no-checkout", "--no-local", "--", address, made); err != nil {
		return nil, fmt.Errorf("cloning the remote: %w", err)
	}
	return c, os.Rename(made, dir)
}

// index is an index file beside git's own.
func (c *Clone) index(name string) string {
	return filepath.Join(c.folder, "autopilot-"+name+".index")
}

// unlock removes the lock files in a git folder. No ref has such a name.
func unlock(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
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

// Reach is an error where the hub at an address cannot be read.
func Reach(ctx context.Context, address string, env []string) error {
	_, err := git{os.TempDir(), withKeepAlive(ctx, os.TempDir(), env)}.run(ctx, "ls-remote", "--quiet", address, "HEAD")
	return err
}

// RepositoryID names a repository by its address, alike for all ways to reach it: host and path, such as github.com/acme/shop.
// Login, password, port and query are no part of it.
func RepositoryID(address string) string {
	id := address
	if _, rest, is := strings.Cut(address, "://"); is {
		id = rest[strings.LastIndex(rest, "@")+1:] // of an address that nothing can parse, a password may have any form
		if u, err := url.Parse(address); err == nil {
			id = strings.ToLower(u.Hostname()) + u.Path
		}
	} else if host, rest, is := strings.Cut(address, ":"); is && !strings.Contains(host, "/") {
		id = strings.ToLower(host[strings.LastIndex(host, "@")+1:]) + "/" + rest // as ssh has it
	}
	return strings.Trim(strings.TrimSuffix(path.Clean("/"+id), ".git"), "/")
}

// WithoutLogin is an address without its login, which may be a token. The user of ssh is none.
func WithoutLogin(address string) string {
	if !strings.Contains(address, "://") {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return RepositoryID(address)
	}
	user := u.User.Username()
	if u.User, u.RawQuery = nil, ""; u.Scheme == "ssh" && user != "" {
		u.User = url.User(user)
	}
	return u.String()
}

// refs is what the names of a session's own refs begin with.
func refs(slug string) string { return "refs/autopilot/" + branches.RefName(slug) + "/" }

// seenRefs is what the names of the clone's copies of these refs begin with, as the hub was last seen.
func seenRefs(slug string) string { return seenRef(refs(slug)) }

// seenRef is the name of the clone's copy of a ref. No slug has a dot.
func seenRef(ref string) string { return strings.Replace(ref, "/autopilot/", "/autopilot/on.hub/", 1) }

// RecordsRef is the ref of a session's folder.
func RecordsRef(slug string) string { return refs(slug) + "records" }

// worksRefs is what the names of the refs of working trees begin with.
func worksRefs(slug string) string { return refs(slug) + "work/" }
