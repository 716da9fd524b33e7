package validate

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/validate/results"
)

// Scripts names the files below root that validation commands run, by themselves, by a script of package.json and by
// links, and those that the repository's own scripts run: they decide as much as the commands do. So do those that such a
// script runs, if it is one of the shell. What a command looks at, and tests that a runner gets, are none; nor is a program
// whose output another one looks at, unless its name says that it checks. Whether the files are there is another question.
// Scripts are read as they were before changes, since what they call now may be what was done to them: changed says whether
// a file is among these, and gives what was in it; nil where it was not there.
func Scripts(root string, list []Validation, changed func(file string) (was []byte, is bool)) []string {
	r := &scriptsOf{root: root, changed: changed, found: map[string]bool{}, read: map[string]bool{}}
	for _, v := range Distinct(list) {
		r.lines(v.Command, v.Dir, shell.Scripts(v.Command, root, v.Dir), 0)
	}
	for _, script := range OwnScripts(root) { // what cannot be read does not run either
		if text, err := plainfile.Read(filepath.Join(root, filepath.FromSlash(script))); err == nil {
			own := shell.Script{Path: script, Dir: "."}
			r.lines(string(text), "", shell.ScriptsIn(string(text), root, own), 1)
		}
	}
	return slices.Sorted(maps.Keys(r.found))
}

type scriptsOf struct {
	root    string
	changed func(file string) (was []byte, is bool)
	found   map[string]bool
	read    map[string]bool // scripts, by path and folder
}

// Bounds of what is read for scripts that run others.
const (
	deepest     = 5 // of scripts, and of scripts of package.json, within each other
	mostScripts = 50
	largeScript = 256 << 10 // bytes
)

// judging is a path that speaks of checking.
var judging = lazyregexp.New(`(?i)test|check|lint|verif|valid|spec|assert|(?:^|[/._-])(?:ci|qa)(?:[/._-]|$)`)

// lines takes in a text, begun in a folder, and what it runs.
func (r *scriptsOf) lines(text, dir string, runs []shell.Script, depth int) {
	for _, s := range runs {
		if !s.Looked || judging.MatchString(s.Path) {
			r.follow(s, r.add(s.Path), depth)
		}
	}
	if depth == deepest {
		return
	}
	for _, words := range shell.Commands(text) {
		if command, is := results.ScriptOf(filepath.Join(r.root, filepath.FromSlash(dir)), words); is {
			r.lines(command, dir, shell.Scripts(command, r.root, dir), depth+1)
		}
	}
}

// add takes a path, and where it leads, which it gives.
func (r *scriptsOf) add(p string) string {
	r.found[p] = true
	top, err := filepath.EvalSymlinks(r.root)
	if err != nil {
		return p
	}
	full, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(p)))
	if err != nil {
		return p
	}
	if to, err := filepath.Rel(top, full); err == nil && filepath.IsLocal(to) {
		p = filepath.ToSlash(to)
		r.found[p] = true
	}
	return p
}

// follow takes in what a script runs whose text is in a file.
func (r *scriptsOf) follow(s shell.Script, file string, depth int) {
	key := s.Path + "\x00" + s.Dir
	if depth == deepest || len(r.read) == mostScripts || r.read[key] {
		return
	}
	text, there := r.before(file)
	if !there || len(text) > largeScript || bytes.IndexByte(text, 0) >= 0 || !s.Shell && !isForShell(text) {
		return
	}
	r.read[key] = true
	r.lines(string(text), s.Dir, shell.ScriptsIn(string(text), r.root, s), depth+1)
}

// before is the content of a file before the changes.
func (r *scriptsOf) before(file string) ([]byte, bool) {
	if was, is := r.changed(file); is {
		return was, was != nil
	}
	info, err := os.Stat(filepath.Join(r.root, filepath.FromSlash(file)))
	if err != nil || info.Size() > largeScript {
		return nil, false
	}
	text, err := plainfile.ReadIn(r.root, file)
	return text, err == nil
}

var shellLine = lazyregexp.New(`^#!.*\b(?:ba|da|z|k|a)?sh\b`)

// isForShell says whether a script that runs by itself comes to a shell: its first line says so, or names nothing else.
func isForShell(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return !bytes.HasPrefix(first, []byte("#!")) || shellLine.Match(first)
}
