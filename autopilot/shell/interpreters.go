package shell

import (
	"slices"
	"strings"
)

// interpreter is how the arguments of a program are read that runs a file among them.
type interpreter struct {
	values   string // options that take the next word
	code     string // options behind which the program itself stands
	dry      string // options, and words before the file, with which it runs none, or only the tests in it
	file     string // an option that names the file
	module   string // an option that names it as a module
	before   string // words that may, or with needs, have to stand before the file
	needs    bool
	letters  bool   // options of one letter may stand together
	attached string // letters whose value is the rest of the word
	shell    bool   // its code is a line of the shell
	folded   bool   // options may be in capitals
	also     string // what a name may lack: the ends of the files that it stands for
}

const (
	nodeValues = "-r -C --require --import --loader --experimental-loader --conditions --input-type --env-file --title"
	nodeCode   = "-e -p -pe --eval --print"
)

// interpreting has the interpreters by name, without their versions.
var interpreting = map[string]interpreter{
	"sh": posix, "bash": posix, "dash": posix, "zsh": posix, "ksh": posix, "ash": posix,
	"python":     python,
	"pypy":       python,
	"node":       node,
	"nodejs":     node,
	"tsx":        {values: nodeValues + " --tsconfig", code: nodeCode, dry: "-c --check --test", before: "watch"},
	"ts-node":    {values: "-P -O -r -C -I --project --compilerOptions --require --compiler --ignore", code: nodeCode},
	"deno":       {values: "-c --config --import-map --lock --cert --location --seed", before: "run", needs: true},
	"bun":        {values: "-r --preload --env-file --cwd --config", code: nodeCode, dry: "test install add remove build x create update link pm init", before: "run"},
	"ruby":       {values: "-I -r -C -E", code: "-e", dry: "-c", letters: true, attached: "IrCEKTWx0Fi"},
	"perl":       {values: "-I", code: "-e -E", dry: "-c", letters: true, attached: "IMmFdDCx0il"},
	"php":        {values: "-d -c -z -S -t", code: "-r -B -R -E", dry: "-l", file: "-f"},
	"lua":        {values: "-e -l"},
	"luajit":     {values: "-e -l -b -j"},
	"Rscript":    {code: "-e"},
	"pwsh":       powershell,
	"powershell": powershell,
}

var (
	posix      = interpreter{values: "-o -O --rcfile --init-file", code: "-c", dry: "-n", letters: true, shell: true}
	node       = interpreter{values: nodeValues, code: nodeCode, dry: "-c --check --test", also: ".js /index.js"}
	python     = interpreter{values: "-W -X", code: "-c", module: "-m", letters: true, attached: "WX", also: "/__main__.py"}
	powershell = interpreter{values: "-executionpolicy -ep -ex -version -workingdirectory -wd -inputformat -outputformat", code: "-command -c -encodedcommand", file: "-file -f", folded: true}
)

// interpreter takes in what an interpreter runs; input is what it reads where no file is named.
func (r *scriptReader) interpreter(in interpreter, arguments, input []string, looked bool) {
	before := strings.Fields(in.before)
	for i := 0; i < len(arguments); i++ {
		w, next := arguments[i], firstOf(arguments[i+1:])
		switch {
		case w == "--":
			r.files(next, looked, in.shell)
			return
		case in.shell && strings.HasPrefix(w, "+"):
		case len(w) > 1 && strings.HasPrefix(w, "-"):
			m := in.option(w)
			if m == takesValue {
				i++
			} else if m != standsAlone {
				r.chosen(in, m, w, next, looked)
				return
			}
		case slices.Contains(before, w):
			before, in.needs = nil, false
		case in.needs, slices.Contains(strings.Fields(in.dry), w):
			return
		default:
			for _, end := range append(strings.Fields(in.also), "") {
				r.files(w+end, looked, in.shell)
			}
			return
		}
	}
	for _, file := range input {
		r.files(file, looked, in.shell)
	}
}

// chosen takes in what an option says is run: itself, or the word behind it.
func (r *scriptReader) chosen(in interpreter, m meaning, option, next string, looked bool) {
	switch {
	case m == takesCode && in.shell:
		folders := r.folders // as they are again behind it
		r.line(next, looked)
		r.folders = folders
	case m == takesFile:
		r.files(next, looked, in.shell)
	case m == takesModule:
		if _, name, _ := strings.Cut(option[1:], in.module[1:]); name != "" { // -mNAME
			next = name
		}
		r.module(next, looked)
	}
}

// module takes in a module of Python.
func (r *scriptReader) module(name string, looked bool) {
	if file := strings.ReplaceAll(name, ".", "/"); file != "" {
		r.files(file+".py", looked, false)
		r.files(file+"/__main__.py", looked, false)
	}
}

// meaning is what an option says of the words behind it.
type meaning int

const (
	standsAlone meaning = iota
	takesValue
	takesCode
	takesFile
	takesModule
	runsNothing
)

// option reads an option, letter by letter where several may stand together.
func (in interpreter) option(w string) meaning {
	if m := in.whole(w); m != standsAlone || !in.letters || strings.HasPrefix(w, "--") {
		return m
	}
	m := standsAlone
	for i, letter := range w[1:] {
		switch found := in.whole("-" + string(letter)); {
		case found == runsNothing:
			return found
		case found != standsAlone && m == standsAlone:
			if m = found; found == takesModule {
				return found
			}
		}
		if strings.ContainsRune(in.attached, letter) {
			if i+2 < len(w) {
				return standsAlone
			}
			break
		}
	}
	return m
}

// whole looks a word up among the options.
func (in interpreter) whole(w string) meaning {
	if in.folded {
		w = strings.ToLower(w)
	}
	for m, list := range []string{takesValue: in.values, takesCode: in.code, takesFile: in.file, takesModule: in.module, runsNothing: in.dry} {
		if slices.Contains(strings.Fields(list), w) {
			return meaning(m)
		}
	}
	return standsAlone
}
