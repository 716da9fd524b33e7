package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
)

// run visits a command and those that it starts, takes in what it changes for the commands behind it, and gives what it
// prints.
func (w *walk) run(words []string, byWord bool) stream {
	if w.steps++; w.steps > mostSteps {
		return stream{}
	}
	w.visit(&command{words: words, input: w.input, looked: w.looked, byWord: byWord})
	name, arguments := w.name(words[0]), words[1:]
	if at := behindStarter(name, words); at > 0 {
		return w.start(name, words, at)
	}
	switch name {
	case "cd", "pushd":
		w.enter(first(operands(arguments)))
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
		return w.apart(func() stream { return w.line(r.code) })
	}
	return w.prints(name, arguments)
}

// find runs what find does with what it finds: that lies below its folders or, without any condition, is one of them.
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

// prints gives what a program prints, as far as that is known.
func (w *walk) prints(name string, arguments []string) stream {
	list := operands(arguments)
	switch name {
	case "true", ":", "test", "[", "cd", "pushd", "set":
		return stream{}
	case "echo":
		return stream{text: bounded(strings.Join(list, " "))}
	case "printf":
		if len(list) > 0 {
			text, err := expanded(func() (string, error) {
				text, _, err := expand.Format(w.config(), list[0], list[1:])
				return text, err
			})
			if err == nil {
				return stream{text: bounded(text)}
			}
		}
	case "pwd":
		return stream{text: w.vars["PWD"]}
	case "dirname":
		return stream{text: path.Dir(last(list))}
	case "basename":
		return stream{text: path.Base(first(list))}
	case "readlink", "realpath":
		return stream{text: last(list)}
	case "git":
		if slices.Equal(arguments, []string{"rev-parse", "--show-toplevel"}) {
			return stream{text: w.root}
		}
	case "tee":
		return w.input
	case "cat":
		if len(list) == 0 {
			return w.input
		}
		return w.contents(list)
	case "curl", "wget":
		w.loads(name, arguments)
		return stream{text: fetched}
	case "pgrep", "pidof":
		if !slices.Contains(arguments, "-P") {
			return stream{text: processes}
		}
	}
	text := unknown
	for _, mark := range strings.Split(fetched+processes+outsiders, "") {
		if strings.Contains(w.input.text, mark) {
			text += mark
		}
	}
	return stream{text: text + w.reaching(list)}
}

// contents is what files hold.
func (w *walk) contents(files []string) stream {
	s := stream{text: unknown + w.reaching(files), files: files}
	for _, file := range files {
		if w.isLoaded(file) {
			s.text = fetched
		}
	}
	return s
}

// reaching marks the output of a program that looks outside of the working tree.
func (w *walk) reaching(operands []string) string {
	if slices.ContainsFunc(operands, func(o string) bool {
		return strings.ContainsAny(o, "/~.") && !below(w.resolve(o), w.root)
	}) {
		return outsiders
	}
	return ""
}

// loads takes in the files that curl and wget write.
func (w *walk) loads(name string, arguments []string) {
	w.load(valuesOf(arguments, map[string]string{"curl": "o", "wget": "O"}[name], "--output", "--output-document")...)
	for _, a := range arguments {
		if strings.Contains(a, "://") {
			w.load(path.Base(a), path.Join(strings.Join(valuesOf(arguments, "P", "--directory-prefix"), ""), path.Base(a)))
		}
	}
}

func (w *walk) load(files ...string) {
	for _, file := range files {
		w.loaded = append(w.loaded, w.resolve(file))
	}
}

// isLoaded says whether the line fetched a file from the network.
func (w *walk) isLoaded(file string) bool {
	return strings.Contains(file, fetched) || slices.Contains(w.loaded, w.resolve(file))
}

func first(list []string) string { return strings.Join(list[:min(1, len(list))], "") }

func last(list []string) string { return strings.Join(list[max(0, len(list)-1):], "") }
