package validate

import (
	"cmp"
	"path/filepath"
	"runtime"

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/project"
	"autopilot/autopilot/validate/results"
)

// manifests are the commands that follow from each kind of project file, in the order in which they run.
var manifests = []func(folder string) ([]Validation, error){
	always("go.mod", "go build ./...", "go test ./..."), nodeCommands, pythonCommands, always("Cargo.toml", "cargo test"),
}

// always are the commands that follow from a file, whatever is in it.
func always(file string, commands ...string) func(folder string) ([]Validation, error) {
	return func(folder string) ([]Validation, error) {
		if !results.Exists(folder, file) {
			return nil, nil
		}
		return from(file, commands...), nil
	}
}

// pythonCommands prefers the project's own interpreter: it has the dependencies. Of unittest and pytest it takes what the tests use.
func pythonCommands(folder string) ([]Validation, error) {
	for _, name := range []string{"pyproject.toml", "pytest.ini", "setup.py"} {
		if results.Exists(folder, name) {
			return from(name, pythonOf(folder)+" "+cmp.Or(project.UnitTests(folder), "-m pytest")), nil
		}
	}
	return nil, nil
}

func pythonOf(folder string) string {
	bin := "bin/python"
	if runtime.GOOS == "windows" {
		bin = "Scripts/python.exe"
	}
	for _, venv := range project.Known("pip").Folders {
		if results.Exists(folder, venv, bin) {
			return venv + "/" + bin
		}
	}
	if m := manager(project.Python, "", folder); m.Run != "" {
		return m.Run + "python"
	}
	return "python3"
}

func nodeCommands(folder string) ([]Validation, error) {
	pkg, err := project.ReadPackage(folder)
	if err != nil {
		return nil, err
	}
	var found []Validation
	for _, script := range []string{"test", "lint", "typecheck"} {
		if pkg.Script(script) != "" {
			found = append(found, from("package.json "+script+" script", manager(project.Node, pkg.PackageManager, folder).Run+script)...)
		}
	}
	return found, nil
}

// manager is the package manager of a family in a folder, or the one that is named.
func manager(family, named, folder string) project.PackageManager {
	m, _ := project.Choose(family, named, func(file string) bool { return results.Exists(folder, file) })
	return m
}

// makeCommands are for where nothing else has an answer: a test target mostly calls what the others would.
func makeCommands(folder string) []Validation {
	for _, name := range project.Makefiles {
		content, err := plainfile.Read(filepath.Join(folder, name))
		if err != nil {
			continue // absent, or a folder of that name
		}
		if project.MakeTarget(string(content), "test") {
			return from(name, "make test")
		}
		break
	}
	return nil
}

func from(source string, commands ...string) []Validation {
	vs := make([]Validation, len(commands))
	for i, c := range commands {
		vs[i] = Validation{Command: c, Source: source}
	}
	return vs
}
