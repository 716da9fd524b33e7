package project

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// manifests says which file announces a package manager, and how its packages are installed. Where several rows speak
// of one language, the first that fits a folder has it.
var manifests = []manifest{
	{file: "go.mod", name: "go", locks: []string{"go.sum"}, install: "[ -d vendor ] || go mod download"},
	{file: "package.json", choose: nodeManager},
	{file: "pyproject.toml", choose: pythonManager},
	{file: "Pipfile", choose: pythonManager},
	{file: "requirements.txt", choose: pythonManager},
	{file: "setup.py", choose: pythonManager},
	{file: "Cargo.toml", name: "cargo", locks: []string{"Cargo.lock"}, install: "cargo fetch", locked: "cargo fetch --locked"},
	{file: "Gemfile", name: "bundler", locks: []string{"Gemfile.lock"}, install: "bundle check || bundle install"},
	{file: "composer.json", name: "composer", locks: []string{"composer.lock"}, install: "composer install --no-interaction", installed: "vendor"},
	{file: "mix.exs", name: "mix", locks: []string{"mix.lock"}, install: "mix deps.get"},
	{file: "pubspec.yaml", name: "pub", locks: []string{"pubspec.lock"}, install: "dart pub get"},
	{file: "Package.swift", name: "swift", locks: []string{"Package.resolved"}, install: "swift package resolve"},
	{file: "*.sln", name: "dotnet", install: "dotnet restore"},
	{file: "*.csproj", name: "dotnet", install: "dotnet restore"},
	// These fetch what they need as they build, and have no command of their own for it that fits every project.
	{file: "pom.xml", name: "maven"},
	{file: "build.gradle", name: "gradle"},
	{file: "build.gradle.kts", name: "gradle"},
}

type manifest struct {
	file            string // a name, or a pattern of names
	name            string
	locks           []string
	install, locked string // with and without a lock file; locked "" is the same command
	installed       string
	choose          func(t *tree, dir string) Manager // instead of all that, where the files decide; the zero Manager is none
}

// families are the managers that exclude each other in one folder.
var families = map[string]string{
	"npm": "node", "pnpm": "node", "yarn": "node", "bun": "node", "pip": "python", "poetry": "python", "uv": "python", "pipenv": "python",
}

