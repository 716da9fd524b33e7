package project

import (
	"slices"
	"strings"
)

// PackageManager is a package manager that is known. Those of one family exclude each other in a folder.
type PackageManager struct {
	Name      string
	Family    string
	Manifests []string // the files that announce it: names, or patterns of names
	Locks     []string // the names of its lock file
	Install   string   // installs, run by sh in the folder of the manifest; "" where it installs as it builds
	Locked    string   // the same by the lock file; "" is Install
	Folders   []string // what packages are installed in, beside the manifest; the first is the one that Install makes
	Run       string   // begins a command that is run in what is installed: a program, of the node family a script

	selfChecking bool // Install sees by itself whether something is missing in Folders
}

// The families of more than one package manager. Each other manager is a family of its own name.
const (
	Node   = "node"
	Python = "python"
)

var (
	packageFile = []string{"package.json"}
	nodeFolders = []string{"node_modules"}
	venvs       = []string{".venv", "venv"}
)

// PackageManagers are the package managers that are known. Of one family the first whose lock file is there is taken, and
// without any the last.
var PackageManagers = []PackageManager{
	{Name: "go", Family: "go", Manifests: []string{"go.mod"}, Locks: []string{"go.sum"}, Install: "[ -d vendor ] || go mod download"},

	{Name: "pnpm", Family: Node, Manifests: packageFile, Locks: []string{"pnpm-lock.yaml"}, Install: "pnpm install", Locked: "pnpm install --frozen-lockfile", Folders: nodeFolders, Run: "pnpm run "},
	// The versions of yarn spell "frozen" differently; CI=true means it.
	{Name: "yarn", Family: Node, Manifests: packageFile, Locks: []string{"yarn.lock"}, Install: "yarn install", Folders: nodeFolders, Run: "yarn run "},
	{Name: "bun", Family: Node, Manifests: packageFile, Locks: []string{"bun.lock", "bun.lockb"}, Install: "bun install", Locked: "bun install --frozen-lockfile", Folders: nodeFolders, Run: "bun run "},
	{Name: "npm", Family: Node, Manifests: packageFile, Locks: []string{"package-lock.json", "npm-shrinkwrap.json"}, Install: "npm install", Locked: "npm ci", Folders: nodeFolders, Run: "npm run "},

	{Name: "uv", Family: Python, Manifests: []string{"pyproject.toml"}, Locks: []string{"uv.lock"}, Install: "uv sync", Locked: "uv sync --locked", Folders: venvs, Run: "uv run ", selfChecking: true},
	{Name: "poetry", Family: Python, Manifests: []string{"pyproject.toml"}, Locks: []string{"poetry.lock"}, Install: "poetry install --no-interaction", Folders: venvs, Run: "poetry run ", selfChecking: true},
	{Name: "pipenv", Family: Python, Manifests: []string{"Pipfile"}, Locks: []string{"Pipfile.lock"}, Install: "pipenv install --dev", Locked: "pipenv sync --dev", Folders: venvs, Run: "pipenv run ", selfChecking: true},
	{Name: "pip", Family: Python, Manifests: []string{"pyproject.toml", "requirements.txt", "setup.py"}, Install: "venv_install", Folders: venvs}, // behind it comes what is required: see pip

	{Name: "cargo", Family: "cargo", Manifests: []string{"Cargo.toml"}, Locks: []string{"Cargo.lock"}, Install: "cargo fetch", Locked: "cargo fetch --locked"},
	{Name: "bundler", Family: "bundler", Manifests: []string{"Gemfile"}, Locks: []string{"Gemfile.lock"}, Install: "bundle check || bundle install"},
	{Name: "composer", Family: "composer", Manifests: []string{"composer.json"}, Locks: []string{"composer.lock"}, Install: "composer install --no-interaction", Folders: []string{"vendor"}},
	{Name: "mix", Family: "mix", Manifests: []string{"mix.exs"}, Locks: []string{"mix.lock"}, Install: "mix deps.get", Folders: []string{"deps"}, selfChecking: true},
	{Name: "pub", Family: "pub", Manifests: []string{"pubspec.yaml"}, Locks: []string{"pubspec.lock"}, Install: "dart pub get", Folders: []string{".dart_tool"}, selfChecking: true},
	{Name: "swift", Family: "swift", Manifests: []string{"Package.swift"}, Locks: []string{"Package.resolved"}, Install: "swift package resolve"},
	{Name: "dotnet", Family: "dotnet", Manifests: []string{"*.sln", "*.csproj"}, Install: "dotnet restore"},
	// These fetch what they need as they build, and have no command of their own for it that fits every project.
	{Name: "maven", Family: "maven", Manifests: []string{"pom.xml"}},
	{Name: "gradle", Family: "gradle", Manifests: []string{"build.gradle", "build.gradle.kts"}},
}

// Choose returns the package manager of a family that is named, also with its version ("yarn@4"), else the one whose lock
// file is there, else the family's last, and that lock file. A name that is not known, or is "", names none.
func Choose(family, named string, has func(file string) bool) (m PackageManager, lock string) {
	named, _, _ = strings.Cut(named, "@")
	all := members(family)
	if i := slices.IndexFunc(all, func(m PackageManager) bool { return m.Name == named }); i >= 0 {
		all = all[i : i+1]
	}
	for _, m := range all {
		if i := slices.IndexFunc(m.Locks, has); i >= 0 {
			return m, m.Locks[i]
		}
	}
	return all[len(all)-1], ""
}

func members(family string) []PackageManager {
	return slices.DeleteFunc(slices.Clone(PackageManagers), func(m PackageManager) bool { return m.Family != family })
}

// Known returns the package manager of a name, the zero value for one that is not known.
func Known(name string) PackageManager {
	return first(func(m PackageManager) bool { return m.Name == name })
}

// FamilyIn returns the family whose packages are installed in folders of such a name, "" for none.
func FamilyIn(folder string) string {
	return first(func(m PackageManager) bool { return slices.Contains(m.Folders, folder) }).Family
}

func first(is func(PackageManager) bool) PackageManager {
	if i := slices.IndexFunc(PackageManagers, is); i >= 0 {
		return PackageManagers[i]
	}
	return PackageManager{}
}
