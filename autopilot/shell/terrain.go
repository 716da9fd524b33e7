package shell

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// PathScope is where the words of a command line lead.
type PathScope struct {
	root    string   // of the working tree
	real    string   // the same without links
	home    string   // what ~ and $HOME are
	temp    []string // folders that belong to nobody for long
	cwd     string
	environ map[string]string
	vars    map[string][]string // what variables were made in the line
	links   []newLink
	loaded  []string // files that the line fetched from the network
}

// NewTerrain looks at the world from the root of a working tree, with the
// environment that a command line gets.
func NewTerrain(root string, environ []string) *PathScope {
	known := map[string]string{}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		known[name] = value
	}
	real := filepath.ToSlash(followed(root))
	root = filepath.ToSlash(root)
	t := &PathScope{root: root, real: real, home: filepath.ToSlash(known["HOME"]), cwd: root, environ: known, vars: map[string][]string{}}
	known["PWD"] = root
	t.Free("/tmp", "/var/tmp", "/private/tmp", "/dev/shm", known["TMPDIR"], os.TempDir())
	return t
}

func followed(p string) string {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	return filepath.Clean(p)
}

// OwnHome says that the home is not the user's, so that nothing is lost in it.
func (t *PathScope) OwnHome() { t.Free(t.home) }

// Free names folders in which everything may be written; "" is none.
func (t *PathScope) Free(dirs ...string) {
	for _, dir := range dirs {
		if dir != "" {
			t.temp = append(t.temp, filepath.ToSlash(filepath.Clean(dir)))
		}
	}
}

// outside says why a path is not to be written: it lies beyond the working tree
// and the folders for temporary files, or holds the repository itself. All says
// that what lies in a folder goes with it.
func (t *PathScope) outside(word string, all bool) string {
	for _, word := range t.expand(word) {
		if word == "" || word == substituted || slices.Contains(harmless, word) {
			continue
		}
		full := t.resolve(word)
		whole := !all || strings.HasSuffix(word, "/") || strings.HasSuffix(word, "/.")
		switch {
		case below(full, path.Join(t.root, ".git")), strings.HasPrefix(path.Base(full), ".") && globMatches(full, path.Join(t.root, ".git")):
			return "would destroy the repository: " + shown(word)
		case full == t.root && !all:
		case below(t.root, full):
			return "would destroy the working tree, or more: " + shown(word)
		case !below(full, t.root) && !t.temporary(full):
			return "reaches beyond the working tree: " + shown(word)
		case t.escapesViaLink(full, whole):
			return "reaches beyond the working tree, by a link: " + shown(word)
		}
	}
	return ""
}

func (t *PathScope) temporary(full string) bool {
	return slices.ContainsFunc(t.temp, func(dir string) bool { return below(full, dir) && full != dir && !t.holdsHome(dir, full) })
}

// holdsHome says whether a path of a temporary folder is, holds, or lies in a home below that folder: that is not to be
// lost, wherever it lies. A home that is the folder itself does not count, else nothing there would be temporary.
func (t *PathScope) holdsHome(dir, full string) bool {
	home := path.Clean(t.home)
	if home == dir || !below(home, dir) {
		return false
	}
	for at := home; at != dir; at = path.Dir(at) {
		if full == at || globMatches(full, at) {
			return true
		}
	}
	return below(full, home)
}

// harmless are devices that nothing is lost in.
var harmless = []string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero"}

func shown(word string) string { return strings.ReplaceAll(word, substituted, "$(…)") }

func below(full, dir string) bool {
	return full == dir || strings.HasPrefix(full, strings.TrimSuffix(dir, "/")+"/")
}

// globMatches says whether a pattern of the shell stands for a path.
func globMatches(pattern, full string) bool {
	ok, err := path.Match(pattern, full)
	return err == nil && ok
}

// resolve makes a word a whole path. What a substitution puts there is taken for
// the working folder, as is usual.
func (t *PathScope) resolve(word string) string {
	if expanded := t.expand(word); len(expanded) > 0 {
		word = expanded[0]
	}
	switch {
	case strings.HasPrefix(word, substituted):
		return t.climbed(t.cwd, strings.TrimPrefix(word, substituted))
	case word == "-":
		return t.cwd
	case strings.HasPrefix(word, "~"):
		_, rest, _ := strings.Cut(word, "/")
		return t.climbed(t.home, rest)
	case path.IsAbs(word) || filepath.IsAbs(word):
		full := t.climbed("/", filepath.ToSlash(word))
		if filepath.VolumeName(word) != "" {
			full = path.Clean(filepath.ToSlash(word))
		}
		if below(full, t.real) {
			full = t.root + strings.TrimPrefix(full, t.real)
		}
		return full
	}
	return t.climbed(t.cwd, filepath.ToSlash(word))
}

// variable is one, with what is done to its value.
var variable = lazyregexp.New(`\$(?:\{(\w+)((?:[:\-=?+%#/^,][^}]*)?)\}|(\w+))`)

// maxExpanded is how many of the meanings of a word are looked at, or few more.
const maxExpanded = 100

// expand gives what a word stands for: several for a variable of a loop.
func (t *PathScope) expand(word string) []string {
	m := variable.FindStringSubmatchIndex(word)
	if m == nil {
		return []string{word}
	}
	parts := variable.FindStringSubmatch(word)
	values := t.values(parts[1]+parts[3], parts[2])
	var out []string
	for _, value := range values {
		rest := word[m[1]:]
		if strings.Contains(value, "$") { // of itself, or of another: once is enough
			value = ""
		}
		for _, expanded := range t.expand(rest) {
			out = append(out, word[:m[0]]+value+expanded)
		}
		if len(out) > maxExpanded {
			break
		}
	}
	return out
}

// values are those of a variable. Of what may be done to it only the default is
// worked out: a value of which a part is cut off leads as far as the whole.
func (t *PathScope) values(name, done string) []string {
	values, made := t.vars[name]
	if value, ok := t.environ[name]; !made && ok {
		values = []string{value}
	}
	switch instead := strings.TrimPrefix(done, ":"); {
	case strings.HasPrefix(instead, "+"):
		values = t.expand(instead[1:])
	case len(values) > 0:
	case strings.HasPrefix(instead, "-"), strings.HasPrefix(instead, "="):
		values = t.expand(instead[1:])
	}
	if len(values) == 0 { // nothing, as the shell has it
		values = []string{""}
	}
	return values
}

// redirection is an operator, with what follows in the same word.
var redirection = lazyregexp.New(`^(?:\d*|&)>{1,2}\|?(.*)$`)

// redirections judges what a command writes to by > and >>.
func (t *PathScope) redirections(words []string) string {
	for i, w := range words {
		m := redirection.FindStringSubmatch(w)
		if m == nil {
			continue
		}
		target := m[1]
		if target == "" && i+1 < len(words) {
			target = words[i+1]
		}
		if strings.HasPrefix(target, "/dev/fd/") || strings.HasPrefix(target, "/proc/self/fd/") {
			continue
		}
		if why := t.outside(target, false); why != "" {
			return "> " + why
		}
	}
	return ""
}

// namesOutside says whether commands look at something outside of the tree.
func (t *PathScope) namesOutside(commands [][]string) bool {
	for _, words := range commands {
		for _, w := range operands(words[1:]) {
			full := t.resolve(w)
			if strings.ContainsAny(w, "/~$.") && (w == "." || !below(full, t.root)) && full != t.root {
				return true
			}
		}
	}
	return false
}
