// Package shell reads what stands in a command line of the shell, without running it: its words, whether its git writes,
// and what it would do beyond the working tree. It guards against habits, not malice.
package shell

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// Denial says what a command line would do beyond the working tree, or "". It
// sees what stands in the line itself, also in sh -c, eval and behind xargs, and
// not what a script or a program's own code hides.
func (t *PathScope) Denial(line string) string {
	line, code := withoutHereDocuments(line)
	if why := t.code(code); why != "" {
		return why
	}
	line = echoed.ReplaceAllStringFunc(line, func(found string) string {
		m := echoed.FindStringSubmatch(found)
		return strings.NewReplacer(`"`, "", "'", "").Replace(m[1] + m[2])
	})
	if forkBomb.MatchString(line) {
		return "it starts processes without end"
	}
	commands, piped := pipedCommands(line)
	for i, words := range commands {
		if why := t.command(commands, piped, i, words); why != "" {
			return why
		}
	}
	return ""
}

// echoed is a substitution that says itself what it stands for.
var echoed = lazyregexp.New("\\$\\(\\s*(?:echo|printf)\\s+([^()|;&<>`]*)\\)|`\\s*(?:echo|printf)\\s+([^()|;&<>`]*)`")

var forkBomb = lazyregexp.New(`(\S+)\s*\(\)\s*\{[^}]*\|[^}]*&[^}]*\}\s*;`)

// command judges one command, and takes in what it changes for those that follow.
func (t *PathScope) command(commands [][]string, piped map[int]bool, i int, words []string) string {
	words = braced(words)
	if why := t.redirections(words); why != "" {
		return why
	}
	if at := slices.IndexFunc(words, func(w string) bool { return path.Base(w) == "env" }); at >= 0 {
		defer func(cwd string) { t.cwd = cwd }(t.cwd)
		if script := t.env(words[at+1:]); script != "" {
			return t.scripts([]string{script})
		}
	}
	program, arguments, by := t.program(words)
	if t.takes(program, arguments) {
		return ""
	}
	t.loads(program, arguments)
	switch {
	case t.runsLoaded(words, program, arguments), slices.Contains(sourcing, program) && remote(commands, piped, i, arguments):
		return unread
	case slices.Contains(shells, program):
		if remote(commands, piped, i, arguments) {
			return unread
		}
		if said := echoedTo(commands, piped, i); said != "" && readsInput(arguments) {
			arguments = append(slices.Clone(arguments), said)
		}
		return t.scripts(arguments)
	case program == "trap":
		return t.scripts(arguments)
	case slices.Contains(interpreters, program):
		if piped[i] && remote(commands, piped, i, arguments) {
			return unread
		}
		if why := t.code(arguments); why != "" || program != "perl" && program != "ruby" {
			return why
		}
		return t.writes(program, arguments, editedByCode)
	case by == "xargs" && writers[program] != nil && t.namesOutside(commands[:i]):
		return program + " gets names from outside of the working tree"
	case program == "kill" && killsByName(commands, arguments):
		return program + " gets processes that may be others'"
	case forbids(program, arguments):
		return program + " works on the whole machine, or on what others use"
	}
	if judge := writers[program]; judge != nil {
		if why := t.writes(program, arguments, judge); why != "" {
			return why
		}
	}
	if slices.Contains(askers, by) { // whatever is among their words
		if why := t.scripts(words[1:]); why != "" {
			return why
		}
	}
	if program == "ln" {
		t.linked(arguments)
	}
	return ""
}

// unread is why a script from the network is not run.
const unread = "it runs what it loads from the network, unread"

// askers have a shell run what they are given.
var askers = []string{"flock", "script", "watch"}

// writes judges the paths that a program removes or overwrites.
func (t *PathScope) writes(program string, arguments []string, judge func([]string) []string) string {
	paths := judge(arguments)
	for n, operand := range paths {
		away := removes(program, arguments) || program == "mv" && n < len(paths)-1
		if why := t.outside(operand, away); why != "" {
			return program + " " + why
		}
	}
	return ""
}

// interpreters run a program that stands in a file, among their arguments, or
// that they read.
var interpreters = []string{"python", "python3", "perl", "ruby", "node", "php"}

// shellsOwn are the commands of a shell itself that matter here.
var shellsOwn = []string{"cd", "pushd", "export", "trap", "source", "."}

// program is what a command runs, its arguments, and the last runner before it.
func (t *PathScope) program(words []string) (name string, arguments []string, by string) {
	for i, w := range words {
		name = path.Base(strings.TrimSuffix(w, ".exe"))
		if strings.Contains(w, "/") && everywhere[name] != nil && below(t.resolve(w), t.root) { // one of the tree's own
			name = w
		}
		switch {
		case strings.Contains(w, "=") && !strings.HasPrefix(w, "-") && by == "":
			t.assign(w)
		case name == "find" || everywhere[name] != nil || writers[name] != nil || slices.Contains(shells, name) || slices.Contains(interpreters, name):
			return name, words[i+1:], by
		case (by == "builtin" || by == "command") && slices.Contains(shellsOwn, name):
			return name, words[i+1:], by
		case slices.Contains(runners, name), name == "busybox", name == "toybox":
			by = name
		case by == "":
			return name, words[i+1:], by
		}
	}
	return "", nil, by
}

