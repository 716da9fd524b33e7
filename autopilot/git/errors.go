package git

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"autopilot/autopilot/lazyregexp"
)

// NoRepositoryError says that a folder lies in no repository with a working tree, or in one that git refuses.
type NoRepositoryError struct {
	Dir    string
	Reason string // git's own words
	There  string // the .git of the repository that git refuses; "" where there is none
	Gone   string // where There leads, if it is the link of a working tree and nothing is there
}

func (e *NoRepositoryError) Error() string {
	switch {
	case strings.Contains(e.Reason, "safe.directory"):
		return fmt.Sprintf("git does not trust the repository at %s:\n%s", e.Dir, e.Reason)
	case e.There != "":
		return e.refused()
	case strings.Contains(e.Reason, "must be run in a work tree"):
		return fmt.Sprintf("%s is a bare repository (%s)\nGo to one of its working trees, or create one:\n  git worktree add FOLDER", e.Dir, e.Reason)
	}
	why := ""
	if !strings.Contains(e.Reason, "(or any of the parent directories)") { // which says nothing more
		why = " (" + e.Reason + ")"
	}
	return e.Dir + " is not in a git repository" + why + "\nGo to the folder of your project. If it has no repository yet, create one there:\n  git init"
}

// refused never speaks of making a repository: that would commit all that lies there anew.
func (e *NoRepositoryError) refused() string {
	if e.Gone != "" {
		dir := filepath.Dir(e.There)
		return fmt.Sprintf("%s is a working tree of a repository that is gone, %s (%s)\nIf you moved the repository, go to its folder and run:\n  git worktree repair '%s'", dir, e.Gone, e.Reason, dir)
	}
	remedy := "Fix what git reports, in the files HEAD and config there or their permissions, then run the same command again"
	switch {
	case slices.Contains(strings.Split(filepath.ToSlash(e.Dir), "/"), ".git"):
		return fmt.Sprintf("%s is inside git's own folder (%s)\nGo to the folder of your project, and name a file there", e.Dir, e.Reason)
	case strings.Contains(e.Reason, "must be run in a work tree"):
		remedy = "If the files beside it belong to it, run:\n  git config core.bare false"
	}
	return fmt.Sprintf("git can't use the repository %s (%s)\n%s", e.There, e.Reason, remedy)
}

// LineBreakError says that git names the folders of a repository in more lines than there are folders.
type LineBreakError struct{ Dir string }

func (e *LineBreakError) Error() string {
	return fmt.Sprintf("the path of %q has a line break, which autopilot doesn't support\nRename the folder, then run the same command again", e.Dir)
}

// WorktreeElsewhereError says that a repository has its working tree in a folder that is not its own.
type WorktreeElsewhereError struct{ GitDir, Root string }

func (e *WorktreeElsewhereError) Error() string {
	return fmt.Sprintf("the setting core.worktree of %s says that its files are in %s, which autopilot doesn't support\nRemove the setting:\n  git config --unset core.worktree", e.GitDir, e.Root)
}

// NoCommitError says that the repository has no commit yet.
type NoCommitError struct{ Root string }

func (e *NoCommitError) Error() string {
	return fmt.Sprintf("the repository at %s has no commit yet\nMake the first one:\n  git add -A && git commit -m \"Start\"", e.Root)
}

// NoIdentityError says that git does not know whose name to write into a commit.
type NoIdentityError struct{}

func (e *NoIdentityError) Error() string {
	return "git doesn't know your name, which each commit needs\nSet it:\n  git config --global user.name \"Your Name\"\n  git config --global user.email \"you@example.com\""
}

// LockError says that a lock file of git stands in the way: another git runs, or one was killed.
type LockError struct{ File string }

func (e *LockError) Error() string {
	return fmt.Sprintf("git's lock file %s is in the way\nIf no other git command or editor is using this repository, remove it:\n  rm '%s'", e.File, e.File)
}

// NothingToCommitError says that none of the paths differs from HEAD.
type NothingToCommitError struct{}

func (e *NothingToCommitError) Error() string {
	return "nothing to commit: the files match HEAD"
}

// HookError is a hook of the user that refused a commit, or did not end in time. No commit was made.
type HookError struct {
	Hook     string // such as "pre-commit"
	Output   string // what it printed, the end of it where it was long
	TimedOut bool
}

