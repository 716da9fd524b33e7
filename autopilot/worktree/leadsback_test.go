package worktree

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/validate"
)

func TestCopyThatLeadsBackIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		file, text, link string
		back             bool
	}{
		"editable path file":          {file: ".venv/lib/python3/site-packages/x.pth", text: "ROOT/src\n", back: true},
		"the tree itself":             {file: ".venv/lib/python3/site-packages/x.pth", text: "ROOT\n", back: true},
		"older egg link":              {file: ".venv/lib/x.egg-link", text: "ROOT\n.", back: true},
		"finder of an editable":       {file: ".venv/lib/__editable___x_finder.py", text: "MAPPING = {'x': 'ROOT/x'}", back: true},
		"direct url":                  {file: ".venv/lib/x.dist-info/direct_url.json", text: `{"dir_info": {"editable": true}, "url": "file://ROOT"}`, back: true},
		"absolute link":               {file: ".venv/x", link: "ROOT/packages/x", back: true},
		"relative link":               {file: ".venv/x", link: "../packages/x"},
		"another folder's path file":  {file: ".venv/lib/x.pth", text: "ROOT-2/src\n"},
		"the environment's own files": {file: ".venv/lib/x.pth", text: "ROOT/.venv/lib/y\n"},
		"a link into itself":          {file: ".venv/x", link: "ROOT/.venv/y"},
		"plain code":                  {file: ".venv/lib/x.py", text: "ROOT"},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "tree")
			file := filepath.Join(root, filepath.FromSlash(c.file))
			err := os.MkdirAll(filepath.Dir(file), 0o755)
			if err == nil && c.link != "" {
				err = os.Symlink(strings.ReplaceAll(c.link, "ROOT", root), file)
			} else if err == nil {
				err = os.WriteFile(file, []byte(strings.ReplaceAll(c.text, "ROOT", filepath.ToSlash(root))), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			err = leadsBack(root, ".venv")
			if (err != nil) != c.back {
				t.Fatalf("got %v", err)
			}
			if err != nil && (!strings.Contains(err.Error(), c.file) || !strings.Contains(err.Error(), "worktree.setup")) {
				t.Errorf("%v names neither the file nor the way out", err)
			}
		})
	}
	if err := leadsBack(t.TempDir(), "node_modules"); err != nil {
		t.Errorf("what is not there: %v", err)
	}
}

func TestNewTreeThatFindsTheOldOnesWorkspacesIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		link, target string // in the old tree, slashes; ROOT is the tree
		to           string
		own          string // a folder in the new tree
		back         bool
	}{
		"workspace":                     {"node_modules/greet", "../packages/greet", ".harness/worktrees/x", "", true},
		"absolute":                      {"node_modules/greet", "ROOT/packages/greet", ".harness/worktrees/x", "", true},
		"scoped":                        {"node_modules/@a/greet", "../../packages/greet", ".harness/worktrees/x", "", true},
		"copied":                        {"node_modules/greet", "../packages/greet", ".harness/worktrees/x", "node_modules", false},
		"the new tree elsewhere":        {"node_modules/greet", "../packages/greet", "../elsewhere", "", false},
		"a package beside":              {"node_modules/greet", ".store/greet", ".harness/worktrees/x", "", false},
		"a package of another project":  {"node_modules/greet", "../../other", ".harness/worktrees/x", "", false},
		"a package that is not there":   {"node_modules/greet", "../packages/gone", ".harness/worktrees/x", "", false},
		"a program of a package's":      {"node_modules/.bin/greet", "../../packages/greet", ".harness/worktrees/x", "", false},
		"a workspace's own environment": {"packages/greet/node_modules/x", "../../x", ".harness/worktrees/x", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "tree")
			to := filepath.Join(root, filepath.FromSlash(c.to))
			for _, dir := range []string{"packages/greet", "node_modules/.store/greet", "../other", "x"} {
				if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(dir)), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			link := filepath.Join(root, filepath.FromSlash(c.link))
			err := errors.Join(os.MkdirAll(filepath.Join(to, c.own), 0o755), os.MkdirAll(filepath.Dir(link), 0o755),
				os.Symlink(strings.ReplaceAll(c.target, "ROOT", root), link))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Prepare(t.Context(), validate.Runner{Now: time.Now}, Setup{}, root, to)
			if (err != nil) != c.back {
				t.Fatalf("got %v", err)
			}
			if err != nil && (!strings.Contains(err.Error(), c.link+" leads to packages/greet") || !strings.Contains(err.Error(), "worktree.copy")) {
				t.Errorf("%v names neither the link nor the way out", err)
			}
			var seen *seesOldError
			if _, err := Prepare(t.Context(), validate.Runner{Now: time.Now}, Setup{Command: "true"}, root, to); errors.As(err, &seen) {
				t.Errorf("with a setup: %v", err)
			}
		})
	}
}
