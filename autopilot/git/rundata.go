package git

import (
	"slices"
	"strings"
)

// submodule is git's mode for another repository inside this one.
const submodule = "160000"

// IsRunData tells whether a path belongs to the runs of the program and not to the project: all of .harness, and
// files named harness-*.json, with what is kept of them (harness-tasks.json.bak), harness-*.txt or .harness-* at the root.
// Such paths never count as dirt, diff, commit or reset, tracked or not.
func IsRunData(path string) bool {
	if path == ".harness" || strings.HasPrefix(path, ".harness/") {
		return true
	}
	if strings.Contains(path, "/") {
		return false
	}
	named := strings.HasPrefix(path, "harness-") && (strings.Contains(path, ".json") || strings.HasSuffix(path, ".txt"))
	return named || strings.HasPrefix(path, ".harness-")
}

// projectOnly are the same rules as git pathspecs, for calls that print diffs. They need call.magic.
var projectOnly = []string{
	"--", ":(top)",
	":(top,exclude,literal).harness",
	":(top,exclude,glob)harness-*.json*",
	":(top,exclude,glob).harness-*",
	":(top,exclude,glob)harness-*.txt",
}

// projectPaths leaves out run data and the empty path.
func projectPaths(paths []string) []string {
	var kept []string
	for _, path := range paths {
		if path != "" && !IsRunData(path) {
			kept = append(kept, path)
		}
	}
	return kept
}

// joined is a list of paths as git reads it with -z.
func joined(paths []string) []byte {
	var b strings.Builder
	for _, path := range paths {
		b.WriteString(path)
		b.WriteByte(0)
	}
	return []byte(b.String())
}

// AlsoIn lists the paths that others name too, in whatever case: a file system may not tell cases apart, and then the one
// would be written over the other.
func AlsoIn(paths, others []string) []string {
	named := map[string]bool{}
	for _, p := range others {
		named[strings.ToLower(p)] = true
	}
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !named[strings.ToLower(p)] })
}