func (e *HookError) Error() string {
	who, what := "the "+e.Hook+" hook", "rejected the commit"
	if e.Hook == "" {
		who = "the commit"
	}
	if e.TimedOut {
		what = "timed out"
	}
	return fmt.Sprintf("%s %s. Its output:\n%s", who, what, e.Output)
}

// AlteredError says that a commit held something else than the working tree did. It was taken back.
type AlteredError struct{ Paths []string }

func (e *AlteredError) Error() string {
	return fmt.Sprintf("git committed something else than what was validated, so the commit was undone: %s\nLook for a filter that changes what is committed:\n  git check-attr -a -- %s", strings.Join(e.Paths, ", "), e.Paths[0])
}

// PathBlockedError says that something stands where a file has to be put back.
type PathBlockedError struct{ Path, By string }

func (e *PathBlockedError) Error() string {
	return fmt.Sprintf("can't restore %q because %q is in the way\nMove it elsewhere, then run the same command again", e.Path, e.By)
}

// KilledError is a git command that something else killed.
type KilledError struct {
	Args  []string // from the command on, without settings
	How   string   // such as "signal: killed"
	Times int      // how often, one after the other
}

func (e *KilledError) Error() string {
	often := ""
	if e.Times > 1 {
		often = fmt.Sprintf(", %d times in a row", e.Times)
	}
	return fmt.Sprintf("git %s was killed (%s)%s, for example because the machine ran out of memory", e.Args[0], e.How, often)
}

// CommandError is a git command that failed.
type CommandError struct {
	Args     []string // from the command on, without settings
	ExitCode int
	Stderr   string
}

func (e *CommandError) Error() string {
	return fmt.Sprintf("git %s: exit code %d: %s", strings.Join(e.Args, " "), e.ExitCode, e.Stderr)
}

// othersWords are lines that git passes on from the other side of a push, or from who signs.
var othersWords = lazyregexp.New(`(?m)^(?:remote|gpg):.*$`)

// Is has git's refusal by the disk count as the one that the program would meet itself, so that both are told alike.
func (e *CommandError) Is(target error) bool {
	said := strings.ToLower(othersWords.ReplaceAllString(e.Stderr, ""))
	switch target {
	case syscall.ENOSPC:
		return strings.Contains(said, "no space left on device") || strings.Contains(said, "out of diskspace")
	case syscall.EDQUOT:
		return strings.Contains(said, "disk quota exceeded")
	case syscall.EIO:
		return strings.Contains(said, "input/output error")
	}
	return false
}

// exitCode is the exit code of a failed git command; 0 without an error, -1 for an error of another kind.
func exitCode(err error) int {
	var failed *CommandError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return failed.ExitCode
	}
	return -1
}

var lockInTheWay = lazyregexp.New(`Unable to create '(.+\.lock)': File exists`)

// MissingObjectError says that the repository is a partial clone without an object that is needed.
type MissingObjectError struct {
	ID     string
	Remote string // that has it
	Cause  error  // why it could not be fetched; nil: commands that only look fetch nothing
}

func (e *MissingObjectError) Error() string {
	cause := ""
	if e.Cause != nil {
		cause = ", and it could not be fetched (" + e.Cause.Error() + ")"
	}
	return fmt.Sprintf("this partial clone lacks the object %s%s\nFetch it, then run the same command again:\n  git %s", e.ID, cause, strings.Join(e.fetch(), " "))
}

// fetch are the arguments that fetch the object and nothing else, also where its commit is there.
func (e *MissingObjectError) fetch() []string {
	return []string{"-c", "fetch.negotiationAlgorithm=noop", "fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", e.Remote, e.ID}
}

// notFetched is what git says of an object that it may not fetch.
var notFetched = lazyregexp.New(`could not fetch ([0-9a-f]{40,64}) from promisor remote`)

// failure turns what git said into the error that callers decide on.
func failure(args []string, code int, stderr string) error {
	if lock := lockInTheWay.FindStringSubmatch(stderr); lock != nil {
		return &LockError{File: lock[1]}
	}
	if missing := notFetched.FindStringSubmatch(stderr); missing != nil {
		return &MissingObjectError{ID: missing[1]}
	}
	return &CommandError{Args: args, ExitCode: code, Stderr: strings.TrimSpace(stderr)}
}
