package autopilot

import (
	"maps"
	"slices"
	"testing"
)

func TestHiddenFilesAreFoundHoweverTheyAreIgnored(t *testing.T) {
	for name, c := range map[string]struct {
		patterns string
		files    []string
		want     []string
	}{
		"by name":                            {"pytest.ini\n*.log\n", []string{"pytest.ini", "a/x.log"}, []string{"pytest.ini"}},
		"a folder":                           {"data/\n", []string{"data/sub/conftest.py", "data/pytest.ini"}, []string{"data/sub/conftest.py"}},
		"all that is in a folder":            {"data/*\n", []string{"data/sub/conftest.py", "data/pytest.ini"}, []string{"data/pytest.ini", "data/sub/conftest.py"}},
		"all but one of a folder":            {"data/*\n!data/keep\n", []string{"data/keep", "data/sub/conftest.py", "data/pytest.ini"}, []string{"data/pytest.ini", "data/sub/conftest.py"}},
		"each package":                       {"node_modules/*\n", []string{"node_modules/a/conftest.py", "node_modules/b/x.js"}, []string{"node_modules/a/conftest.py"}},
		"an environment that ignores itself": {"", []string{"env/pyvenv.cfg", "env/lib/sitecustomize.py"}, []string{"env/lib/sitecustomize.py"}},
		"nothing":                            {"", []string{"a.txt"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".gitignore": c.patterns}
			for _, f := range c.files {
				files[f] = "x\n"
			}
			if name == "an environment that ignores itself" {
				files["env/.gitignore"] = "*\n"
			}
			e := newTree(t, files)
			found, err := hidden(t.Context(), e.Repo)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}
