package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// homeWith gives a test a home with these files.
func homeWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("ZDOTDIR", "")
	for name, text := range files {
		writeHome(t, filepath.Join(dir, name), text)
	}
	return dir
}

func writeHome(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestAChangeInTheHomeIsToldOnceWithItsLines(t *testing.T) {
	long := strings.Repeat("x\n", 30)
	for name, c := range map[string]struct{ path, before, after, want string }{
		"git's configuration":  {".gitconfig", "[user]\n\tname = Ada\n", "[user]\n\tname = Ada\n[core]\n\thooksPath = /evil\n", "@@ -1,2 +1,4 @@\n+[core]\n+\thooksPath = /evil"},
		"git's attributes":     {".config/git/attributes", "", "* filter=evil\n", "+* filter=evil"},
		"git's ignored files":  {".config/git/ignore", "*.o\n", "*\n", "-*.o\n+*"},
		"of bash":              {".bashrc", "a\n", "a\nalias ls=evil\n", "+alias ls=evil"},
		"of zsh":               {".zshenv", "", "evil\n", "+evil"},
		"of fish":              {".config/fish/conf.d/x.fish", "", "evil\n", "+evil"},
		"autopilot's":          {".config/autopilot/config.yaml", "rigor: fast\n", "backends: {}\n", "-rigor: fast\n+backends: {}"},
		"a secret":             {".profile", "export API_TOKEN=one-two\n", "export API_TOKEN=three-four\n", "-export API_TOKEN=[secret]\n+export API_TOKEN=[secret]"},
		"a header":             {".gitconfig", "", "extraHeader = Authorization: Basic abc\n", "+extraHeader = [secret]"},
		"an address":           {".gitconfig", "", "url = https://me:pw@example.com/\n", "+url = https://[secret]@example.com/"},
		"many lines":           {".bashrc", "", long, strings.Repeat("+x\n", 19) + "…"},
		"one that is no text":  {".bashrc", "", "\xff\xfe", "it is no text"},
		"not what lies beside": {".bash_history", "", "ls\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			home := homeWith(t, map[string]string{"unchanged": "x"})
			path := filepath.Join(home, c.path)
			if c.before != "" {
				writeHome(t, path, c.before)
			}
			h := ReadHome(nil)
			writeHome(t, path, c.after)
			changes := h.changed()
			if c.want == "" {
				if len(changes) > 0 {
					t.Errorf("told: %q", changes)
				}
				return
			}
			if len(changes) != 1 || changes[0].path != path || !strings.HasSuffix(changes[0].difference, c.want) {
				t.Fatalf("got %q, want %q", changes, c.want)
			}
			if again := h.changed(); len(again) > 0 {
				t.Errorf("told again: %q", again)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if gone := h.changed(); len(gone) != 1 {
				t.Errorf("that it is gone is told as %q", gone)
			}
		})
	}
}

// TestWhereTheHomeKeepsItsFilesIsAsked: XDG_CONFIG_HOME and ZDOTDIR move them, and git's configuration includes others.
func TestWhereTheHomeKeepsItsFilesIsAsked(t *testing.T) {
	home := homeWith(t, nil)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "xdg"))
	t.Setenv("ZDOTDIR", filepath.Join(home, "zsh"))
	further := filepath.Join(home, "included")
	h := ReadHome([]string{further})
	paths := []string{further, filepath.Join(home, "xdg/autopilot/config.yaml"), filepath.Join(home, "xdg/git/config"), filepath.Join(home, "zsh/.zshrc")}
	for _, path := range append(paths, filepath.Join(home, ".zshrc")) {
		writeHome(t, path, "x\n")
	}
	changes := h.changed()
	if len(changes) != len(paths) {
		t.Fatalf("got %q", changes)
	}
	for i, path := range paths {
		if changes[i].path != path {
			t.Errorf("got %s, want %s", changes[i].path, path)
		}
	}
	writeHome(t, filepath.Join(home, "zsh/.zprofile"), "")
	if changes := h.changed(); len(changes) != 1 || changes[0].difference != "" {
		t.Errorf("a new file without a line is told as %q", changes)
	}
	var none *Home
	if none.changed() != nil {
		t.Error("nothing was read before, and something is told")
	}
}