// takes follows cd and for: they say where later words lead.
func (t *PathScope) takes(program string, arguments []string) bool {
	switch {
	case program == "cd" || program == "pushd":
		to := "~"
		if rest := operands(arguments); len(rest) > 0 {
			to = rest[0]
		}
		if t.cwd = t.resolve(to); t.escapesViaLink(t.cwd, true) { // from there, .. leads elsewhere
			t.cwd = filepath.ToSlash(standing(t.throughNew(t.cwd)))
		}
		return true
	case program == "for" && len(arguments) > 2 && arguments[1] == "in":
		t.vars[arguments[0]] = arguments[2:]
		return true
	case program == "export" || program == "local" || program == "readonly":
		for _, w := range arguments {
			t.assign(w)
		}
		return true
	}
	return false
}

func (t *PathScope) assign(word string) {
	name, value, is := strings.Cut(word, "=")
	if is {
		t.vars[name] = []string{value}
	}
}

// scripts looks into the words that a shell gets: each may be a script, and for
// eval they are one together.
func (t *PathScope) scripts(words []string) string {
	for _, script := range append(slices.Clone(words), strings.Join(words, " ")) {
		if strings.ContainsAny(script, " \t\n;|&") {
			if why := t.Denial(script); why != "" {
				return why
			}
		}
	}
	return ""
}

// removing finds, in the code of an interpreter, what it removes or has a shell do.
var removing = lazyregexp.New(`(?:rmtree|rmSync|rmdirSync|rimraf|remove_tree|rm_rf|system|popen|execSync|exec|run|call)\(\s*\[?\s*(?:os\.path\.expanduser\(\s*)?['"]([^'"]+)['"]`)

func (t *PathScope) code(arguments []string) string {
	for _, text := range arguments {
		for _, found := range removing.FindAllStringSubmatch(text, -1) {
			if strings.Contains(found[1], " ") {
				if why := t.Denial(found[1]); why != "" {
					return why
				}
			} else if strings.Contains(found[0], "rm") || strings.Contains(found[0], "remove") || strings.Contains(found[0], "rimraf") {
				if why := t.outside(found[1], true); why != "" {
					return "the code " + why
				}
			}
		}
	}
	return ""
}

// readsInput says whether a shell or an interpreter gets its program by its input.
func readsInput(arguments []string) bool {
	return slices.Contains(arguments, "-s") ||
		!slices.ContainsFunc(arguments, func(w string) bool { return !strings.HasPrefix(w, "-") || w == "-c" || w == "-m" || w == "-e" })
}

// echoedTo is what echo or printf says to a command, tee and cat in between.
func echoedTo(commands [][]string, piped map[int]bool, i int) string {
	for ; piped[i] && i > 0; i-- {
		switch words := commands[i-1]; path.Base(words[0]) {
		case "echo", "printf":
			return strings.Join(words[1:], " ")
		case "tee", "cat":
		default:
			return ""
		}
	}
	return ""
}

// remote says whether a shell runs what curl or wget prints.
func remote(commands [][]string, piped map[int]bool, i int, arguments []string) bool {
	loads := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return path.Base(w) == "curl" || path.Base(w) == "wget" })
	}
	for at := i; readsInput(arguments) && piped[at] && at > 0; at-- {
		if loads(commands[at-1]) {
			return true
		}
	}
	unread := slices.ContainsFunc(arguments, func(w string) bool { return strings.Contains(w, substituted) || w == "<" })
	return unread && slices.ContainsFunc(commands, loads)
}

// hereDocument is the beginning of one, with the word that ends it.
var hereDocument = lazyregexp.New(`<<-?\s*\\?['"]?(\w+)['"]?`)

// withoutHereDocuments leaves out the text that is written to files and the
// like; what a shell gets that way stays, and what an interpreter gets is code.
func withoutHereDocuments(line string) (rest string, code []string) {
	var kept, text []string
	end, isCode := "", false
	for _, l := range strings.Split(line, "\n") {
		if end != "" {
			if text = append(text, l); strings.TrimSpace(l) == end {
				end = ""
			}
			continue
		}
		kept = append(kept, l)
		if m := hereDocument.FindStringSubmatch(l); m != nil && !feeds(l, shells) {
			end, isCode = m[1], isCode || feeds(l, interpreters)
		}
	}
	if isCode {
		code = []string{strings.Join(text, "\n")}
	}
	return strings.Join(kept, "\n"), code
}

func feeds(line string, programs []string) bool {
	return slices.ContainsFunc(Commands(line), func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(programs, path.Base(w)) })
	})
}
