package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/plainfile"
)

// Package is the part of a package.json that matters here.
type Package struct {
	Scripts         map[string]string `json:"scripts"`
	PackageManager  string            `json:"packageManager"`
	Dependencies    map[string]any    `json:"dependencies"`
	DevDependencies map[string]any    `json:"devDependencies"`
}

// NoTestsYet is the script that npm init writes where there are no tests.
const NoTestsYet = "no test specified"

// ReadPackage reads the package.json of a folder; where there is none it is empty.
func ReadPackage(folder string) (Package, error) {
	var pkg Package
	content, err := plainfile.Read(filepath.Join(folder, "package.json"))
	if errors.Is(err, fs.ErrNotExist) || isNotFolder(err) {
		return pkg, nil
	}
	if err == nil {
		err = json.Unmarshal(content, &pkg)
	}
	if err != nil {
		return pkg, fmt.Errorf("reading package.json: %w", err)
	}
	return pkg, nil
}

// ScriptOf is the text of the package.json script that a simple command runs, without arguments of its own.
func ScriptOf(folder string, command []string) (string, bool) {
	words := slices.DeleteFunc(slices.Clone(command), func(w string) bool {
		return assignment.MatchString(w) || w == "--silent" || w == "-s" || w == "run"
	})
	if len(words) != 2 || !slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, words[0]) {
		return "", false
	}
	pkg, err := ReadPackage(folder)
	name := bare(words[1])
	if words[0] == "npm" && (name == "t" || name == "tst") {
		name = "test"
	}
	text, there := pkg.Scripts[name]
	return text, err == nil && there
}

// isNotFolder: a changed file may have replaced the folder that others lay in.
func isNotFolder(err error) bool {
	var pathError *fs.PathError
	return errors.As(err, &pathError) && strings.Contains(pathError.Err.Error(), "not a directory")
}

// Exists says whether a path lies below a folder.
func Exists(folder string, elem ...string) bool {
	_, err := os.Stat(filepath.Join(append([]string{folder}, elem...)...))
	return err == nil
}
