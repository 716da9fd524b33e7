package shell

import (
	"path"
	"slices"
	"strings"
)

// loads takes in which files a command fetches from the network.
func (t *PathScope) loads(program string, arguments []string) {
	var files []string
	switch program {
	case "curl":
		files = valuesOf(arguments, "o", "--output")
		if len(files) == 0 && (slices.ContainsFunc(arguments, func(w string) bool {
			return strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "O")
		}) || slices.Contains(arguments, "--remote-name")) {
			files = lastParts(arguments)
		}
	case "wget":
		if files = valuesOf(arguments, "O", "--output-document"); len(files) == 0 {
			for _, name := range lastParts(arguments) {
				files = append(files, path.Join(strings.Join(valuesOf(arguments, "P", "--directory-prefix"), ""), name))
			}
		}
	default:
		return
	}
	for i, w := range arguments {
		if m := redirection.FindStringSubmatch(w); m != nil {
			files = append(files, m[1]+strings.Join(arguments[min(i+1, len(arguments)):min(i+2, len(arguments))], ""))
			files = append(files, m[1])
		}
	}
	for _, name := range files {
		if name != "" && name != "-" {
			t.loaded = append(t.loaded, t.resolve(name))
		}
	}
}

// lastParts are the names that addresses end with.
func lastParts(arguments []string) []string {
	var names []string
	for _, w := range arguments {
		if strings.Contains(w, "://") {
			names = append(names, path.Base(w))
		}
	}
	return names
}

// runsLoaded says whether a command runs a file that the line fetched.
func (t *PathScope) runsLoaded(words []string, program string, arguments []string) bool {
	file := words[0]
	if slices.Contains(shells, program) || slices.Contains(interpreters, program) || slices.Contains(sourcing, program) {
		list := operands(arguments)
		inline := slices.ContainsFunc(arguments, func(w string) bool { return w == "-c" || w == "-e" || w == "-m" })
		if len(list) == 0 || inline {
			return false
		}
		file = list[0]
	} else if !strings.Contains(file, "/") {
		return false
	}
	return slices.Contains(t.loaded, t.resolve(file))
}

// sourcing are the words by which a shell runs a file itself.
var sourcing = []string{"source", "."}

// killsByName says whether kill gets the processes that a name finds, which may be anybody's.
func killsByName(commands [][]string, arguments []string) bool {
	named := slices.ContainsFunc(operands(arguments), func(w string) bool { return !strings.Contains(w, substituted) })
	return !named && slices.ContainsFunc(commands, func(words []string) bool {
		return (path.Base(words[0]) == "pgrep" || path.Base(words[0]) == "pidof") && !slices.Contains(words, "-P")
	})
}
