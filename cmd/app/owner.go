package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
)

// CheckOwner refuses a folder, or one of its files, that belongs to another user, as git refuses a repository. A
// safe.directory of the user's configuration allows the folder, by its path or by that of the repository it lies in.
func CheckOwner(ctx context.Context, h *console.Host, folder string, files ...string) error {
	own := isOwn
	for _, name := range append([]string{""}, files...) {
		path := filepath.Join(folder, name)
		if owner := ownerOf(path); owner != "" && !own(owner, os.Geteuid(), h.Getenv("SUDO_UID")) && !isTrusted(ctx, h, folder) {
			return console.UsageError("%s belongs to another user, so autopilot doesn't use it\nIf you trust that user, run: git config --global --add safe.directory %s",
				path, shell.QuotePath(folder))
		}
		own = isOwnFile
	}
	return nil
}

func isTrusted(ctx context.Context, h *console.Host, folder string) bool {
	safe := safeDirectories(ctx, h)
	if isSafe(safe, h.Getenv("HOME"), folder) {
		return true
	}
	repo, err := git.Find(ctx, folder)
	return err == nil && isSafe(safe, h.Getenv("HOME"), repo.Root())
}

// isOwnFile is isOwn for a file in a folder of one's own: root's is what the user wrote by sudo.
func isOwnFile(owner string, euid int, sudoUID string) bool {
	return owner == "0" || isOwn(owner, euid, sudoUID)
}

// isOwn is git's rule: a user trusts their own files; root trusts root's, and those of the user who called sudo.
func isOwn(owner string, euid int, sudoUID string) bool {
	if euid == 0 && sudoUID != "" && owner == sudoUID {
		return true
	}
	return owner == strconv.Itoa(euid)
}

// safeDirectories are the values of safe.directory that git heeds: a repository's own configuration is not asked.
func safeDirectories(ctx context.Context, h *console.Host) (values []string) {
	out, err := Git(ctx, string(filepath.Separator), h.Environ, "config", "--show-scope", "-z", "--get-all", "safe.directory")
	if err != nil { // it has no value, or git cannot read its configuration
		return nil
	}
	for pair := range slices.Chunk(strings.Split(out, "\x00"), 2) {
		if len(pair) == 2 && pair[0] != "local" && pair[0] != "worktree" {
			values = append(values, pair[1])
		}
	}
	return values
}

// isSafe says whether values of safe.directory name a folder: by its path, as one below "path/*", or by "*". An empty value
// drops those before it.
func isSafe(values []string, home, folder string) (safe bool) {
	for _, value := range values {
		if rest, ok := strings.CutPrefix(value, "~/"); ok {
			value = filepath.Join(home, rest)
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
