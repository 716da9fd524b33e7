package git

import (
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
