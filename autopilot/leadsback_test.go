package autopilot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
