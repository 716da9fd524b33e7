package integrity

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

// noise are folders and files that a program makes and nobody writes. A name with
// a slash in it is the end of a folder's path.
var (
	noiseFolders = []string{
		"node_modules", "bower_components", "__pycache__", ".venv", "venv", ".tox", ".nox", ".eggs", ".pytest_cache", ".mypy_cache", ".ruff_cache",
		".hypothesis", ".gradle", ".next", ".nuxt", ".svelte-kit", ".parcel-cache", ".turbo", ".nyc_output", ".cache", "dist", "htmlcov", "DerivedData",
		"target/debug", "target/release", "target/classes", "target/test-classes", "target/surefire-reports", "build/classes", "build/libs", "build/reports",
		"build/test-results", "coverage/lcov-report", "site-packages",
	}
	noiseEnds = []string{
		".pyc", ".pyo", ".o", ".obj", ".a", ".so", ".dylib", ".dll", ".exe", ".class", ".rlib", ".rmeta", ".test", ".prof", ".gcda", ".gcno",
		".egg-info/PKG-INFO", "/.DS_Store", "/Thumbs.db", "/.coverage", "/coverage.out", "/lcov.info", ".tsbuildinfo", ".swp", ".orig", ".rej", "/npm-debug.log",
	}
	// binaries are the first bytes of compiled programs and archives of classes.
	binaries = [][]byte{
		[]byte("\x7fELF"), []byte("MZ\x90"), []byte("\xcf\xfa\xed\xfe"), []byte("\xce\xfa\xed\xfe"), []byte("\xca\xfe\xba\xbe"), []byte("\x00asm"), []byte("!<arch>\n"),
	}
)

// noiseFindings gives one important finding for each generated folder, or file,
// that a change adds and the plan does not name.
func noiseFindings(changes []Change, a Allowed) []Finding {
	var roots []string
	count := map[string]int{}
	for _, c := range changes {
		root := generated(c)
		if root == "" || c.Status != Added || namesWithin(a, root, c.Path) {
			continue
		}
		if count[root] == 0 {
			roots = append(roots, root)
		}
		count[root]++
	}
	var found []Finding
	for _, root := range roots {
		why := "A program makes it again."
		if count[root] > 1 {
			why = fmt.Sprintf("A program makes these %d files again.", count[root])
		}
		found = append(found, Finding{Important, root, 0, "generated files were added", why + " Remove them from the change and add a line to .gitignore."})
	}
	return found
}

// generated gives the generated folder that c lies in, or its own path, or "".
func generated(c Change) string {
	parts := strings.Split(c.Path, "/")
	for i := range parts[:len(parts)-1] {
		two := ""
		if i > 0 {
			two = parts[i-1] + "/" + parts[i]
		}
		if slices.Contains(noiseFolders, parts[i]) || slices.Contains(noiseFolders, two) {
			return strings.Join(parts[:i+1], "/")
		}
	}
	for _, end := range noiseEnds {
		if strings.HasSuffix("/"+c.Path, end) && !strings.Contains(c.Path, "testdata/") {
			return c.Path
		}
	}
	for _, magic := range binaries {
		if bytes.HasPrefix(c.After, magic) {
			return c.Path
		}
	}
	return ""
}

// namesWithin tells whether the plan speaks of a generated folder itself: a glob
// over everything does not.
func namesWithin(a Allowed, root, p string) bool {
	for _, pattern := range append(append(slices.Clone(a.Files), a.Owns...), a.ChangesTests...) {
		if matches(pattern, p) && (strings.Contains(pattern, path.Base(root)) || pattern == p) {
			return true
		}
	}
	return false
}
