package git

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"autopilot/autopilot/plainfile"
)

// patience is how long git may take to answer a question, however large the repository: after that it waits for something
// that does not come.
const patience = 10 * time.Minute

// SilentError says that git did not answer. What it waits for, where that was found, is a path in the working tree.
type SilentError struct {
	Command string
	Waited  time.Duration
	For     string
}

func (e *SilentError) Error() string {
	if e.For != "" {
		return fmt.Sprintf("git %s did not answer within %s: it waits for %s, which is no file. Remove it, then run the same command again", e.Command, e.Waited, e.For)
	}
	return fmt.Sprintf("git %s did not answer within %s. See whether the disk answers, and whether git status does here, then run the same command again", e.Command, e.Waited)
}

// asked are the files in any folder of the working tree that git reads by themselves.
var asked = []string{".gitattributes", ".gitignore"}

// pipeIn is the first of these that is, or leads to, a pipe or a device; "" where there is none.
func pipeIn(root string) string {
	found := ""
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case err == nil && slices.Contains(asked, d.Name()) && plainfile.Waits(path):
			found, _ = filepath.Rel(root, path)
			return fs.SkipAll
		}
		return nil // what cannot be read is no answer
	})
	return filepath.ToSlash(found)
}
