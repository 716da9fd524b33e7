package steering

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
)

// config puts the keys of a configuration file back, but for those that are harmless. A file that is gone, or that git does
// not take any more, is put back as a whole.
func (p *puttingBack) config(ctx context.Context, name, path string, was, now *plainfile.Held) error {
	before, err := p.keysOf(ctx, was)
	if err != nil {
		return nil //nolint:nilerr // it was broken before, and is no affair of a dispatch
	}
	after, err := p.keysOf(ctx, now)
	if err != nil || now == nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return p.file(name, path, was, now)
	}
	left, all := 0, maps.Clone(after)
	maps.Copy(all, before)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		c := keyChange{key: key, before: before[key], now: after[key], all: before, module: strings.HasPrefix(name, "modules/"), clone: was == nil && strings.HasPrefix(name, "modules/")}
		switch {
		case slices.Equal(c.before, c.now), p.news && len(c.now) == 0:
		case p.programs && key == "core.excludesfile":
		case p.files.Repo.Settings.Keeps(key):
			p.allowed = true
			left++
		case c.verdict() == Harmless || p.tracksHooks(ctx, c):
			left++
		default:
			if err := p.key(ctx, name, path, c, now); err != nil {
				return err
			}
		}
	}
	if left == 0 || p.looks || p.files.Repo.Settings.Works(ctx) {
		return nil
	}
	return p.file(name, path, was, now)
}

// key makes the values of one key what they were.
func (p *puttingBack) key(ctx context.Context, name, path string, c keyChange, now *plainfile.Held) error {
	p.changed = append(p.changed, Change{Name: name + " (" + c.key + ")", Kept: c.key, Verdict: c.verdict()})
	if p.looks {
		return nil
	}
	if err := p.kept(name, now); err != nil {
		return err
	}
	return p.files.Repo.Settings.SetInFile(ctx, path, c.key, c.now, c.before)
}

// tracksHooks says whether a new core.hooksPath is a folder of the project's own that was committed already: what
// installs its dependencies sets it so (npm install, with husky).
func (p *puttingBack) tracksHooks(ctx context.Context, c keyChange) bool {
	if c.key != "core.hookspath" || len(c.before) > 0 || len(c.now) != 1 {
		return false
	}
	dir := strings.TrimSuffix(strings.TrimSuffix(c.now[0], "/"), "/_")
	if !filepath.IsLocal(filepath.FromSlash(dir)) || dir == "." {
		return false
	}
	return p.files.Repo.Blobs.Has(ctx, p.head, dir)
}

func (p *puttingBack) keysOf(ctx context.Context, file *plainfile.Held) (map[string][]string, error) {
	if file == nil {
		return nil, nil
	}
	return p.files.Repo.Settings.ReadKeys(ctx, file.Text)
}

// madeByGit are the keys that git itself writes into a repository's configuration.
var madeByGit = lazyregexp.New(`^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|worktree|ignorecase|precomposeunicode|symlinks)|extensions\.objectformat|remote\..+\.(url|fetch))$`)

// Named are the keys by which the repository's own configuration steers git, but for those that git itself writes: what would
// be put back if somebody set them now.
func (f Files) Named(ctx context.Context) ([]string, error) {
	keys, err := f.Repo.Settings.OfRepository(ctx)
	if err != nil {
		return nil, err
	}
	var named []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		c := keyChange{key: key, now: keys[key], all: keys}
		if c.verdict() == Steers && !madeByGit.MatchString(key) {
			named = append(named, key)
		}
	}
	return named, nil
}
