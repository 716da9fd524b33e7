package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// AlsoIn lists the paths that others name too, in whatever case: a file system may not tell cases apart, and then the one
// would be written over the other.
func AlsoIn(paths, others []string) []string {
	named := map[string]bool{}
	for _, p := range others {
		named[strings.ToLower(p)] = true
	}
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !named[strings.ToLower(p)] })
}

// caseSetting has git tell names apart by case wherever the file system does. A configuration that was brought from
// another system may say otherwise, and git would then not see a new name beside one that it knows.
func (r *Repo) caseSetting() []string {
	if !r.found {
		return nil
	}
	r.exact.Do(func() {
		_, err := os.Lstat(filepath.Join(r.commonDir, "CoNfIg")) // by this git finds out as well
		r.exactCase = errors.Is(err, fs.ErrNotExist)
	})
	if !r.exactCase {
		return nil
	}
	return []string{"-c", "core.ignorecase=false"}
}
