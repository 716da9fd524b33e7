package validate

import (
	"bufio"
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate/results"
)

// Locate looks for a place that tells of a loss: where a test is defined that is skipped or does not run any more. A
// test that is nowhere has none; then the place is empty.
func Locate(root, dir string, l Loss) (file string, line int) {
	for _, name := range slices.Concat(l.Skipped, l.Gone) {
		if file, line = locate(root, dir, name); line > 0 {
			return file, line
		}
	}
	return "", 0
}

const maxLooked = 3000

// locate goes by the last part of a name, as test files write it.
func locate(root, dir, name string) (found string, line int) {
	wanted := results.Definition(name)
	looked := 0
	_ = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)), func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is not where it is
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && file != root || slices.Contains(crowded, entry.Name())):
			return fs.SkipDir
		case !entry.Type().IsRegular() || !sourceFile.MatchString(entry.Name()):
			return nil
		}
		if looked++; looked > maxLooked {
			return fs.SkipAll
		}
		if line = lineWith(file, wanted); line > 0 {
			rel, _ := filepath.Rel(root, file)
			found = filepath.ToSlash(rel)
			return fs.SkipAll
		}
		return nil
	})
	return found, line
}

// crowded folders hold what others wrote.
var (
	crowded    = []string{"node_modules", "vendor", "target", "dist", "build", "venv", "__pycache__"}
	sourceFile = lazyregexp.New(`\.(go|py|[cm]?[jt]sx?|rs|java|kt|rb)$`)
)

// lineWith is the number of the first line that matches; 0: none.
func lineWith(file string, wanted *lazyregexp.Regexp) int {
	text, err := plainfile.Read(file)
	if err != nil {
		return 0
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		if wanted.Match(lines.Bytes()) {
			return n
		}
	}
	return 0
}