// managers finds the package managers of each folder. A folder below one of the same family has none of its own, unless
// it has a lock file: it is a member of that workspace, or an example.
func (t *tree) managers() []Manager {
	var all []Manager
	for _, m := range manifests {
		for _, dir := range t.dirs(m.file) {
			if one := m.in(t, dir); one.Name != "" && !aside(dir) {
				all = append(all, one)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Manager) int { return strings.Compare(a.Dir, b.Dir) })
	found := []Manager{}
	for _, one := range all {
		if !slices.ContainsFunc(found, func(other Manager) bool { return covers(other, one) }) {
			found = append(found, one)
		}
	}
	return found
}

// covers says whether what is installed for one is installed with the other.
func covers(other, one Manager) bool {
	same := other.Name == one.Name || families[one.Name] != "" && families[one.Name] == families[other.Name]
	return same && (other.Dir == one.Dir || one.Lock == "" && inside(other.Dir, one.Dir))
}

// aside says whether a folder lies in one that is not part of the project's own work.
func aside(dir string) bool {
	return slices.ContainsFunc(strings.Split(dir, "/"), func(s string) bool {
		return slices.Contains([]string{"docs", "doc", "example", "examples", "fixtures", "templates", "samples"}, s)
	})
}

// in is the manager that the manifest makes of a folder that has it.
func (m manifest) in(t *tree, dir string) Manager {
	one := Manager{Name: m.name, Install: m.install, Installed: m.installed}
	if m.choose != nil {
		one = m.choose(t, dir)
	} else if lock := t.first(dir, m.locks...); lock != "" {
		one.Lock = path.Base(lock)
		if m.locked != "" {
			one.Install = m.locked
		}
	}
	one.Dir = dir
	if one.Source == "" {
		one.Source = m.file
		for _, p := range t.paths { // the first that the pattern fits
			if ok, _ := path.Match(m.file, path.Base(p)); ok && folder(p) == dir {
				one.Source = path.Base(p)
				break
			}
		}
	}
	return one
}

// nodeLocks are the lock files of the node managers, and what each installs by.
var nodeLocks = []struct{ name, lock, install, locked string }{
	{"pnpm", "pnpm-lock.yaml", "pnpm install", "pnpm install --frozen-lockfile"},
	{"yarn", "yarn.lock", "yarn install", "yarn install"}, // its versions spell "frozen" differently; CI=true means it
	{"bun", "bun.lock", "bun install", "bun install --frozen-lockfile"},
	{"bun", "bun.lockb", "bun install", "bun install --frozen-lockfile"},
	{"npm", "package-lock.json", "npm install", "npm ci"},
	{"npm", "npm-shrinkwrap.json", "npm install", "npm ci"},
}

// nodeManager goes by what the package names, then by its lock file.
func nodeManager(t *tree, dir string) Manager {
	named, _, _ := strings.Cut(t.packageJSON(dir).PackageManager, "@")
	for _, n := range nodeLocks {
		if t.has(dir, n.lock) && (named == "" || named == n.name) {
			return Manager{Name: n.name, Lock: n.lock, Install: n.locked, Installed: "node_modules"}
		}
	}
	for _, n := range nodeLocks {
		if named == n.name {
			return Manager{Name: n.name, Install: n.install, Installed: "node_modules"}
		}
	}
	return Manager{Name: "npm", Install: "npm install", Installed: "node_modules"}
}

// packageJSON is the part of a package.json that matters here.
type packageJSON struct {
	Name           string            `json:"name"`
	Scripts        map[string]string `json:"scripts"`
	PackageManager string            `json:"packageManager"`
}

// packageJSON reads the one of a folder; what cannot be read is a problem, said once.
func (t *tree) packageJSON(dir string) packageJSON {
	var p packageJSON
	text := t.read(dir, "package.json")
	if err := json.Unmarshal([]byte(text), &p); err != nil && text != "" {
		t.problem(path.Join(dir, "package.json"), err)
		t.texts[path.Join(dir, "package.json")] = ""
		return packageJSON{}
	}
	return p
}

// pythonManager goes by the lock file, then by what pyproject.toml says.
func pythonManager(t *tree, dir string) Manager {
	project := t.read(dir, "pyproject.toml")
	switch {
	case t.has(dir, "uv.lock"):
		return Manager{Name: "uv", Lock: "uv.lock", Install: "uv sync --locked"}
	case t.has(dir, "poetry.lock"):
		return Manager{Name: "poetry", Lock: "poetry.lock", Install: "poetry install --no-interaction"}
	case t.has(dir, "Pipfile.lock"):
		return Manager{Name: "pipenv", Source: "Pipfile", Lock: "Pipfile.lock", Install: "pipenv sync --dev"}
	case hasTable(project, "tool.poetry"):
		return Manager{Name: "poetry", Install: "poetry install --no-interaction"}
	case hasTable(project, "tool.uv"):
		return Manager{Name: "uv", Install: "uv sync"}
	case t.has(dir, "Pipfile"):
		return Manager{Name: "pipenv", Source: "Pipfile", Install: "pipenv install --dev"}
	}
	return pip(t, dir, project)
}

// pip installs what is required into a virtual environment of the project's own.
func pip(t *tree, dir, project string) Manager {
	m := Manager{Name: "pip", Installed: ".venv"}
	var wanted []string
	for _, name := range []string{"requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements-test.txt", "requirements/dev.txt"} {
		if t.has(dir, name) {
			wanted = append(wanted, "-r "+name)
			m.Source = cmp.Or(m.Source, name)
		}
	}
	if t.has(dir, "setup.py") || hasTable(project, "build-system") || hasTable(project, "project") {
		wanted, m.Source = append(wanted, "-e "+shell.QuoteWord("."+extras(project))), "" // the manifest, once it is known
	}
	if len(wanted) == 0 {
		return Manager{} // pyproject.toml only configures tools
	}
	m.Install = "venv_install " + strings.Join(wanted, " ")
	return m
}

var extraName = lazyregexp.New(`^(dev|test|tests|testing)\s*=`)

// extras are the optional dependencies that tests need, as pip takes them: "[dev,test]".
func extras(project string) string {
	var names []string
	for _, line := range table(project, "project.optional-dependencies") {
		if m := extraName.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "[" + strings.Join(names, ",") + "]"
}

var tableHead = lazyregexp.New(`^\s*\[\[?\s*([^\]]+?)\s*\]?\]\s*(#.*)?$`)

// hasTable says whether a TOML or INI text has a table of that name, or one below it.
func hasTable(text, name string) bool {
	return slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
		m := tableHead.FindStringSubmatch(strings.TrimRight(line, "\r"))
		return m != nil && (m[1] == name || strings.HasPrefix(m[1], name+"."))
	})
}

// table are the lines of one table of a TOML or INI text.
func table(text, name string) []string {
	var lines []string
	within := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := tableHead.FindStringSubmatch(line); m != nil {
			within = m[1] == name
		} else if within {
			lines = append(lines, line)
		}
	}
	return lines
}

// Installers are the package managers that have something to install, each once.
func (p Profile) Installers() []string {
	var names []string
	known := map[string]bool{}
	for _, m := range p.PackageManagers {
		if m.Install != "" && !known[m.Name] {
			known[m.Name] = true
			names = append(names, m.Name)
		}
	}
	return names
}
