package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// steers are the keys of the configuration by which files are left unseen or are read otherwise than they are, and
// those that name programs or other configuration, and who commits. Those of a push are in pushes. Aliases are none: git
// takes no alias for a command of its own.
var steers = lazyregexp.New(`^(core\.(excludesfile|attributesfile|hookspath|fsmonitor|worktree|bare|sparsecheckout|sparsecheckoutcone|filemode|ignorestat|` +
	`trustctime|checkstat|symlinks|ignorecase|autocrlf|eol)|attr\.tree|filter\..*|include\..*|includeif\..*|diff\.external|diff\..*\.(command|textconv|binary)|` +
	`merge\..*\.driver|gpg\..*|commit\.gpgsign|user\..*|(author|committer)\.(name|email))$`)

// committers are those of the keys that say who commits, as PutBack names them.
var committers = lazyregexp.New(`\((user|author|committer)\.(name|email)\)$`)

// NamesCommitter says whether what PutBack names only says who commits.
func NamesCommitter(changed string) bool { return committers.MatchString(changed) }

// config puts the keys back that steer. A file that is gone, or that git cannot read any more, is
// put back as a whole.
func (p *puttingBack) config(ctx context.Context, path string, was, now *Held) error {
	name := filepath.Base(path)
	before, err := p.files.steeringKeys(ctx, was)
	if err != nil {
		return nil //nolint:nilerr // it was broken before, and is no affair of a dispatch
	}
	after, err := p.files.steeringKeys(ctx, now)
	if err != nil || now == nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.changed = append(p.changed, name)
		if err := p.kept(name, now); err != nil {
			return err
		}
		return p.put(was, path)
	}
	for _, key := range eitherKeys(before, after) {
		if p.programs && key == "core.excludesfile" || slices.Equal(before[key], after[key]) || before[key] == nil && p.tracksHooks(ctx, key, after[key]) || isNewRemote(key, before) {
			continue
		}
		if err := p.kept(name, now); err != nil {
			return err
		}
		if err := p.setConfig(ctx, path, key, before[key], len(after[key]) > 0); err != nil {
			return err
		}
		p.changed = append(p.changed, name+" ("+key+")")
	}
	return nil
}

// setConfig makes the values of a key in a file what they were.
func (p *puttingBack) setConfig(ctx context.Context, path, key string, values []string, there bool) error {
	if p.looks {
		return nil
	}
	if there {
		if _, err := p.files.write(ctx, nil, "config", "--file", path, "--unset-all", key); err != nil {
			return fmt.Errorf("putting %s of git's configuration back: %w", key, err)
		}
	}
	for _, value := range values {
		if _, err := p.files.write(ctx, nil, "config", "--file", path, "--add", key, value); err != nil {
			return fmt.Errorf("putting %s of git's configuration back: %w", key, err)
		}
	}
	return nil
}

// steeringKeys are the values, in order, of the keys that steer. It is an error where git cannot read the file.
func (r *SteeringFiles) steeringKeys(ctx context.Context, file *Held) (map[string][]string, error) {
	keys := map[string][]string{}
	if file == nil {
		return keys, nil
	}
	// Within the repository git would read its configuration first, and that may be the one that is broken.
	outside := &runner{root: os.TempDir(), found: true, pinned: r.pinned}
	out, _, err := outside.run(ctx, call{args: []string{"config", "--file", "-", "-z", "--no-includes", "--list"}, stdin: file.Text})
	if err != nil {
		return nil, err
	}
	for _, entry := range split(out, 0) {
		key, value, set := strings.Cut(entry, "\n")
		if !set {
			value = "true"
		}
		if steers.MatchString(key) || pushes.MatchString(key) {
			keys[key] = append(keys[key], value)
		}
	}
	return keys, nil
}

// tracksHooks says whether a new core.hooksPath is a folder of the project's own that was committed already: what
// installs its dependencies sets it so (npm install, with husky).
func (p *puttingBack) tracksHooks(ctx context.Context, key string, values []string) bool {
	if key != "core.hookspath" || len(values) != 1 {
		return false
	}
	dir := strings.TrimSuffix(strings.TrimSuffix(values[0], "/"), "/_")
	if !filepath.IsLocal(filepath.FromSlash(dir)) || dir == "." {
		return false
	}
	out, err := p.files.read(ctx, "ls-tree", "--name-only", p.head, "--", dir)
	return err == nil && len(out) > 0
}

// isNewRemote says whether a key is of a remote that was not there before. People add one at any time, and nothing is
// pushed there.
func isNewRemote(key string, before map[string][]string) bool {
	end := strings.LastIndexByte(key, '.')
	if !strings.HasPrefix(key, "remote.") || end < len("remote.") || key[:end] == "remote.origin" {
		return false
	}
	for known := range before {
		if strings.HasPrefix(known, key[:end+1]) {
			return false
		}
	}
	return true
}
