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
func (r *outcomeReader) simple(c *syntax.CallExpr, piped bool) outcome {
	o := well
	for _, a := range c.Assigns {
		if r.assigned(a).runs {
			o = either
		}
	}
	words := tokensOf(c.Args)
	for _, t := range words {
		r.see(t)
	}
	if len(words) == 0 {
		return o
	}
	list := texts(words)
	at := 0
	for at < len(list) && (assigned.MatchString(list[at]) || slices.Contains(startersOf, path.Base(list[at]))) {
		if list[at] == "command" && at+1 < len(list) && strings.HasPrefix(list[at+1], "-") { // only asks
			return either
		}
		at = starters[path.Base(list[at])].behind(list, at+1) // of an assignment, as env has them, the next word
	}
	if at >= len(list) {
		return either
	}
	return r.program(words[at], words[at+1:], piped)
}

// unfollowed are commands that may end the shell, or change what others mean.
var unfollowed = []string{".", "source", "eval", "exec", "return", "trap", "kill", "alias", "shift", "unset", "readonly", "enable", "hash"}

func (r *outcomeReader) program(word token, arguments []token, piped bool) outcome {
	list := texts(arguments)
	name := path.Base(word.text)
	switch {
	case word.expands:
		return anything
	case slices.Contains(unfollowed, name):
		r.lost = r.lost || name == "trap" || name == "alias" || name == "enable"
		return anything
	case slices.Contains(shells, name):
		return r.shell(arguments)
	case slices.Contains([]string{"true", ":", "echo"}, name), name == "wait" && len(list) == 0:
		return well
	case name == "printf" && len(list) > 0 && !arguments[0].expands && !numbers.MatchString(list[0]):
		return well
	case name == "false":
		return badly
	case name == "exit":
		return exits(arguments)
	case name == "set":
		return r.settings(list)
	case name == "test" || name == "[":
		return constant(name, arguments)
	case piped && handsOn(name, list):
		return well
	}
	return either
}

// numbers is a format of printf that not every word goes with.
var numbers = lazyregexp.New(`%[^%a-zA-Z]*[diouxXeEfFgGaA(]`)

func texts(words []token) []string {
	var list []string
	for _, t := range words {
		list = append(list, t.text)
	}
	return list
}

func exits(arguments []token) outcome {
	switch {
	case len(arguments) != 1, arguments[0].expands:
		return anything
	case arguments[0].text == "0":
		return endsWell
	}
	return endsBadly
}

// handsOn says whether a program writes what it reads from a pipe, or counts it, and no file is named that may be missing.
func handsOn(name string, arguments []string) bool {
	if name == "tee" {
		return true
	}
	rest := slices.DeleteFunc(slices.Clone(arguments), func(w string) bool {
		return strings.HasPrefix(w, "-") || strings.Trim(w, "+0123456789") == ""
	})
	return len(rest) == 0 && (slices.Contains(passing, name) || name == "wc" || name == "nl")
}

// constant is a test whose answer does not hang on anything: of the folder where it stands, of a word with itself.
func constant(name string, arguments []token) outcome {
	list := texts(arguments)
	if name == "[" {
		if len(list) == 0 || list[len(list)-1] != "]" {
			return either
		}
		list, arguments = list[:len(list)-1], arguments[:len(list)-1]
	}
	if slices.ContainsFunc(arguments, func(t token) bool { return t.expands }) {
		return either
	}
	switch {
	case len(list) == 2 && (list[0] == "-d" || list[0] == "-e") && slices.Contains([]string{".", "./", "/"}, list[1]),
		len(list) == 3 && (list[1] == "=" || list[1] == "==") && list[0] == list[2]:
		return well
	}
	return either
}

// settings takes in what set says of the shell.
func (r *outcomeReader) settings(arguments []string) outcome {
	for i, w := range arguments {
		if !strings.HasPrefix(w, "-") || w == "-" || w == "--" || strings.HasPrefix(w, "--") {
			break
		}
		r.letters(w, firstOf(arguments[i+1:]))
		if strings.Contains(w, "o") {
			return r.settings(arguments[min(i+2, len(arguments)):])
		}
	}
	return well
}

// letters takes in an option of a shell; name is the word behind it.
func (r *outcomeReader) letters(option, name string) {
	long := strings.Contains(option, "o")
	r.errexit = r.errexit || strings.Contains(option, "e") || long && name == "errexit"
	r.nounset = r.nounset || strings.Contains(option, "u") || long && name == "nounset"
	r.pipefail = r.pipefail || long && name == "pipefail"
}

// shell is what a shell runs that gets its line as an argument.
func (r *outcomeReader) shell(arguments []token) outcome {
	inner := &outcomeReader{depth: r.depth + 1}
	code := false
	for i := 0; i < len(arguments); i++ {
		t := arguments[i]
		switch w := t.text; {
		case t.expands:
			return either
		case strings.HasPrefix(w, "--"), strings.HasPrefix(w, "+"):
		case strings.HasPrefix(w, "-"):
			code = code || strings.Contains(w, "c")
			if i+1 < len(arguments) {
				inner.letters(w, arguments[i+1].text)
			}
			if strings.Contains(w, "o") {
				i++
			}
		case code:
			return inner.line(w).within()
		default:
			return either
		}
	}
	return either
}
