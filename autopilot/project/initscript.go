package project

import (
	"fmt"
	"path"
	"strings"

	"autopilot/autopilot/shell"
)

// InitScript writes a script for sh that installs what the project's package managers need and is not there yet, in
// whatever working tree of the repository it is run. It is "" where none of them has something to install.
func InitScript(p Profile) string {
	var parts []string
	for _, m := range p.PackageManagers {
		if m.Install != "" {
			parts = append(parts, installing(m))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, "\n")
	head, tail := scriptHead, ""
	if strings.Contains(text, "if outdated ") {
		head, tail = head+outdated, finished
	}
	if strings.Contains(text, "venv_install ") {
		head += venvInstall
	}
	return head + "\n" + text + tail
}

const scriptHead = `#!/bin/sh
# Makes a working tree of this repository ready: installs the dependencies that are missing or outdated. autopilot runs
# it at the start of each run and in every new working tree; it may be run as often as one likes. It is yours to change.
set -eu
cd "$(git rev-parse --show-toplevel)"
`

const outdated = `
# An install that was cut off or failed leaves its mark behind, and everything is installed again.
mark=$(git rev-parse --absolute-git-dir)/autopilot-installing
unfinished=
[ ! -e "$mark" ] || unfinished=yes

# outdated INSTALLED FILE...: INSTALLED is not there, not complete, or older than one of the files.
outdated() {
  installed=$1
  shift
  [ -n "$unfinished" ] || [ ! -e "$installed" ] || [ -n "$(find "$@" -newer "$installed")" ]
}
`

const finished = `
rm -f "$mark"
`

const venvInstall = `
# venv_install ARGUMENTS...: installs into .venv, which git is told to ignore.
venv_install() {
  [ -d .venv ] || python3 -m venv .venv
  echo '*' >.venv/.gitignore
  python=.venv/bin/python
  [ -x "$python" ] || python=.venv/Scripts/python.exe
  "$python" -m pip install --quiet --disable-pip-version-check "$@"
}
`

// installing is the part of one package manager. In a folder below the root it runs in a subshell of its own.
func installing(m Manager) string {
	lines := strings.Split(m.Install, "\n")
	if m.Installed != "" {
		lines = []string{
			"if outdated " + strings.Join(append([]string{m.Installed}, m.files()...), " ") + "; then",
			`  : >"$mark"`,
			"  " + m.Install,
			// A manager that finds all in place leaves its folder as old as it was; one that has nothing to install makes none,
			// and would be run again each time.
			fmt.Sprintf("  mkdir -p %s && touch %s", m.Installed, m.Installed),
			"fi",
		}
	}
	title := "# " + m.Name + ": " + path.Join(m.Dir, m.Source)
	if m.Dir == "" {
		return title + "\n" + strings.Join(lines, "\n") + "\n"
	}
	return title + "\n(\n  cd " + shell.QuoteWord(m.Dir) + "\n  " + strings.Join(lines, "\n  ") + "\n)\n"
}

// files decide whether what is installed is outdated: the lock file, else the manifests.
func (m Manager) files() []string {
	if m.Lock != "" {
		return []string{shell.QuoteWord(m.Lock)}
	}
	files := []string{shell.QuoteWord(m.Source)}
	words := strings.Fields(m.Install)
	for i, w := range words {
		if w != m.Source && i > 0 && words[i-1] == "-r" {
			files = append(files, w)
		}
	}
	return files
}
