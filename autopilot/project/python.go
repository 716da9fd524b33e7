package project

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// pythonNamed is the package manager that the files of a folder without a lock file name; "" for none.
func (t *tree) pythonNamed(dir string) string {
	project := t.toml(dir, "pyproject.toml")
	switch {
	case has(project, "tool.poetry"):
		return "poetry"
	case has(project, "tool.uv"):
		return "uv"
	case t.has(dir, "Pipfile"):
		return "pipenv"
	}
	return ""
}

// pip says what is installed into a virtual environment of the project's own; false: a pyproject.toml only configures tools.
func (t *tree) pip(m *Manager) bool {
	project := t.toml(m.Dir, "pyproject.toml")
	var required []string
	for _, name := range []string{"requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements-test.txt", "requirements/dev.txt"} {
		if t.has(m.Dir, name) {
			required = append(required, "-r "+name)
		}
	}
	if t.has(m.Dir, "setup.py") || has(project, "build-system") || has(project, "project") {
		required = append(required, "-e "+shell.QuoteWord("."+extras(project)))
	} else if len(required) > 0 {
		m.Source = strings.TrimPrefix(required[0], "-r ")
	}
	m.Install += " " + strings.Join(required, " ")
	return len(required) > 0
}

// extras are the optional dependencies that tests need, as pip takes them: "[dev,test]".
func extras(project map[string]any) string {
	names := slices.DeleteFunc([]string{"dev", "test", "tests", "testing"}, func(name string) bool {
		return !has(project, "project.optional-dependencies."+name)
	})
	if len(names) == 0 {
		return ""
	}
	return "[" + strings.Join(names, ",") + "]"
}

// toml is what a file of dir holds.
func (t *tree) toml(dir, name string) map[string]any {
	var content map[string]any
	t.decode(dir, name, toml.Unmarshal, &content)
	return content
}

// has says whether there is something under a key of TOML, with dots between its parts.
func has(content map[string]any, key string) bool {
	for part := range strings.SplitSeq(key, ".") {
		value, there := content[part]
		if !there {
			return false
		}
		content, _ = value.(map[string]any)
	}
	return true
}

func pythonCommands(t *tree, m Manager) []command {
	found := t.configured(Python, m.Dir)
	if !slices.ContainsFunc(found, func(c command) bool { return c.goal == test }) {
		switch {
		case t.has(m.Dir, "manage.py"):
			found = append(found, command{test, "python3 manage.py test", "manage.py"})
		case slices.ContainsFunc(t.paths, func(p string) bool { return inside(m.Dir, p) && pythonTest.MatchString(path.Base(p)) }):
			found = append(found, command{test, "python3 " + cmp.Or(UnitTests(filepath.Join(t.root.Name(), m.Dir)), "-m pytest"), ""})
		}
	}
	if run := Known(m.Name).Run; run != "" {
		for i, c := range found {
			found[i].text = run + strings.Replace(c.text, "python3 ", "python ", 1)
		}
	}
	if has(t.toml(m.Dir, "pyproject.toml"), "build-system") && (m.Name == "uv" || m.Name == "poetry") {
		found = append(found, command{build, m.Name + " build", "pyproject.toml"})
	}
	return found
}

var pythonTest = lazyregexp.New(`^(test_.*|.*_test)\.py$`)
