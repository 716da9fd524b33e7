package project

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// goal is what a command is for; each has a list in the profile.
type goal int

const (
	test goal = iota
	lint
	build
)

// command is a command as a finder gives it; "" for source is the manager's manifest.
type command struct {
	goal         goal
	text, source string
}

// commands fills in what tests, lints and builds the project, folder by folder.
func (t *tree) commands(p *Profile) {
	p.TestCommands, p.LintCommands, p.BuildCommands = []Command{}, []Command{}, []Command{}
	lists := map[goal]*[]Command{test: &p.TestCommands, lint: &p.LintCommands, build: &p.BuildCommands}
	add := func(dir, source string, found []command) {
		for _, c := range found {
			one := Command{Command: c.text, Dir: dir, Source: cmp.Or(c.source, source)}
			list := lists[c.goal]
			if !slices.ContainsFunc(*list, func(o Command) bool { return o.Command == one.Command && o.Dir == one.Dir }) {
				*list = append(*list, one)
			}
		}
	}
	for _, m := range p.PackageManagers {
		if of := managerCommands[m.Name]; of != nil {
			add(m.Dir, m.Source, of(t, m))
		}
	}
	add("", "", t.runners())
}

// managerCommands are what a package manager and the files beside its manifest tell.
var managerCommands = map[string]func(*tree, Manager) []command{
	"go": goCommands, "npm": nodeCommands, "pnpm": nodeCommands, "yarn": nodeCommands, "bun": nodeCommands,
	"pip": pythonCommands, "poetry": pythonCommands, "uv": pythonCommands, "pipenv": pythonCommands,
	"cargo": cargoCommands, "bundler": rubyCommands, "composer": phpCommands, "gradle": gradleCommands, "maven": mavenCommands,
	"mix":    fixed(command{test, "mix test", ""}, command{build, "mix compile", ""}),
	"pub":    fixed(command{test, "dart test", ""}, command{lint, "dart analyze", ""}),
	"swift":  fixed(command{test, "swift test", ""}, command{build, "swift build", ""}),
	"dotnet": fixed(command{test, "dotnet test", ""}, command{build, "dotnet build", ""}),
}

func fixed(list ...command) func(*tree, Manager) []command {
	return func(*tree, Manager) []command { return list }
}

func goCommands(t *tree, m Manager) []command {
	found := []command{{test, "go test ./...", ""}, {build, "go build ./...", ""}}
	for _, name := range []string{".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"} {
		if t.has(m.Dir, name) {
			return append(found, command{lint, "golangci-lint run", name})
		}
	}
	return append(found, command{lint, "go vet ./...", ""})
}

// npmDefault is the script that npm init writes where there are no tests.
const npmDefault = "no test specified"

// nodeScripts are the scripts of a package.json that say what they are for.
var nodeScripts = []struct {
	goal goal
	name string
}{{test, "test"}, {lint, "lint"}, {lint, "typecheck"}, {lint, "type-check"}, {build, "build"}}

func nodeCommands(t *tree, m Manager) []command {
	var found []command
	scripts := t.packageJSON(m.Dir).Scripts
	for _, s := range nodeScripts {
		if text := strings.TrimSpace(scripts[s.name]); text != "" && !strings.Contains(text, npmDefault) {
			found = append(found, command{s.goal, m.Name + " run " + s.name, ""})
		}
	}
	return found
}

// pythonTools are tools of Python projects: where they are configured, and how they are called.
var pythonTools = []struct {
	goal   goal
	files  []string // whose being there is enough
	table  string   // of pyproject.toml
	header string   // of setup.cfg
	call   string
}{
	{test, []string{"pytest.ini", "conftest.py"}, "tool.pytest", "tool:pytest", "python3 -m pytest"},
	{lint, []string{"ruff.toml", ".ruff.toml"}, "tool.ruff", "", "ruff check ."},
	{lint, []string{".flake8"}, "", "flake8", "flake8"},
	{lint, []string{"mypy.ini", ".mypy.ini"}, "tool.mypy", "mypy", "mypy ."},
	{lint, []string{"pyrightconfig.json"}, "tool.pyright", "", "pyright"},
}

