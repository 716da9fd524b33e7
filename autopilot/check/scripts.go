package check

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/shell"
)

// Scripts names the files below root that validation commands run, by themselves, by a script of package.json and by
// links, and those that the repository's own scripts run: they decide as much as the commands do. What a command looks
// at, and tests that a runner gets, are none; nor is a program whose output another one looks at, unless its name says
// that it checks. Whether the files are there is another question.
func Scripts(root string, list []Validation) []string {
	r := scriptsOf{root: root, found: map[string]bool{}}
	for _, v := range Distinct(list) {
		r.command(v.Command, v.Dir, 0)
	}
	for _, file := range ownScripts(root) { // what cannot be read does not run either
		if text, err := plainfile.Read(file); err == nil {
			r.command(string(text), "", deepest)
		}
	}
	return slices.Sorted(maps.Keys(r.found))
}

type scriptsOf struct {
	root  string
	found map[string]bool
}

// deepest is how far scripts of package.json that run others are followed.
const deepest = 5

// judging is a path that speaks of checking.
var judging = lazily(`(?i)test|check|lint|verif|valid|spec|assert|(?:^|[/._-])(?:ci|qa)(?:[/._-]|$)`)

func (r scriptsOf) command(command, dir string, depth int) {
	for _, s := range shell.Scripts(command, r.root, dir) {
		if !s.Looked || judging.MatchString(s.Path) {
			r.add(s.Path)
		}
	}
	if depth == deepest {
		return
	}
	for _, words := range shell.Commands(command) {
		if text, is := segment(words).script(filepath.Join(r.root, filepath.FromSlash(dir))); is {
			r.command(text, dir, depth+1)
		}
	}
}

// add takes a path, and where it leads.
func (r scriptsOf) add(p string) {
	r.found[p] = true
	top, err := filepath.EvalSymlinks(r.root)
	if err != nil {
		return
	}
	full, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(p)))
	if err != nil {
		return
	}
	if to, err := filepath.Rel(top, full); err == nil && filepath.IsLocal(to) {
		r.found[filepath.ToSlash(to)] = true
	}
}

// scriptFindings: a script that a validation command runs decides as a whole what is checked.
func scriptFindings(c Change, a Allowed, scripts []string) []Finding {
	p := c.before()
	if c.Status == Added || !slices.Contains(scripts, p) || isGuarded(p) || isControl(p) ||
		a.names(p) || isTestFile(p) && a.testAnnounced(p) || ReadAsTest(p, c.Before) {
		return nil
	}
	return []Finding{{
		Critical, p, firstDifference(c), "a CI or validation file was " + string(c.Status),
		"A validation command runs it, and the plan does not name " + path.Base(p) + ".",
	}}
}

// ReadAsTest tells whether a file is a test whose checks are read: it may change as tests may.
func ReadAsTest(p string, content []byte) bool {
	l := languageOf(p)
	if l == nil || !isTestFile(p) || !l.is(asserts).possible(string(content)) {
		return false
	}
	return slices.ContainsFunc(strings.Split(l.blank(string(content)), "\n"), l.is(asserts).match)
}
