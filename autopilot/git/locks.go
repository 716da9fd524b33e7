package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/plainfile"
)

// locks are the files by which a git commit in this working tree keeps others away.
func (r *runner) locks() []string {
	locks := []string{r.indexPath() + ".lock", filepath.Join(r.gitDir, "HEAD.lock")}
	head, err := plainfile.Read(filepath.Join(r.gitDir, "HEAD"))
	if ref, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: "); err == nil && ok {
		locks = append(locks, filepath.Join(r.commonDir, filepath.FromSlash(ref))+".lock")
	}
	return locks
}

// unlocked is a LockError while somebody holds one of them.
func (r *runner) unlocked() error {
	for _, lock := range held(r.locks()) {
		return &LockError{File: lock}
	}
	return nil
}

// Locks are the lock files of this working tree that are there.
func (r *Repo) Locks() []string { return held(r.locks()) }

// RemoveLocks removes the lock files that came in this working tree since it had some, and returns them: whoever made them has
// ended. One of a git that is at work all the same is gone in a moment.
func (r *Repo) RemoveLocks(ctx context.Context, had []string) (removed []string, err error) {
	_ = r.patiently(context.WithoutCancel(ctx), func() error {
		removed = slices.DeleteFunc(r.Locks(), func(lock string) bool { return slices.Contains(had, lock) })
		if len(removed) > 0 {
			return &LockError{File: removed[0]}
		}
		return nil
	})
	for _, lock := range removed {
		err = errors.Join(err, os.RemoveAll(lock))
	}
	return removed, err
}

// held are those of some lock files that are there.
func held(locks []string) []string {
	return slices.DeleteFunc(locks, func(lock string) bool {
		_, err := os.Lstat(lock)
		return err != nil
	})
}

// endSoon lets a command that is nearly through come to its end before it is asked to: a commit that is torn while git
// moves the branch leaves locks behind, and may or may not be made.
func endSoon(cmd *exec.Cmd) error {
	const grace, look = 500 * time.Millisecond, 5 * time.Millisecond
	for range grace / look {
		if over(cmd) {
			return os.ErrProcessDone
		}
		time.Sleep(look)
	}
	return endGently(cmd)
}

// Unlock removes the locks that a killed git left on a ref of refs/autopilot/ and on those below it, and names these
// refs. Nobody else may write them meanwhile: the caller holds what keeps other runs away. A git that outlived a killed
// program is waited for.
func (r *Refs) Unlock(ctx context.Context, prefix string) ([]string, error) {
	if !strings.HasPrefix(prefix, OwnRefs) {
		return nil, fmt.Errorf("removing locks: %s is not below %s", prefix, OwnRefs)
	}
	var left *LockError
	err := r.patiently(ctx, func() error {
		locks, err := r.locked(prefix)
		if err == nil && len(locks) > 0 {
			return &LockError{File: locks[0]}
		}
		return err
	})
	if !errors.As(err, &left) || ctx.Err() != nil {
		return nil, err
	}
	locks, err := r.locked(prefix)
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

// locked lists the lock files of a ref and of those below it.
func (r *Refs) locked(prefix string) ([]string, error) {
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
