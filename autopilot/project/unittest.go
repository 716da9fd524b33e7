package project

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
)

// namesPytest are the files by which a Python project has pytest where they say its name, or configure it by being there.
var namesPytest = []string{"pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "tox.ini", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements-test.txt", "requirements/dev.txt"}

var importsUnittest = lazyregexp.New(`(?m)^\s*(?:import|from)\s+unittest\b`)

// UnitTests is how Python runs the tests of a folder, behind "python3 ", where they are written with unittest and nothing
// names pytest; "" else.
func UnitTests(folder string) string {
	text := func(name string) string {
		data, _ := plainfile.ReadIn(folder, name) // what cannot be read names nothing
		return string(data)
	}
	files := os.DirFS(folder)
	for _, name := range []string{"pytest.ini", "conftest.py", "tests/conftest.py"} {
		if _, err := fs.Stat(files, name); err == nil {
			return ""
		}
	}
	if slices.ContainsFunc(namesPytest, func(name string) bool { return strings.Contains(text(name), "pytest") }) {
		return ""
	}
	for _, dir := range []string{".", "tests", "test"} {
		found, _ := fs.Glob(files, path.Join(dir, "test*.py")) // the pattern is a valid one
		if slices.ContainsFunc(found, func(name string) bool { return strings.Contains(text(name), "pytest") }) {
			return ""
		}
		if !slices.ContainsFunc(found, func(name string) bool { return importsUnittest.MatchString(text(name)) }) {
			continue
		}
		if _, err := fs.Stat(files, path.Join(dir, "__init__.py")); dir == "." || err == nil {
			return "-m unittest"
		}
		return "-m unittest discover -s " + dir // unittest looks into packages only
	}
	return ""
}
