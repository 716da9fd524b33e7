package workspace

import (
	"bytes"
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
)

// homeFiles are the files in the user's home that git, shells and autopilot go by; of a folder, which ends with a slash, all
// that lie in it.
var homeFiles = []string{
	".gitconfig", ".config/git/config", ".config/git/attributes", ".config/git/ignore", ".config/autopilot/",
	".profile", ".bash_profile", ".bash_login", ".bashrc", ".bash_aliases", ".bash_logout", ".kshrc",
	".zshenv", ".zprofile", ".zshrc", ".zlogin", ".zlogout", ".config/fish/config.fish", ".config/fish/conf.d/",
	"Documents/PowerShell/Microsoft.PowerShell_profile.ps1", "Documents/WindowsPowerShell/Microsoft.PowerShell_profile.ps1",
}

// Home is what the files of the user's home are that decide how git, shells and autopilot work. It is kept in memory alone:
// they may hold passwords. Dispatches at work at once share one, so that a change is told once.
type Home struct {
	mu    sync.Mutex
	paths []string
	was   map[string][]byte
}

// ReadHome reads them, and further files that git's configuration lies in.
func ReadHome(further []string) *Home {
	h := &Home{paths: slices.Clone(further)}
	if dir, err := os.UserConfigDir(); err == nil { // elsewhere than in .config on some systems
		h.paths = append(h.paths, filepath.Join(dir, "autopilot")+"/")
	}
	for _, name := range homeFiles {
		if path := inHome(name); path != "" {
			h.paths = append(h.paths, path)
		}
	}
	h.was = h.read()
	return h
}

// inHome is where one of homeFiles lies; "" where there is no home.
func inHome(name string) string {
	dir, _ := os.UserHomeDir()
	file, below := strings.CutPrefix(name, ".config/")
	if xdg := os.Getenv("XDG_CONFIG_HOME"); below && filepath.IsAbs(xdg) {
		dir, name = xdg, file
	} else if strings.HasPrefix(name, ".z") {
		dir = cmp.Or(os.Getenv("ZDOTDIR"), dir)
	}
	if dir == "" {
		return ""
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}

// read reads what is there and a plain file, also behind a link.
func (h *Home) read() map[string][]byte {
	files := map[string][]byte{}
	for _, path := range h.paths {
		names := []string{path}
		if strings.HasSuffix(path, "/") {
			names = nil
			entries, _ := os.ReadDir(path) // most are not there
			for _, e := range entries {
				names = append(names, path+e.Name())
			}
		}
		for _, name := range names {
			if text, err := plainfile.Read(name); err == nil {
				files[filepath.Clean(name)] = text
			}
		}
	}
	return files
}

// homeChange is a file of the home that changed.
type homeChange struct {
	path       string
	difference string // a few lines of it, without secrets
}

// changed lists what changed since, or since the last call. It stays as it is: it may be the user who changed it.
func (h *Home) changed() []homeChange {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	was, now := h.was, h.read()
	h.was = now
	either := maps.Clone(was)
	maps.Copy(either, now)
	var changes []homeChange
	for _, path := range slices.Sorted(maps.Keys(either)) {
		before, there := was[path]
		after, still := now[path]
		if there != still || !bytes.Equal(before, after) {
			if text := difference(before, after); !maintained.MatchString(text) {
				changes = append(changes, homeChange{path, text})
			}
		}
	}
	return changes
}

// How much is shown of a difference.
const (
	maxDifference = 20  // lines
	maxShownLine  = 160 // bytes
)

// difference are the lines that went and came. What stayed around them is the user's alone.
func difference(before, after []byte) string {
	if !utf8.Valid(before) || !utf8.Valid(after) {
		return "it is no text"
	}
	var lines []string
	for i, line := range strings.Split(string(diff.Diff("", before, "", after)), "\n") {
		if i < 3 || line == "" || !strings.ContainsRune("-+@", rune(line[0])) { // the first three name the files
			continue
		}
		if len(lines) == maxDifference {
			return strings.Join(append(lines, "…"), "\n")
		}
		line = secretSetting.ReplaceAllString(withLogin.ReplaceAllString(line, "://[secret]@"), "${1}[secret]")
		if len(line) > maxShownLine {
			line = strings.ToValidUTF8(line[:maxShownLine], "") + "…"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// maintained is what git maintenance register writes. It harms nobody.
var maintained = lazyregexp.New(`^(@@[^\n]*\n?|[-+](\[maintenance\]|\trepo = [^\n]*)\n?)+$`)

// secretSetting is a line that gives something a value whose name says that it is secret, and withLogin an address with a name
// or a password in it.
var (
	secretSetting = lazyregexp.New(`(?i)((?:key|token|secret|pass|pwd|pat\b|credential|auth|cookie|header)[\w.-]*["']?[\s:=]+)\S.*`)
	withLogin     = lazyregexp.New(`://[^/@\s]*@`)
)
