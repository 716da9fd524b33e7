package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// UnlockRefs removes the locks that a killed git left on a ref of refs/autopilot/ and on those below it, and names these
// refs. Nobody else may write them meanwhile: the caller holds what keeps other runs away. A git that outlived a killed
// program is waited for.
func (r *Repo) UnlockRefs(ctx context.Context, prefix string) ([]string, error) {
	if !strings.HasPrefix(prefix, ownRefs) {
		return nil, fmt.Errorf("removing locks: %s is not below %s", prefix, ownRefs)
	}
	var left *LockError
	err := r.patiently(ctx, func() error {
		locks, err := r.refLocks(prefix)
		if err == nil && len(locks) > 0 {
			return &LockError{File: locks[0]}
		}
		return err
	})
	if !errors.As(err, &left) || ctx.Err() != nil {
		return nil, err
	}
	locks, err := r.refLocks(prefix)
	var refs []string
	for _, lock := range locks {
		if err == nil {
			err = ignoreMissing(os.Remove(lock))
		}
		name, _ := filepath.Rel(r.commonDir, strings.TrimSuffix(lock, lockSuffix))
		refs = append(refs, filepath.ToSlash(name))
	}
	return refs, err
}

// lockSuffix ends the name of a lock file. No ref has such a name.
const lockSuffix = ".lock"

// refLocks lists the lock files of a ref and of those below it.
func (r *Repo) refLocks(prefix string) ([]string, error) {
	place := filepath.Join(r.commonDir, filepath.FromSlash(strings.TrimSuffix(prefix, "/")))
	var locks []string
	if _, err := os.Lstat(place + lockSuffix); err == nil {
		locks = append(locks, place+lockSuffix)
	}
	err := filepath.WalkDir(place, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, lockSuffix) {
			locks = append(locks, path)
		}
		return ignoreMissing(err)
	})
	return locks, err
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
