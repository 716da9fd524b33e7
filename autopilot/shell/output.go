package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
)

// prints returns what a program prints, as far as that is known.
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
		s := w.contents(list)
		if slices.Contains(list, "-") || slices.Contains(list, "/dev/stdin") {
			s = s.and(w.input)
		}
		return s
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

// loads notes the files that curl and wget write.
func (w *walk) loads(name string, arguments []string) {
	files := valuesOf(arguments, map[string]string{"curl": "o", "wget": "O"}[name], "--output", "--output-document")
	w.load(files...)
	named := slices.ContainsFunc(arguments, func(a string) bool {
		return strings.HasPrefix(a, "--remote-name") || isBundle(a) && strings.Contains(a, "O")
	})
	if name == "curl" && !named || name == "wget" && len(files) > 0 {
		return
	}
	for _, a := range arguments {
		if strings.Contains(a, "://") {
			w.load(path.Base(a), path.Join(strings.Join(valuesOf(arguments, "P", "--directory-prefix"), ""), path.Base(a)))
		}
	}
}

// load notes files that come from the network.
func (w *walk) load(files ...string) {
	for _, file := range files {
		w.loaded = append(w.loaded, w.resolve(file))
	}
}

// isLoaded says whether the line fetched a file from the network.
func (w *walk) isLoaded(file string) bool {
	return strings.Contains(file, fetched) || slices.Contains(w.loaded, w.resolve(file))
}
