package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate"
)

// NotReadyError says why a working tree could not be made ready, and what its setup printed: a person's to mend.
type NotReadyError struct{ Err error }

func (e *NotReadyError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *NotReadyError) Unwrap() error { return e.Err }

// IsSetUp says whether a working tree was made ready.
func IsSetUp(tree *git.Repo) bool {
	_, err := os.Stat(readyMark(tree))
	return err == nil
}

// EnsureSetup is Prepare for a working tree that stays, unless it is ready already. It may be done again after it failed, or
// was cut off: what was copied then makes way. What Prepare says is a *NotReadyError.
func EnsureSetup(ctx context.Context, runner validate.Runner, f Setup, from string, tree *git.Repo) ([]Lack, error) {
	if IsSetUp(tree) {
		return nil, nil
	}
	if err := clearCopies(f, tree); err != nil {
		return nil, fmt.Errorf("making the working tree %s ready: %w", tree.Root(), err)
	}
	lacks, err := Prepare(ctx, runner, f, from, tree.Root())
	if err != nil {
		return nil, &NotReadyError{err}
	}
	return lacks, plainfile.WriteIn(tree.CommonDir(), readyMark(tree), nil, plainfile.PrivateFile)
}

// IsReadyFor says whether a clone that several sessions use was made ready for one.
func IsReadyFor(clone *git.Repo, session string) bool {
	text, err := os.ReadFile(sessionMark(clone))
	return err == nil && string(text) == session
}

// MarkReadyFor notes that a clone was made ready for a session.
func MarkReadyFor(clone *git.Repo, session string) error {
	return plainfile.WriteIn(clone.CommonDir(), sessionMark(clone), []byte(session), plainfile.PrivateFile)
}

func sessionMark(clone *git.Repo) string {
	return filepath.Join(clone.GitDir(), "autopilot", "ready-for")
}

func readyMark(tree *git.Repo) string { return filepath.Join(tree.GitDir(), "autopilot", "ready") }

// clearCopies removes what an earlier try copied, and writes down what this one will: paths where nothing is, so that
// nothing else is ever removed.
func clearCopies(f Setup, tree *git.Repo) error {
	root, err := os.OpenRoot(tree.Root())
	if err != nil {
		return err
	}
	defer root.Close()
	list := filepath.Join(tree.GitDir(), "autopilot", "copied")
	if err := removeListed(root, list); err != nil {
		return err
	}
	var copies strings.Builder
	for _, path := range f.Copy {
		if _, err := root.Lstat(filepath.FromSlash(path)); errors.Is(err, fs.ErrNotExist) && !strings.Contains(path, "\n") {
			copies.WriteString(path + "\n")
		}
	}
	return plainfile.WriteIn(tree.CommonDir(), list, []byte(copies.String()), plainfile.PrivateFile)
}

// removeListed removes the paths that a file lists, one a line.
func removeListed(root *os.Root, list string) error {
	text, err := os.ReadFile(list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if err := root.RemoveAll(filepath.FromSlash(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}
