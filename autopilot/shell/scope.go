package shell

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// PathScope is where a command line may write: a working tree, and folders that belong to nobody for long.
type PathScope struct {
	root    string // of the working tree
	real    string // the same without links
	home    string // what ~ and $HOME are
	temp    []string
	environ map[string]string
}

// NewPathScope looks at the world from the root of a working tree, with the
// environment that a command line gets.
func NewPathScope(root string, environ []string) *PathScope {
	known := map[string]string{}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		known[name] = value
	}
	real := filepath.ToSlash(followed(root))
	root = filepath.ToSlash(root)
	t := &PathScope{root: root, real: real, home: filepath.ToSlash(known["HOME"]), environ: known}
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
func (w *walk) outside(word string, all bool) string {
	if strings.Trim(word, marks) == "" || slices.Contains(harmless, word) || strings.HasPrefix(word, "/dev/fd/") || strings.HasPrefix(word, "/proc/self/fd/") {
		return ""
	}
	full, repository := w.resolve(word), path.Join(w.root, ".git")
	whole := !all || strings.HasSuffix(word, "/") || strings.HasSuffix(word, "/.")
	switch {
	case strings.Contains(word, "{") && strings.Contains(word, ".."): // braces that are not read as bash does
		return "may reach beyond the working tree: " + shown(word)
	case below(full, repository), strings.HasPrefix(path.Base(full), ".") && globMatches(full, repository):
		return "would destroy the repository: " + shown(word)
	case full == w.root && !all:
	case below(w.root, full):
		return "would destroy the working tree, or more: " + shown(word)
	case !below(full, w.root) && !w.temporary(full):
		return "reaches beyond the working tree: " + shown(word)
	case w.escapesViaLink(full, whole):
		return "reaches beyond the working tree, by a link: " + shown(word)
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
func (w *walk) resolve(word string) string {
	plain := filepath.ToSlash(strings.TrimLeft(word, marks))
	switch {
	case strings.HasPrefix(word, "~"):
		_, rest, _ := strings.Cut(word, "/")
		return w.climbed(w.home, rest)
	case filepath.VolumeName(plain) != "":
		return w.unlinked(path.Clean(plain))
	case path.IsAbs(plain) && plain == filepath.ToSlash(word):
		return w.unlinked(w.climbed("/", plain))
	}
	return w.climbed(w.vars["PWD"], plain)
}

// unlinked is a path below the root as it is without links, told as below the root that is known.
func (w *walk) unlinked(full string) string {
	if below(full, w.real) {
		return w.root + strings.TrimPrefix(full, w.real)
	}
	return full
}

// enter changes the folder.
func (w *walk) enter(to string) {
	before := w.vars["PWD"]
	if to == "-" {
		to = w.vars["OLDPWD"]
	}
	if to == "" {
		return
	}
	at := w.resolve(to)
	if w.escapesViaLink(at, true) { // from there, .. leads elsewhere
		at = filepath.ToSlash(standing(at))
	}
	w.vars["OLDPWD"], w.vars["PWD"] = before, at
}
