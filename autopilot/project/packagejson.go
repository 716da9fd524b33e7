package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"autopilot/autopilot/plainfile"
)

// Package is the part of a package.json that matters here.
type Package struct {
	Name            any               `json:"name"` // a text; nothing fails where it is none
	Scripts         map[string]string `json:"scripts"`
	PackageManager  string            `json:"packageManager"`
	Dependencies    map[string]any    `json:"dependencies"`
	DevDependencies map[string]any    `json:"devDependencies"`
}

// NoTestsYet is the script that npm init writes where there are no tests.
const NoTestsYet = "no test specified"

// Script returns the text of a script, "" where there is none or only the one that npm init writes.
func (p Package) Script(name string) string {
	text := strings.TrimSpace(p.Scripts[name])
	if strings.Contains(text, NoTestsYet) {
		return ""
	}
	return text
}

// ReadPackage reads the package.json of a folder; where there is none it is empty.
func ReadPackage(folder string) (Package, error) {
	var pkg Package
	content, err := plainfile.Read(filepath.Join(folder, "package.json"))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return pkg, nil // a changed file may have replaced the folder that others lay in
	}
	if err == nil {
		err = json.Unmarshal(content, &pkg)
	}
	if err != nil {
		return pkg, fmt.Errorf("reading package.json: %w", err)
	}
	return pkg, nil
}

// packageJSON reads the one of a folder; what cannot be read is a problem, said once.
func (t *tree) packageJSON(dir string) Package {
	var p Package
	if !t.decode(dir, "package.json", json.Unmarshal, &p) {
		return Package{}
	}
	return p
}
