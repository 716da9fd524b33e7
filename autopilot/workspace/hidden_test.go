package workspace

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
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
			repo := newTestRepo(t, files)
			found, err := Hidden(t.Context(), repo)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

func TestHiddenFilesThatSteerAreFoundWhereToolsLook(t *testing.T) {
	repo := newTestRepo(t, map[string]string{
		".gitignore":  "gen/\nbuild/\nnode_modules/\nenv/\nconftest.py\n*.pth\n*.log\nMakefile\n.npmrc\n",
		"conftest.py": "", "tests/conftest.py": "", "tests/test_a.py": "", "a.log": "", ".npmrc": "",
		"gen/conftest.py": "", "gen/package.json": "", "gen/.cache/conftest.py": "", "build/conftest.py": "", "node_modules/x/conftest.py": "",
		"env/pyvenv.cfg": "", "env/lib/conftest.py": "", "site.pth": "import x\n", "weights.pth": "PK\x03\x04\x00\xff",
		"Makefile": "test:\n", "c/Makefile": "", "c/CMakeLists.txt": "",
	})
	hidden, err := Hidden(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".npmrc", "Makefile", "conftest.py", "gen/conftest.py", "site.pth", "tests/conftest.py"}
	if got := slices.Sorted(maps.Keys(hidden)); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestHiddenFileThatIsNoLongerIgnoredIsNotAccused(t *testing.T) {
	repo := newTestRepo(t, map[string]string{"conftest.py": "new", "same.py": "x"})
	was := map[string]*plainfile.Held{"conftest.py": {Text: []byte("old"), Size: 3}, "gone/conftest.py": {}}
	changed, err := changedHidden(repo.Root(), was, map[string]*plainfile.Held{"pytest.ini": {}})
	if want := []string{"gone/conftest.py", "pytest.ini"}; err != nil || !slices.Equal(changed, want) {
		t.Errorf("got %q, %v; want %q", changed, err, want)
	}
}

func TestFolderOfDataIsNotWalkedWithoutEnd(t *testing.T) {
	repo := newTestRepo(t, map[string]string{"gen/a": "", "gen/b": "", "gen/conftest.py": ""})
	left := 3
	if found := steeringWithin(repo.Root(), "gen", &left); len(found) != 0 {
		t.Errorf("got %q after the limit", found)
	}
	left = 4
	if found := strings.Join(steeringWithin(repo.Root(), "gen", &left), " "); found != "gen/conftest.py" {
		t.Errorf("got %q within the limit", found)
	}
}

// newTestRepo is a repository with these files, which are not committed.
func newTestRepo(t *testing.T, files map[string]string) *git.Repo {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	repo, err := git.Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}
