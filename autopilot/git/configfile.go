package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// ConfigFiles are files of git's configuration, each by itself, and what of git's own files the user lets others change.
type ConfigFiles struct{ *runner }

// Keep says what of git's own files is left when agents or the project's commands change it: keys of the configuration, or paths in
// the git folder, as patterns such as filter.lfs.* or hooks/post-commit.
func (r *ConfigFiles) Keep(patterns []string) { r.keep = patterns }

// Keeps says whether a key or a path is among them. Upper and lower case are not told apart.
func (r *ConfigFiles) Keeps(name string) bool {
	return slices.ContainsFunc(r.keep, func(pattern string) bool {
		fits, err := path.Match(strings.ToLower(pattern), strings.ToLower(name))
		return err == nil && fits
	})
}

// LeaveFiltersOut has git compare files without the filters that the configuration names: who only looks runs none of them.
func (r *ConfigFiles) LeaveFiltersOut(ctx context.Context) error {
	out, err := r.read(ctx, "config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	if err != nil && exitCode(err) != 1 { // 1: there are none
		return err
	}
	for _, key := range split(out, 0) {
		value := ""
		if strings.HasSuffix(key, ".required") {
			value = "false"
		}
		r.besides = append(r.besides, "-c", key+"="+value)
	}
	return nil
}

// ReadKeys returns the values, in order, of each key of a configuration file. It is an error where git cannot read the text.
func (r *ConfigFiles) ReadKeys(ctx context.Context, text []byte) (map[string][]string, error) {
	out, err := r.outside(ctx, text, "config", "--file", "-", "-z", "--no-includes", "--list")
	return keysIn(out), err
}

// OfRepository returns the same of the repository's own configuration, with what it includes.
func (r *ConfigFiles) OfRepository(ctx context.Context) (map[string][]string, error) {
	out, err := r.read(ctx, "config", "--local", "--includes", "-z", "--list")
	return keysIn(out), err
}

// keysIn reads what git config lists.
func keysIn(out []byte) map[string][]string {
	keys := map[string][]string{}
	for _, entry := range split(out, 0) {
		key, value, set := strings.Cut(entry, "\n")
		if !set {
			value = "true"
		}
		keys[key] = append(keys[key], value)
	}
	return keys
}

// SetInFile gives a key of a configuration file other values than it has now.
func (r *ConfigFiles) SetInFile(ctx context.Context, file, key string, now, values []string) error {
	if _, err := os.Lstat(file + lockSuffix); err == nil {
		removeStale(ctx, file+lockSuffix)
	}
	var err error
	if len(now) > 0 {
		_, err = r.outside(ctx, nil, "config", "--file", file, "--unset-all", key)
	}
	for _, value := range values {
		if err == nil {
			_, err = r.outside(ctx, nil, "config", "--file", file, "--add", key, value)
		}
	}
	if err != nil {
		return fmt.Errorf("setting %s in %s: %w", key, file, err)
	}
	return nil
}

// removeStale removes a lock that is still there after a moment: nobody at work holds one of the configuration for longer.
func removeStale(ctx context.Context, lock string) {
	for range 20 {
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
		if _, err := os.Lstat(lock); err != nil {
			return
		}
	}
	_ = os.Remove(lock) // else git says so
}

// outside is a call beside the repository: within it git would read its configuration first, and that may be the one that is
// broken.
func (r *ConfigFiles) outside(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	beside := &runner{root: os.TempDir(), found: true, pinned: r.pinned, lockWait: r.lockWait}
	return beside.write(ctx, stdin, args...)
}

// Works says whether git works with the configuration as it is. Some values it refuses, and then every call.
func (r *ConfigFiles) Works(ctx context.Context) bool {
	_, err := r.read(ctx, "remote", "--verbose")
	_, refused := errors.AsType[*CommandError](err)
	return !refused
}
