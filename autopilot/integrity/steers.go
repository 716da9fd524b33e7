package integrity

import (
	"path"
	"slices"
	"strings"
)

// steering are files that decide how tests run, beside those of guardedFiles, although no test names them: plugins and
// settings that tools read by themselves, what comes before the standard library, manifests, and tests that may speak for
// all others (TestMain of Go).
var steering = []string{
	"**/{conftest,sitecustomize,usercustomize,pytest,unittest,setup}.py", "**/{pytest,_pytest,unittest}/__init__.py", "**/*.pth", "**/{setup.cfg,pyproject.toml}",
	"**/*_test.go", "**/{go.mod,go.work}", "**/{package.json,.npmrc,.yarnrc,.yarnrc.yml,.taprc}", "**/{babel,vite,rollup,webpack}.config.*",
	"**/{.babelrc,.swcrc}*", "**/tsconfig*.json", "**/{GNUmakefile,Makefile,makefile,justfile,Justfile,Taskfile.y{,a}ml,Rakefile}",
	"**/{Cargo.toml,build.rs}", "**/{pom.xml,build.gradle{,.kts},settings.gradle{,.kts},gradle.properties,.mvn/*}",
}

// passing are files that tools leave beside those, and read no more: reports, and copies of a configuration while it loads.
var passing = []string{"**/{checkstyle,pmd,spotbugs,detekt}*", "**/*.timestamp-*"}

// Steers tells whether tests depend on a file by its name alone. A file that is not committed must not be one of them
// without anybody knowing.
func Steers(p string) bool {
	return (isGuarded(p) || matchesGlobs(steering, p)) && !matchesGlobs(passing, p)
}

// SteersFromWithin is Steers for what lies in a folder that is ignored as a whole. Tools have their own settings in what
// they build there; only what Python reads from anywhere counts.
func SteersFromWithin(p string) bool {
	return slices.Contains([]string{"conftest.py", "sitecustomize.py", "usercustomize.py"}, path.Base(p))
}

// IsMade tells whether a folder of that name is made by a tool, and passed over by those who look for tests: packages
// that were installed, environments, caches, what was built.
func IsMade(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains(noiseFolders, name) ||
		slices.Contains([]string{"build", "out", "target", "vendor", "_darcs"}, name) || strings.HasSuffix(name, ".egg-info") || strings.HasSuffix(name, ".egg")
}
