package validate

import (
	"path/filepath"
	"runtime"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate/results"
)

// manifest is one kind of project file and the commands that follow from it.
type manifest struct {
	commands func(folder string) ([]Validation, error)
	last     bool // only where no other manifest gave a command
}

// manifests in the order in which their commands run.
var manifests = []manifest{
	{commands: goCommands},
	{commands: nodeCommands},
	{commands: pythonCommands},
	{commands: cargoCommands},
	{commands: makeCommands, last: true},
}

func goCommands(folder string) ([]Validation, error) {
	if !results.Exists(folder, "go.mod") {
		return nil, nil
	}
	return from("go.mod", "go build ./...", "go test ./..."), nil
}

func cargoCommands(folder string) ([]Validation, error) {
	if !results.Exists(folder, "Cargo.toml") {
		return nil, nil
	}
	return from("Cargo.toml", "cargo test"), nil
}

// pythonCommands prefers the project's own interpreter: it has the dependencies.
func pythonCommands(folder string) ([]Validation, error) {
	for _, name := range []string{"pyproject.toml", "pytest.ini", "setup.py"} {
		if results.Exists(folder, name) {
			return from(name, pythonOf(folder)+" -m pytest"), nil
		}
	}
	return nil, nil
}

func pythonOf(folder string) string {
	bin := "bin/python"
	if runtime.GOOS == "windows" {
		bin = "Scripts/python.exe"
	}
	for _, venv := range []string{".venv", "venv"} {
		if results.Exists(folder, venv, bin) {
			return venv + "/" + bin
		}
	}
	switch {
	case results.Exists(folder, "uv.lock"):
		return "uv run python"
	case results.Exists(folder, "poetry.lock"):
		return "poetry run python"
	}
	return "python3"
}

func nodeCommands(folder string) ([]Validation, error) {
	pkg, err := results.ReadPackage(folder)
	if err != nil {
		return nil, err
	}
	var found []Validation
	for _, script := range []string{"test", "lint", "typecheck"} {
		text, there := pkg.Scripts[script]
		if !there || strings.TrimSpace(text) == "" || strings.Contains(text, results.NoTestsYet) {
			continue
		}
		found = append(found, from("package.json "+script+" script", nodeManager(folder, pkg)+" run "+script)...)
	}
	return found, nil
}

// nodeManager goes by what the package names, then by its lock file.
func nodeManager(folder string, pkg results.Package) string {
	name, _, _ := strings.Cut(pkg.PackageManager, "@")
	switch name {
	case "npm", "pnpm", "yarn", "bun":
		return name
	}
	for _, lock := range []struct{ file, manager string }{
		{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"},
	} {
		if results.Exists(folder, lock.file) {
			return lock.manager
		}
	}
	return "npm"
}

var makeTestTarget = lazyregexp.New(`(?m)^test[ \t]*:([^=]|$)`)

func makeCommands(folder string) ([]Validation, error) {
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		content, err := plainfile.Read(filepath.Join(folder, name))
		if err != nil {
			continue // absent, or a folder of that name
		}
		if makeTestTarget.Match(content) {
			return from(name, "make test"), nil
		}
		return nil, nil
	}
	return nil, nil
}

func from(source string, commands ...string) []Validation {
	vs := make([]Validation, len(commands))
	for i, c := range commands {
		vs[i] = Validation{Command: c, Source: source}
	}
	return vs
}
