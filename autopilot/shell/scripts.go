package shell

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// Script is a file that a command line runs.
type Script struct {
	Path   string // slashes, relative to the root; whether there is such a file is not looked at
	Looked bool   // another command looks at what it prints
	Shell  bool   // a shell runs it, whatever its first line says

	Folders []string // where it may run, relative to the root
}

// Scripts names the files below a root that a command line, begun in a folder there, runs as programs or has an
// interpreter run, also in sh -c. What a command only reads is none. The file system is not looked at.
func Scripts(line, root, dir string) []Script {
	return scripts(line, root, []string{path.Clean("./" + filepath.ToSlash(dir))}, false)
}

// ScriptsIn is Scripts for the text of a script of the shell: of all its lines, begun where it may run. It knows its own
// folder.
func ScriptsIn(text, root string, of Script) []Script {
	text = besides.ReplaceAllStringFunc(text, func(string) string { return top + "/" + path.Dir(of.Path) })
	text = standingBesides.ReplaceAllStringFunc(text, func(found string) string {
		return top + standingBesides.FindStringSubmatch(found)[1]
	})
	return scripts(text, root, of.Folders, of.Looked)
}

func scripts(line, root string, folders []string, looked bool) []Script {
	r := &scriptReader{
		root: filepath.ToSlash(root), folders: folders,
		words: &PathScope{environ: map[string]string{}, vars: map[string][]string{}},
	}
	r.line(line, looked)
	return r.found
}

// scriptReader follows a line from command to command.
type scriptReader struct {
	root    string
	folders []string   // where the line may stand, relative to the root
	before  []string   // where it stood
	words   *PathScope // only knows the line's variables
	depth   int        // of lines within lines
	found   []Script
}

// deepest is how far lines within lines are followed.
const deepest = 5

var (
	// ownFolder and topFolder are substitutions whose meaning is known.
	ownFolder = lazyregexp.New("\\$\\(\\s*pwd(?:\\s+-P)?\\s*\\)|`pwd`|\\$\\{PWD\\}|\\$PWD\\b")
	topFolder = lazyregexp.New("\\$\\(\\s*git rev-parse --show-toplevel\\s*\\)|`git rev-parse --show-toplevel`")
	// besides is the folder of a script, as it finds it itself; standingBesides is a folder from there, as a whole
	// path.
	besides         = lazyregexp.New("\\$\\(\\s*dirname\\s+(?:--\\s+)?" + really + "\\s*\\)|`dirname\\s+(?:--\\s+)?" + really + "`|\\$\\{(?:0|BASH_SOURCE(?:\\[0\\])?)%/\\*\\}")
	standingBesides = lazyregexp.New(`\$\(\s*(?:CDPATH=\S*\s+)?cd\s+(?:-P\s+)?(?:--\s+)?"?` + top + `([^\s"&;]*)"?\s*(?:>\s*/dev/null\s*(?:2>&1\s*)?)?(?:&&|;)\s*pwd(?:\s+-P)?\s*\)`)
	// copied is an operator by which one stream becomes another.
	copied = lazyregexp.New(`\d*>&[\d-]|&>{1,2}`)
)

const (
	itself = `"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})"?`
	really = `(?:` + itself + `|"?\$\(\s*(?:readlink\s+-f|realpath)\s+(?:--\s+)?` + itself + `\s*\)"?)`
)

// top stands for the root in a word.
const top = "\x01"

// line takes in a line; looked says that another command looks at what it prints.
func (r *scriptReader) line(line string, looked bool) {
	if r.depth++; r.depth <= deepest {
		line, _ = withoutHereDocuments(line)
		line = topFolder.ReplaceAllString(ownFolder.ReplaceAllString(line, "."), top)
		line = copied.ReplaceAllStringFunc(line, func(found string) string {
			if strings.HasPrefix(found, "&") {
				return " >"
			}
			return ""
		})
		s := split(line)
		for i := range s.commands {
			r.command(s, i, looked || s.printed[i] || s.looked(i))
		}
	}
	r.depth--
}

// passing are programs that hand on what they read.
var passing = []string{"tee", "cat", "tail", "head"}

// looked says whether a command further on looks at what this one prints.
func (s *splitter) looked(i int) bool {
	for i++; s.piped[i] && i < len(s.commands); i++ {
		if name := path.Base(s.commands[i][0]); !slices.Contains(passing, name) {
			return true
		}
	}
	return false
}

// command takes in one command of a line.
func (r *scriptReader) command(s *splitter, i int, looked bool) {
	words, input := unredirected(s.commands[i])
	at := r.program(words)
	if at >= len(words) {
		return
	}
	word, arguments := words[at], words[at+1:]
	name := programName(word)
	switch {
	case at > 0 && strings.ContainsAny(word, " \n;&|"): // those before it have a shell run it
		r.line(word, looked)
	case name == "cd" || name == "pushd":
		r.changed(firstOf(operands(arguments)), s.bracketed || s.printed[i])
	case name == "popd":
		r.changed("-", true)
	case name == "export" || name == "readonly" || name == "local":
		r.assign(arguments)
	case name == "for" && len(arguments) > 2 && arguments[1] == "in":
		r.words.vars[arguments[0]] = arguments[2:]
	case name == "eval":
		r.line(strings.Join(arguments, " "), looked)
	case name == "." || name == "source":
		r.files(firstOf(arguments), looked, true)
	default:
		if strings.Contains(word, "/") || at > 0 && path.Ext(word) != "" {
			r.files(word, looked, false)
		}
		if in, is := interpreting[name]; is {
			if input == nil && s.piped[i] && i > 0 && path.Base(s.commands[i-1][0]) == "cat" {
				input = operands(s.commands[i-1][1:])
			}
			r.interpreter(in, arguments, input, looked)
		}
	}
}
