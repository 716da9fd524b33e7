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
	input    string // an option with which it reads the program
}

const (
	nodeValues = "-r -C --require --import --loader --experimental-loader --conditions --input-type --env-file --title"
	nodeCode   = "-e -p -pe --eval --print"
)

// interpreting has the interpreters by name, without their versions.
var interpreting = map[string]interpreter{
	".": {shell: true}, "source": {shell: true},
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
	posix      = interpreter{values: "-o -O --rcfile --init-file", code: "-c", dry: "-n", letters: true, shell: true, input: "-s"}
	node       = interpreter{values: nodeValues, code: nodeCode, dry: "-c --check --test", also: ".js /index.js"}
	python     = interpreter{values: "-W -X", code: "-c", module: "-m", letters: true, attached: "WX", also: "/__main__.py"}
	powershell = interpreter{values: "-executionpolicy -ep -ex -version -workingdirectory -wd -inputformat -outputformat", code: "-command -c -encodedcommand", file: "-file -f", folded: true}
)

// run is what an interpreter runs.
type run struct {
	shell bool
	code  string
	files []string // that it may be: one of them is
	input bool     // what it reads
}

// runs says what a program runs, if it is one that runs what its arguments say.
func runs(name string, arguments []string) run {
	switch in, is := interpreting[name]; {
	case name == "eval":
		return run{shell: true, code: strings.Join(arguments, " ")}
	case name == "trap":
		return run{shell: true, code: first(operands(arguments))}
	case is:
		r := in.runs(arguments)
		r.shell = in.shell
		return r
	}
	return run{}
}

func (in interpreter) runs(arguments []string) run {
	before := strings.Fields(in.before)
	for i := 0; i < len(arguments); i++ {
		w, next := arguments[i], first(arguments[i+1:])
		switch {
		case w == "--":
			return run{files: []string{next}}
		case in.shell && strings.HasPrefix(w, "+"):
		case len(w) > 1 && strings.HasPrefix(w, "-"):
			switch m := in.option(w); m {
			case standsAlone:
			case takesValue:
				i++
			default:
				if in.shell && m == takesCode {
					next = first(operands(arguments[i+1:]))
				}
				return in.chosen(m, w, next)
			}
		case slices.Contains(before, w):
			before, in.needs = nil, false
		case in.needs, slices.Contains(strings.Fields(in.dry), w):
			return run{}
		case w == "-", w == "/dev/stdin":
			return run{input: true}
		default:
			r := run{files: []string{w}}
			for _, end := range strings.Fields(in.also) {
				r.files = append(r.files, w+end)
			}
			return r
		}
	}
	return run{input: !in.needs}
}

// chosen is what an option says is run: the word behind it, or what is read.
func (in interpreter) chosen(m meaning, option, next string) run {
	switch m {
	case takesCode:
		return run{code: next}
	case takesFile:
		return run{files: []string{next}}
	case readsInput:
		return run{input: true}
	case takesModule:
		if _, name, _ := strings.Cut(option[1:], in.module[1:]); name != "" { // -mNAME
			next = name
		}
		file := strings.ReplaceAll(next, ".", "/")
		return run{files: []string{file + ".py", file + "/__main__.py"}}
	}
	return run{}
}

// meaning is what an option says of the words behind it.
type meaning int

const (
	standsAlone meaning = iota
	takesValue
	takesCode
	takesFile
	takesModule
	readsInput
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
	for m, list := range []string{takesValue: in.values, takesCode: in.code, takesFile: in.file, takesModule: in.module, readsInput: in.input, runsNothing: in.dry} {
		if slices.Contains(strings.Fields(list), w) {
			return meaning(m)
		}
	}
	return standsAlone
}
