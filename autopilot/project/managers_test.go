package project

import (
	"fmt"
	"strings"
	"testing"
)

func TestManagerFollowsFromTheFilesOfAFolder(t *testing.T) {
	for _, c := range []struct{ name, files, want string }{
		{"npm", "package.json={}", "npm package.json - npm install node_modules"},
		{"npm by lock", "package.json={}|package-lock.json", "npm package.json package-lock.json npm ci node_modules"},
		{"two locks", "package.json={}|yarn.lock|pnpm-lock.yaml", "pnpm package.json pnpm-lock.yaml pnpm install --frozen-lockfile node_modules"},
		{"two locks of bun", "package.json={}|bun.lockb|bun.lock", "bun package.json bun.lock bun install --frozen-lockfile node_modules"},
		{"named beside another's lock", `package.json={"packageManager":"yarn@4"}|pnpm-lock.yaml`, "yarn package.json - yarn install node_modules"},
		{"named with its second lock", `package.json={"packageManager":"bun"}|bun.lockb|yarn.lock`, "bun package.json bun.lockb bun install --frozen-lockfile node_modules"},
		{"named one that is not known", `package.json={"packageManager":"x@1"}|yarn.lock`, "yarn package.json yarn.lock yarn install node_modules"},
		{"named npm", `package.json={"packageManager":"npm@10"}|yarn.lock|npm-shrinkwrap.json`, "npm package.json npm-shrinkwrap.json npm ci node_modules"},
		{"go", "go.mod|go.sum", "go go.mod go.sum [ -d vendor ] || go mod download"},
		{"go without a lock", "go.mod", "go go.mod - [ -d vendor ] || go mod download"},
		{"cargo", "Cargo.toml|Cargo.lock", "cargo Cargo.toml Cargo.lock cargo fetch --locked"},
		{"cargo without a lock", "Cargo.toml", "cargo Cargo.toml - cargo fetch"},
		{"composer", "composer.json|composer.lock", "composer composer.json composer.lock composer install --no-interaction vendor"},
		{"dotnet", "a.csproj|z.sln", "dotnet z.sln - dotnet restore"},
		{"gradle", "build.gradle.kts", "gradle build.gradle.kts -"},
		{"both of gradle", "build.gradle.kts|build.gradle", "gradle build.gradle -"},
		{"uv and poetry by lock", "pyproject.toml|poetry.lock|uv.lock", "uv pyproject.toml uv.lock uv sync --locked"},
		{"poetry by lock alone", "requirements.txt|poetry.lock", "poetry requirements.txt poetry.lock poetry install --no-interaction"},
		{"pipenv beside pyproject.toml", "pyproject.toml=[tool.uv]|Pipfile|Pipfile.lock", "pipenv Pipfile Pipfile.lock pipenv sync --dev"},
		{"poetry before uv", "pyproject.toml=[tool.uv]\n[tool.poetry.dependencies]", "poetry pyproject.toml - poetry install --no-interaction"},
		{"uv before pipenv", "pyproject.toml=[tool.uv.sources]|Pipfile", "uv pyproject.toml - uv sync"},
		{"pipenv before pip", "requirements.txt|setup.py|Pipfile", "pipenv Pipfile - pipenv install --dev"},
		{"pip", "requirements.txt", "pip requirements.txt - venv_install -r requirements.txt .venv"},
		{"pip in place", "requirements.txt|setup.py", "pip requirements.txt - venv_install -r requirements.txt -e . .venv"},
		{"pip by a project", "pyproject.toml=[project]", "pip pyproject.toml - venv_install -e . .venv"},
		{"pip by a project's scripts", "pyproject.toml=[project.scripts]\r\n", "pip pyproject.toml - venv_install -e . .venv"},
		{"extras", "pyproject.toml=[project]\n[project.optional-dependencies]\ndev=['a']\ndocs=[]\ntests=['b']", "pip pyproject.toml - venv_install -e '.[dev,tests]' .venv"},
		{"keys with dots", "pyproject.toml=project.name='x'\nproject.optional-dependencies.test=[]", "pip pyproject.toml - venv_install -e '.[test]' .venv"},
		{"keys inline", "pyproject.toml=tool = {poetry = {name = 'x'}}", "poetry pyproject.toml - poetry install --no-interaction"},
		{"a byte order mark", "pyproject.toml=\ufeff[project]", "pip pyproject.toml - venv_install -e . .venv"},
		{"a text that looks like a table", "pyproject.toml=[tool.x]\ntext='''\n[project]\n'''", ""},
		{"tools alone", "pyproject.toml=[tool.black]\n[[tool.mypy.overrides]]", ""},
		{"requirements of tools", "pyproject.toml=[tool.black]|requirements-dev.txt", "pip requirements-dev.txt - venv_install -r requirements-dev.txt .venv"},
	} {
		if got := strings.Join(managersOf(t, c.files), "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestFolderOfTheSameFamilyIsAMemberUnlessItHasALock(t *testing.T) {
	got := managersOf(t, "package.json={}|yarn.lock|a/package.json={}|b/package.json={}|b/package-lock.json|docs/package.json={}|c/go.mod|c/d/go.mod")
	want := "yarn package.json yarn.lock yarn install node_modules;b: npm package.json package-lock.json npm ci node_modules;c: go go.mod - [ -d vendor ] || go mod download"
	if s := strings.Join(got, ";"); s != want {
		t.Errorf("%s\nwant\n%s", s, want)
	}
}

func TestToolsOfPythonAndCargoAreFoundWhereTheyAreConfigured(t *testing.T) {
	for _, c := range []struct{ name, files, want string }{
		{"tables", "pyproject.toml=[project]\n[tool.pytest.ini_options]\n[tool.ruff.lint]\n[tool.mypy]\n[tool.pyright]", "python3 -m pytest;ruff check .;mypy .;pyright"},
		{"a table of tables", "pyproject.toml=[project]\n[[tool.mypy.overrides]] # of others", "mypy ."},
		{"setup.cfg", "setup.py|setup.cfg=[tool:pytest]\n[flake8]\n[mypy-foo.*]", "python3 -m pytest;flake8"},
		{"another's table", "pyproject.toml=[project]\n[tool.ruffian]\n[ruff]", ""},
		{"tox", "pyproject.toml=[project]\n[tool.tox]", "tox"},
		{"build of uv", "pyproject.toml=[build-system]|uv.lock", "uv build"},
		{"cargo", "Cargo.toml=[package]", "cargo test;cargo build"},
		{"workspace with lints", "Cargo.toml=[workspace]\nmembers=[]\n[workspace.lints.rust]", "cargo test --workspace;cargo clippy --workspace;cargo build --workspace"},
		{"lints", "Cargo.toml=[package]\n[lints]\nworkspace=true", "cargo test;cargo clippy;cargo build"},
		{"make", "Makefile=test:: a\n\nlint: x\nbuild := 1\n", "make test;make lint"},
	} {
		p := scanOf(t, c.files)
		var got []string
		for _, list := range [][]Command{p.TestCommands, p.LintCommands, p.BuildCommands} {
			got = append(got, commandLines(list)...)
		}
		if s := strings.Join(got, ";"); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// managersOf are the managers of a project, a line each.
func managersOf(t *testing.T, files string) []string {
	t.Helper()
	var lines []string
	for _, m := range scanOf(t, files).PackageManagers {
		lock, dir := m.Lock, m.Dir
		if lock == "" {
			lock = "-"
		}
		if dir != "" {
			dir += ": "
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s%s %s %s %s %s", dir, m.Name, m.Source, lock, m.Install, m.Installed)))
	}
	return lines
}

// scanOf scans a project of such files: "a.toml=text|b.lock" are two.
func scanOf(t *testing.T, files string) Profile {
	t.Helper()
	root, paths := t.TempDir(), []string{}
	for _, file := range strings.Split(files, "|") {
		name, text, _ := strings.Cut(file, "=")
		put(t, root, name, text)
		paths = append(paths, name)
	}
	p, err := Scan(root, paths)
	if err != nil {
		t.Error(err)
	}
	return p
}
