// Package project is what can be known of a project without running anything: its languages, package managers,
// commands, services and documents, read from the list of its files and from its manifests. The same tree gives the
// same bytes.
//
// A profile is kept as JSON for people and for other tools. What a person writes into it stays when the project is
// scanned again; see Merge.
package project

import (
	"encoding/json"
	"fmt"
)

// Version is the version of the format. A profile of another version is not touched.
const Version = 1

// Profile is what a scan found. Paths have slashes and are relative to the root; a dir of "" is the root itself.
type Profile struct {
	Version         int        `json:"version"`
	Languages       []Language `json:"languages"` // most files first
	PackageManagers []Manager  `json:"package_managers"`
	TestCommands    []Command  `json:"test_commands"`
	LintCommands    []Command  `json:"lint_commands"`
	BuildCommands   []Command  `json:"build_commands"`
	Services        []Service  `json:"services"`
	Docs            []Doc      `json:"docs"`
}

// Language is a programming language, with how many files are written in it. Vendored files do not count.
type Language struct {
	Name  string `json:"name"`
	Files int    `json:"files"`
}

// Manager is a package manager that the project uses in a folder.
type Manager struct {
	Name      string `json:"name"` // "npm", "poetry", "cargo"
	Dir       string `json:"dir,omitempty"`
	Source    string `json:"source"`              // the manifest
	Lock      string `json:"lock,omitempty"`      // the lock file, where there is one
	Install   string `json:"install,omitempty"`   // run in Dir by sh; "" where the manager installs as it builds
	Installed string `json:"installed,omitempty"` // what Install makes in Dir; "" where Install itself sees what is missing
}

// Command is something that can be run by sh in a folder.
type Command struct {
	Command string `json:"command"`
	Dir     string `json:"dir,omitempty"`
	Source  string `json:"source"` // the file that it follows from
}

// Service is something that runs beside the tests and listens.
type Service struct {
	Name    string `json:"name"`
	Dir     string `json:"dir,omitempty"`
	Command string `json:"command,omitempty"` // starts it
	Ports   []int  `json:"ports"`             // on this machine
	Source  string `json:"source"`
	// HealthCheck says whether it is well: a command for sh, run in Dir, or an http or https address. A scan fills it in
	// only from a compose file; it is for people to write.
	HealthCheck string `json:"health_check"`
}

// Doc is a document, or a folder of them, that tells about the project.
type Doc struct {
	Path string `json:"path"` // a folder ends with a slash
	Kind string `json:"kind"` // readme, agents, decisions, docs, architecture, contributing, changelog
}

// Parse reads a profile. Its error says what is wrong, without the name of the file.
func Parse(data []byte) (Profile, error) {
	var p Profile
	if err := json.Unmarshal(data, &p); err != nil {
		return Profile{}, fmt.Errorf("it is no profile: %w", err)
	}
	if p.Version != Version {
		return Profile{}, fmt.Errorf("it has version %d, and this program knows version %d", p.Version, Version)
	}
	return p, nil
}

// Encode writes a profile as it lies on the disk.
func (p Profile) Encode() ([]byte, error) { return Merge(nil, p) }