func pythonCommands(t *tree, m Manager) []command {
	var found []command
	with := map[string]string{"uv": "uv run ", "poetry": "poetry run ", "pipenv": "pipenv run "}[m.Name]
	call := func(text string) string {
		if with != "" {
			text = strings.Replace(text, "python3 ", "python ", 1)
		}
		return with + text
	}
	for _, tool := range pythonTools {
		if source := t.configures(m.Dir, tool.files, tool.table, tool.header); source != "" {
			found = append(found, command{tool.goal, call(tool.call), source})
		}
	}
	if !slices.ContainsFunc(found, func(c command) bool { return c.goal == test }) {
		switch {
		case t.has(m.Dir, "manage.py"):
			found = append(found, command{test, call("python3 manage.py test"), "manage.py"})
		case slices.ContainsFunc(t.paths, func(p string) bool { return inside(m.Dir, p) && pythonTest.MatchString(path.Base(p)) }):
			found = append(found, command{test, call("python3 -m pytest"), ""})
		}
	}
	if hasTable(t.read(m.Dir, "pyproject.toml"), "build-system") && (m.Name == "uv" || m.Name == "poetry") {
		found = append(found, command{build, m.Name + " build", "pyproject.toml"})
	}
	return found
}

var pythonTest = lazyregexp.New(`^(test_.*|.*_test)\.py$`)

// configures is the name of the file in dir that configures a tool, "" where none does.
func (t *tree) configures(dir string, files []string, table, header string) string {
	if p := t.first(dir, files...); p != "" {
		return path.Base(p)
	}
	if table != "" && hasTable(t.read(dir, "pyproject.toml"), table) {
		return "pyproject.toml"
	}
	if header != "" && hasTable(t.read(dir, "setup.cfg"), header) {
		return "setup.cfg"
	}
	return ""
}

func cargoCommands(t *tree, m Manager) []command {
	text, all := t.read(m.Dir, "Cargo.toml"), ""
	if hasTable(text, "workspace") {
		all = " --workspace"
	}
	found := []command{{test, "cargo test" + all, ""}, {build, "cargo build" + all, ""}}
	if t.has(m.Dir, "clippy.toml", ".clippy.toml") || hasTable(text, "lints") || hasTable(text, "workspace.lints") {
		found = append(found, command{lint, "cargo clippy" + all, ""})
	}
	return found
}

func rubyCommands(t *tree, m Manager) []command {
	var found []command
	switch {
	case t.has(m.Dir, ".rspec") || t.any(m.Dir, "_spec.rb"):
		found = append(found, command{test, "bundle exec rspec", ""})
	case t.has(m.Dir, "Rakefile") && t.any(m.Dir, "_test.rb"):
		found = append(found, command{test, "bundle exec rake test", "Rakefile"})
	}
	if t.has(m.Dir, ".rubocop.yml") {
		found = append(found, command{lint, "bundle exec rubocop", ".rubocop.yml"})
	}
	return found
}

func phpCommands(t *tree, m Manager) []command {
	var found []command
	if p := t.first(m.Dir, "phpunit.xml", "phpunit.xml.dist"); p != "" {
		found = append(found, command{test, "vendor/bin/phpunit", path.Base(p)})
	}
	if p := t.first(m.Dir, "phpstan.neon", "phpstan.neon.dist"); p != "" {
		found = append(found, command{lint, "vendor/bin/phpstan analyse", path.Base(p)})
	}
	return found
}

func mavenCommands(t *tree, m Manager) []command {
	mvn := "mvn"
	if t.has(m.Dir, "mvnw") {
		mvn = "./mvnw"
	}
	return []command{{test, mvn + " -B test", ""}, {build, mvn + " -B package -DskipTests", ""}}
}

func gradleCommands(t *tree, m Manager) []command {
	gradle := "gradle"
	if t.has(m.Dir, "gradlew") {
		gradle = "./gradlew"
	}
	return []command{{test, gradle + " test", ""}, {build, gradle + " assemble", ""}}
}
