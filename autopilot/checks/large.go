package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

const (
	// maxFile is the size of a file, in bytes, above which it is committed unasked only where the plan names it: hosts of
	// repositories warn above 50 MB, and autopilot saves nothing larger under its refs.
	maxFile = git.MaxSavedFile
	// maxFresh is how many new files that no plan names are committed unasked: more are a cache, or what a program made.
	maxFresh = 500
	// shownLarge is how many of them are named.
	shownLarge = 3
)

// Large lists those of some changes that no task of the session names and that are too much to be committed unasked.
func (cs Checks) Large(changes []git.Change) []git.Change {
	return TooMuch(cs.Repo.Root(), changes, cs.Journal.State().Tasks)
}

// TooMuch lists those of some changes that none of the tasks announces and that are too much to be committed unasked: files
// that are too large, and new ones that are too many.
func TooMuch(root string, changes []git.Change, tasks []machine.Task) []git.Change {
	rest := slices.DeleteFunc(slices.Clone(changes), func(c git.Change) bool {
		return c.Status == 'D' || c.Status == 'R' || slices.ContainsFunc(tasks, func(t machine.Task) bool { return t.Announces(c.Path) })
	})
	fresh := 0
	for _, c := range rest {
		if c.Status == 'A' {
			fresh++
		}
	}
	return slices.DeleteFunc(rest, func(c git.Change) bool {
		return (c.Status != 'A' || fresh <= maxFresh) && sizeOf(root, c.Path) <= maxFile
	})
}

func sizeOf(root, path string) int64 {
	info, err := os.Lstat(workspace.InTree(root, path))
	if err != nil {
		return 0
	}
	return info.Size()
}

// LargeOf sums up what TooMuch listed; nil is nothing.
func LargeOf(root string, list []git.Change) *machine.Large {
	if len(list) == 0 {
		return nil
	}
	paths := git.Paths(list)
	id := sha256.Sum256([]byte(strings.Join(paths, "\x00")))
	l := &machine.Large{ID: hex.EncodeToString(id[:8]), Files: paths[:min(len(paths), shownLarge)], Count: len(paths)}
	for _, c := range list {
		l.Size += sizeOf(root, c.Path)
		l.Tracked = l.Tracked || c.Status != 'A'
	}
	return l
}

// AskAgain tells an agent of them.
func AskAgain(l machine.Large) string {
	return fmt.Sprintf("This is too much to be committed unasked, and no task names it: %s. Remove it, or add it to .gitignore.", l)
}
