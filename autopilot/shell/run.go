package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// run visits a command and those that it starts, and returns what it prints. What it changes holds for the commands
// after it.
func (w *walk) run(words []string, byWord bool) stream {
	if w.steps += 1 + len(words)/mostWords; w.steps > mostSteps {
		w.unread = tooLong
		return stream{}
	}
	w.visit(&command{words: words, input: w.input, looked: w.looked, byWord: byWord})
	if body := w.functions[words[0]]; body != nil {
		delete(w.functions, words[0]) // one that calls itself is followed once
		defer func() { w.functions[words[0]] = body }()
		return w.with(words, func() stream { return w.nest([]*syntax.Stmt{body}) })
	}
	name, arguments := w.name(words[0]), words[1:]
	if at := behindStarter(name, words); at > 0 {
		return w.start(name, words, at)
	}
	switch name {
	case "cd", "pushd":
		to := operands(arguments)
		if len(arguments) == 0 {
			to = []string{w.home}
		}
		w.enter(first(to))
	case "read", "mapfile", "readarray", "getopts":
		for _, variable := range operands(arguments) {
			w.vars[variable] = unknown
		}
	case "popd":
		w.enter("-")
	case "find":
		w.find(arguments)
	}
	switch r := runs(name, arguments); {
	case name == "eval":
		return w.line(r.code)
	case r.shell && r.input:
		return w.apart(func() stream { return w.line(w.input.text) })
	case r.shell && r.code != "":
		args := arguments[slices.Index(arguments, r.code)+1:]
		if len(args) == 0 {
			args = []string{name}
		}
		return w.with(args, func() stream { return w.apart(func() stream { return w.line(r.code) }) })
	}
	return w.prints(name, arguments)
}

// with walks what is called with arguments: a function, or the code of sh -c.
func (w *walk) with(args []string, do func() stream) stream {
	defer func(args []string) { w.args = args }(w.args)
	w.args = args
	return do()
}

// find runs what find does with the files that it finds. Without a condition, its folders are among them.
func (w *walk) find(arguments []string) {
	first := slices.IndexFunc(arguments, func(a string) bool { return strings.HasPrefix(a, "-") && a != "-H" && a != "-L" })
	if first < 0 {
		return
	}
	folders, rest := operands(arguments[:first]), arguments[first:]
	if len(folders) == 0 {
		folders = []string{"."}
	}
	if slices.ContainsFunc(rest, func(a string) bool { return slices.Contains(narrowing, a) }) {
		for i, folder := range folders {
			folders[i] = folder + "/*"
		}
	}
	for i, a := range rest {
		end := i + slices.IndexFunc(rest[i:], func(a string) bool { return a == ";" || a == "+" })
		switch {
		case a == "-delete":
			w.run(append([]string{"rm", "-r"}, folders...), false)
		case slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, a) && end > i+1:
			for _, folder := range folders {
				called := slices.Clone(rest[i+1 : end])
				for n, word := range called {
					called[n] = strings.ReplaceAll(word, "{}", folder)
				}
				w.run(called, true)
			}
		}
	}
}

// narrowing are the conditions that keep find from finding everything.
var narrowing = []string{"-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-newer", "-mtime", "-mmin", "-empty", "-size", "-maxdepth"}

// start runs what stands behind a starter: a program with its words, or a line in one word.
func (w *walk) start(name string, words []string, at int) stream {
	own, rest := words[1:at], slices.Clone(words[at:])
	if name == "env" {
		if split := valuesOf(own, "S", "--split-string"); len(split) > 0 {
			return w.line(split[0])
		}
		defer func(dir string) { w.vars["PWD"] = dir }(w.vars["PWD"])
		for _, dir := range valuesOf(own, "C", "--chdir") {
			w.enter(dir)
		}
	}
	switch {
	case len(rest) == 0, name == "command" && len(own) > 0 && strings.EqualFold(own[0], "-v"): // only asks
		return stream{text: unknown}
	case strings.ContainsAny(rest[0], " \n;&|"):
		return w.line(rest[0])
	case name == "xargs" || name == "parallel":
		rest = append(rest, strings.Fields(w.input.text)...)
	}
	return w.run(rest, true)
}

func first(list []string) string { return strings.Join(list[:min(1, len(list))], "") }

func last(list []string) string { return strings.Join(list[max(0, len(list)-1):], "") }
