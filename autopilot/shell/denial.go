package shell

import (
	"maps"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// Denial says what a command line would do beyond the working tree, or "". It
// sees what stands in the line itself, also in sh -c, eval and behind xargs, and
// not what a script or a program's own code hides.
func (t *PathScope) Denial(line string) (why string) {
	if forkBomb.MatchString(line) {
		return "it starts processes without end"
	}
	w := newWalk(t, maps.Clone(t.environ), nil)
	w.visit = func(c *command) {
		if denied := w.denied(c); why == "" {
			why = denied
		}
	}
	w.line(line)
	if why == "" {
		why = w.unread
	}
	return why
}

var forkBomb = lazyregexp.New(`(\S+)\s*\(\)\s*\{[^}]*\|[^}]*&[^}]*\}\s*;`)

// denied judges one command.
func (w *walk) denied(c *command) string {
	for _, file := range c.writes {
		if why := w.outside(file, false); why != "" {
			return "> " + why
		}
	}
	if len(c.words) == 0 {
		return ""
	}
	name, arguments := w.name(c.words[0]), c.words[1:]
	marked := func(mark string) bool {
		return slices.ContainsFunc(arguments, func(a string) bool { return strings.Contains(a, mark) })
	}
	r := runs(name, arguments)
	switch {
	case w.runsLoaded(c, r):
		return "it runs what it loads from the network, unread"
	case writers[name] != nil && marked(outsiders):
		return name + " gets names from outside of the working tree"
	case name == "kill" && marked(processes):
		return name + " gets processes that may be others'"
	case forbids(name, arguments):
		return name + " works on the whole machine, or on what others use"
	}
	if why := w.code(c, r); why != "" {
		return why
	}
	return w.removed(name, arguments)
}

// runsLoaded says whether a command runs what comes from the network.
func (w *walk) runsLoaded(c *command, r run) bool {
	word := c.words[0]
	file := strings.Contains(word, fetched) || strings.Contains(word, "/") && w.isLoaded(word)
	code := !r.shell && strings.HasPrefix(strings.TrimLeft(r.code, unknown+" \n"), fetched) // what a shell runs is visited
	return file || code || r.input && strings.Contains(c.input.text, fetched) || slices.ContainsFunc(r.files, w.isLoaded)
}

// removed judges the paths that a program removes or overwrites.
func (w *walk) removed(name string, arguments []string) string {
	if writers[name] == nil {
		return ""
	}
	paths := writers[name](arguments)
	for n, operand := range paths {
		away := slices.Contains(removing, name) || name == "mv" && n < len(paths)-1
		if why := w.outside(operand, away); why != "" {
			return name + " " + why
		}
	}
	return ""
}

// removal finds, in the code of an interpreter, what it removes or has a shell do.
var removal = lazyregexp.New(`(?:rmtree|rmSync|rmdirSync|rimraf|remove_tree|rm_rf|system|popen|execSync|exec|run|call)\(\s*\[?\s*(?:os\.path\.expanduser\(\s*)?['"]([^'"]+)['"]`)

// code judges what an interpreter is given to run.
func (w *walk) code(c *command, r run) string {
	text := r.code
	if r.input {
		text = c.input.text
	}
	if r.shell {
		return "" // whose commands are visited
	}
	for _, found := range removal.FindAllStringSubmatch(text, -1) {
		if strings.Contains(found[1], " ") {
			w.line(found[1])
		} else if strings.Contains(found[0], "rm") || strings.Contains(found[0], "remove") || strings.Contains(found[0], "rimraf") {
			if why := w.outside(found[1], true); why != "" {
				return "the code " + why
			}
		}
	}
	return ""
}
