package project

import (
	"path"
	"regexp"
)

// tools are programs that a project uses where they are configured: in the folders of a family of package managers, or
// with "" at the root of any project.
var tools = []struct {
	family string
	goal   goal
	call   string
	files  []string // whose being there is enough
	table  string   // of pyproject.toml
	header string   // of setup.cfg
}{
	{"", test, "tox", []string{"tox.ini"}, "tool.tox", ""},
	{"", test, "nox", []string{"noxfile.py"}, "", ""},
	{"", lint, "pre-commit run --all-files", []string{".pre-commit-config.yaml"}, "", ""},
	{"go", lint, "golangci-lint run", []string{".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"}, "", ""},
	{Python, test, "python3 -m pytest", []string{"pytest.ini", "conftest.py"}, "tool.pytest", "tool:pytest"},
	{Python, lint, "ruff check .", []string{"ruff.toml", ".ruff.toml"}, "tool.ruff", ""},
	{Python, lint, "flake8", []string{".flake8"}, "", "flake8"},
	{Python, lint, "mypy .", []string{"mypy.ini", ".mypy.ini"}, "tool.mypy", "mypy"},
	{Python, lint, "pyright", []string{"pyrightconfig.json"}, "tool.pyright", ""},
	{"bundler", lint, "bundle exec rubocop", []string{".rubocop.yml"}, "", ""},
	{"composer", test, "vendor/bin/phpunit", []string{"phpunit.xml", "phpunit.xml.dist"}, "", ""},
	{"composer", lint, "vendor/bin/phpstan analyse", []string{"phpstan.neon", "phpstan.neon.dist"}, "", ""},
}

// configured are the commands of the tools that are configured in a folder.
func (t *tree) configured(family, dir string) []command {
	var found []command
	for _, tool := range tools {
		if tool.family != family {
			continue
		}
		file := t.first(dir, tool.files...)
		switch {
		case file != "":
			found = append(found, command{tool.goal, tool.call, path.Base(file)})
		case tool.table != "" && has(t.toml(dir, "pyproject.toml"), tool.table):
			found = append(found, command{tool.goal, tool.call, "pyproject.toml"})
		case tool.header != "" && regexp.MustCompile(`(?m)^\s*\[\s*`+tool.header+`\s*\]`).MatchString(t.read(dir, "setup.cfg")):
			found = append(found, command{tool.goal, tool.call, "setup.cfg"})
		}
	}
	return found
}
