package shell

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Script is a file that a command line runs.
type Script struct {
	Path   string // slashes, relative to the root; whether there is such a file is not looked at
	Looked bool   // another command looks at what it prints
	Shell  bool   // a shell runs it, whatever its first line says
	Dir    string // where it runs, relative to the root
}

// Scripts names the files below a root that a command line, begun in a folder there, runs as programs or has an
// interpreter run, also in sh -c. What a command only reads is none.
func Scripts(line, root, dir string) []Script {
	return scripts(line, root, Script{Dir: filepath.ToSlash(dir)}, nil)
}

// ScriptsIn is Scripts for the text of a script of the shell: of all its lines, begun where it runs. It knows its own
// folder.
func ScriptsIn(text, root string, of Script) []Script {
	self := path.Join(filepath.ToSlash(root), of.Path)
	return scripts(text, root, of, map[string]string{"0": self, "BASH_SOURCE": self})
}

func scripts(text, root string, of Script, vars map[string]string) (found []Script) {
	root = filepath.ToSlash(root)
	if vars == nil {
		vars = map[string]string{}
	}
	vars["PWD"] = path.Join(root, of.Dir)
	w := newWalk(&PathScope{root: root, real: root}, vars, nil)
	add := func(c *command, file string, byShell bool) {
		if p, is := w.inside(file); is && p != "." {
			dir, _ := w.inside(".")
			if s := (Script{Path: p, Looked: c.looked, Shell: byShell, Dir: dir}); !slices.Contains(found, s) { // once, where a function runs it
				found = append(found, s)
			}
		}
	}
	w.looked = of.Looked
	w.visit = func(c *command) {
		if len(c.words) == 0 {
			return
		}
		word := c.words[0]
		if strings.Contains(word, "/") || c.byWord && path.Ext(word) != "" {
			add(c, word, false)
		}
		r := runs(programName(word), c.words[1:])
		if r.input {
			r.files = c.input.files
		}
		for _, file := range r.files {
			add(c, file, r.shell)
		}
	}
	w.line(text)
	return found
}

// inside is a path relative to the root, if it is below.
func (w *walk) inside(file string) (string, bool) {
	rel, below := strings.CutPrefix(w.resolve(file)+"/", strings.TrimSuffix(w.root, "/")+"/")
	return path.Clean(rel), below && !strings.ContainsAny(rel, marks)
}
