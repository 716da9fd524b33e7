package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// OwnerError says that a file belongs to another user, and that no safe.directory of git's configuration names its folder.
type OwnerError struct{ Path, Folder string }

func (e *OwnerError) Error() string {
	return fmt.Sprintf("%s belongs to another user, so autopilot doesn't use it\nIf you trust that user, run: git config --global --add safe.directory '%s'",
		e.Path, e.Folder)
}

// CheckOwner refuses a folder, or one of its files, that belongs to another user, as git refuses a repository: an *OwnerError.
// A safe.directory of the user's configuration allows the folder, by its path or by that of the repository it lies in.
func CheckOwner(ctx context.Context, folder string, files ...string) error {
	for _, name := range append([]string{""}, files...) {
		path := filepath.Join(folder, name)
		uid, known := ownerOf(path)
		if known && !isOwn(uid, os.Geteuid(), os.Getenv("SUDO_UID")) && !trusted(ctx, folder) {
			return &OwnerError{Path: path, Folder: folder}
		}
	}
	return nil
}

func trusted(ctx context.Context, folder string) bool {
	safe := safeDirectories(ctx)
	if isSafe(safe, folder) {
		return true
	}
	repo, err := Find(ctx, folder)
	return err == nil && isSafe(safe, repo.Root())
}

// isOwn is git's rule: a user trusts their own files; root trusts root's, and those of the user who called sudo.
func isOwn(uid, euid int, sudoUID string) bool {
	if euid == 0 && uid != 0 {
		if caller, err := strconv.ParseUint(sudoUID, 10, 32); err == nil {
			euid = int(caller)
		}
	}
	return uid == euid
}

// safeDirectories are the values of safe.directory that git heeds: a repository's own configuration is not asked.
func safeDirectories(ctx context.Context) (values []string) {
	r := &runner{root: string(filepath.Separator), lockWait: time.Second, patience: patience}
	out, err := r.read(ctx, "config", "--show-scope", "-z", "--get-all", "safe.directory")
	if err != nil { // it has no value, or git cannot read its configuration
		return nil
	}
	for pair := range slices.Chunk(strings.Split(string(out), "\x00"), 2) {
		if len(pair) == 2 && pair[0] != "local" && pair[0] != "worktree" {
			values = append(values, pair[1])
		}
	}
	return values
}

// isSafe says whether values of safe.directory name a folder: by its path, as one below "path/*", or by "*". An empty value
// drops those before it.
func isSafe(values []string, folder string) (safe bool) {
	for _, value := range values {
		if rest, ok := strings.CutPrefix(value, "~/"); ok {
			value = inHome(rest)
		}
		path, below := strings.CutSuffix(value, "/*")
		if real, err := filepath.EvalSymlinks(path); err == nil && filepath.IsAbs(path) {
			path = real
		}
		switch {
		case value == "":
			safe = false
		case value == "*", path == folder && !below, below && strings.HasPrefix(folder, strings.TrimSuffix(path, "/")+"/"):
			safe = true
		}
	}
	return safe
}
