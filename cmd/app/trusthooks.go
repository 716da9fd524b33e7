package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/cmd/console"
)

// Hooks names the active git hooks of a working tree, and their folder.
func Hooks(ctx context.Context, h *console.Host, work *git.Repo) (folder string, names []string) {
	folder, _ = hooksFolder(ctx, h, work)
	files, _ := os.ReadDir(folder) // there need be none
	for _, f := range files {
		info, err := os.Stat(filepath.Join(folder, f.Name()))
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && !strings.Contains(f.Name(), ".") {
			names = append(names, f.Name())
		}
	}
	return folder, names
}

// hooksFolder is where git takes hooks from, and whether the user names that folder for every repository.
func hooksFolder(ctx context.Context, h *console.Host, work *git.Repo) (folder string, users bool) {
	set, err := Git(ctx, work.Root(), h.Environ, "config", "--show-scope", "--type=path", "--get", "core.hooksPath")
	scope, folder, _ := strings.Cut(strings.TrimSuffix(set, "\n"), "\t")
	switch {
	case err != nil || folder == "":
		return filepath.Join(work.CommonDir(), "hooks"), false
	case !filepath.IsAbs(folder):
		return filepath.Join(work.Root(), folder), false
	}
	return folder, scope == "global" || scope == "system"
}

// hookEntries are the active hooks, but for those that lie outside of the repository in the user's own folder.
func hookEntries(ctx context.Context, h *console.Host, root string, work *git.Repo) []TrustEntry {
	folder, users := hooksFolder(ctx, h, work)
	if name := plainfile.RelTo(folder, work.Root(), root, work.CommonDir()); users && !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil
	}
	_, names := Hooks(ctx, h, work)
	var entries []TrustEntry
	for _, name := range names {
		file, when := filepath.Join(folder, name), "at each commit"
		if name == "pre-push" {
			when = "with --pr"
		}
		entries = append(entries, TrustEntry{Kind: TrustHook, What: name, File: plainfile.RelTo(file, work.Root(), root), When: when, Blob: blob(file)})
	}
	return entries
}
