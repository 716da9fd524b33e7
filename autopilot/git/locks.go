package git

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// locks are the files by which a git commit in this working tree keeps others away.
func (r *Repo) locks() []string {
	locks := []string{r.indexPath() + ".lock", filepath.Join(r.gitDir, "HEAD.lock")}
	head, err := readPlain(filepath.Join(r.gitDir, "HEAD"))
	if ref, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: "); err == nil && ok {
		locks = append(locks, filepath.Join(r.commonDir, filepath.FromSlash(ref))+".lock")
	}
	return locks
}

// unlocked is a LockError while somebody holds one of them.
func (r *Repo) unlocked() error {
	for _, lock := range r.locks() {
		if _, err := os.Lstat(lock); err == nil {
			return &LockError{File: lock}
		}
	}
	return nil
}

// removeLocks removes what a killed git commit leaves; the lock files were not there before it began.
func (r *Repo) removeLocks(cmd *exec.Cmd) {
	for _, lock := range r.locks() {
		_ = os.Remove(lock)
	}
	if cmd.Process != nil {
		_ = os.Remove(filepath.Join(r.gitDir, fmt.Sprintf("next-index-%d.lock", cmd.Process.Pid)))
	}
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
