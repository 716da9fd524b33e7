package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"autopilot/autopilot/lazyregexp"
)

// startersOf are those whose exit code is that of the program behind them.
var startersOf = []string{"command", "builtin", "env", "time", "nice", "nohup", "timeout", "stdbuf"}

// simple is one program with its words, or nothing but variables that are set.
func (r *outcomes) simple(c *syntax.CallExpr, piped bool) outcome {
	if len(c.Args) == 0 {
		if holds(c, substitutes) {
			return either
		}
		return well
	}
	var words []string
	for _, word := range c.Args {
		words = append(words, literal(word))
	}
	for len(words) > 0 && slices.Contains(startersOf, path.Base(words[0])) {
		if words[0] == "command" && strings.HasPrefix(first(words[1:]), "-") { // only asks
			return either
		}
		words = words[behindStarter(path.Base(words[0]), words):]
	}
	if len(words) == 0 {
		return either
	}
	return r.program(words[0], words[1:], piped)
}

// unfollowed are commands that may end the shell, or change what others mean.
var unfollowed = []string{".", "source", "eval", "exec", "return", "kill", "shift", "unset", "readonly", "hash"}

func (r *outcomes) program(word string, arguments []string, piped bool) outcome {
	name := path.Base(word)
	switch {
	case isOpen(word), slices.Contains(unfollowed, name):
		return anything
	case interpreting[name].shell:
		return r.shell(arguments)
	case slices.Contains([]string{"true", ":", "echo"}, name), name == "wait" && len(arguments) == 0:
		return well
	case name == "printf" && len(arguments) > 0 && !strings.Contains(arguments[0], unknown) && !numbers.MatchString(arguments[0]):
		return well
	case name == "false":
		return badly
	case name == "exit":
		return exits(arguments)
	case name == "set":
		r.settings(arguments)
		return well
	case name == "test" || name == "[" && last(arguments) == "]":
		return constant(slices.DeleteFunc(arguments, func(a string) bool { return a == "]" }))
	case piped && handsOn(name, arguments):
		return well
	}
	return either
}

// numbers is a format of printf that not every word goes with.
var numbers = lazyregexp.New(`%[^%a-zA-Z]*[diouxXeEfFgGaA(]`)

func exits(arguments []string) outcome {
	switch {
	case len(arguments) != 1, isOpen(arguments[0]):
		return anything
	case arguments[0] == "0":
		return endsWell
	}
	return endsBadly
}

// handsOn says whether a program writes what it reads from a pipe, or counts it, and no file is named that may be missing.
func handsOn(name string, arguments []string) bool {
	named := slices.ContainsFunc(arguments, func(a string) bool {
		return !strings.HasPrefix(a, "-") && strings.Trim(a, "+0123456789") != ""
	})
	return name == "tee" || !named && (passing[name] || name == "wc" || name == "nl")
}

// constant is a test whose answer does not hang on anything: of the folder where it stands, of a word with itself.
func constant(arguments []string) outcome {
	switch a := arguments; {
	case slices.ContainsFunc(a, isOpen):
	case len(a) == 2 && (a[0] == "-d" || a[0] == "-e") && slices.Contains([]string{".", "./", "/"}, a[1]),
		len(a) == 3 && (a[1] == "=" || a[1] == "==") && a[0] == a[2]:
		return well
	}
	return either
}

// settings follows the options of set, or of a shell.
func (r *outcomes) settings(arguments []string) {
	for i, option := range arguments {
		if isBundle(option) {
			name := ""
			if strings.Contains(option, "o") {
				name = first(arguments[i+1:])
			}
			r.errexit = r.errexit || strings.Contains(option, "e") || name == "errexit"
			r.nounset = r.nounset || strings.Contains(option, "u") || name == "nounset"
			r.pipefail = r.pipefail || name == "pipefail"
		}
	}
}

// shell is what a shell runs that gets its line as an argument.
func (r *outcomes) shell(arguments []string) outcome {
	line := runs("sh", arguments).code
	at := slices.Index(arguments, line)
	if line == "" || at < 0 || slices.ContainsFunc(arguments[:at+1], func(a string) bool { return strings.Contains(a, unknown) }) {
		return either
	}
	inner := &outcomes{depth: r.depth + 1}
	inner.settings(arguments[:at])
	return inner.line(line).within()
}
