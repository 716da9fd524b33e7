package autopilot

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// newTree is an engine in a repository with these files, which are not committed.
func newTree(t *testing.T, files map[string]string) *Engine {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range files {
		writeAt(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	repo, err := git.Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return &Engine{Parts: Parts{Store: fixedState{}, Repo: repo, Harness: filepath.Join(dir, ".harness")}, lanes: newLanes()}
}

// fixedState is the state of a session in which nothing happens.
type fixedState struct{ Store }

func (fixedState) State() machine.State { return machine.State{SessionSlug: "spec"} }

func writeAt(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatAnAgentAtWorkDidToGitIsNotTakenForWhatWasThere(t *testing.T) {
	e := newTree(t, nil)
	exclude := filepath.Join(e.Repo.GitDir(), "info", "exclude")
	writeAt(t, exclude, "*.log\n")
	send := func(id string) watch {
		steering, err := e.steering()
		if err != nil {
			t.Fatal(err)
		}
		others := len(e.lanes.marked) > 0
		for other := range e.lanes.marked {
			e.lanes.marked[other] = true
		}
		e.lanes.marked[id] = others
		return watch{ID: id, Guarded: Guarded{Steering: steering}}
	}
	land := func(w watch) []machine.Finding {
		var found settled
		if err := e.settleSteering(t.Context(), w, &found); err != nil {
			t.Fatal(err)
		}
		delete(e.lanes.marked, w.ID)
		return found.findings
	}
	first := send("first")
	writeAt(t, exclude, "conftest.py\n")
	second := send("second")
	if found := land(second); len(found) != 1 || found[0].Severity != machine.Important || found[0].File != ".git/info/exclude" {
		t.Errorf("the second one ended: got %+v", found)
	}
	if found := land(first); len(found) != 0 {
		t.Errorf("it was put back already; got %+v", found)
	}
	if text, _ := os.ReadFile(exclude); string(text) != "*.log\n" {
		t.Errorf("exclude is %q", text)
	}
	alone := send("alone")
	writeAt(t, exclude, "conftest.py\n")
	e.lanes = newLanes() // of the process that resumes
	if found := land(alone); len(found) != 1 || found[0].Severity != machine.Critical {
		t.Errorf("alone: got %+v", found)
	}
}

func TestHiddenFilesThatSteerAreFoundWhereToolsLook(t *testing.T) {
	e := newTree(t, map[string]string{
		".gitignore":  "gen/\nbuild/\nnode_modules/\nenv/\nconftest.py\n*.pth\n*.log\nMakefile\n.npmrc\n",
		"conftest.py": "", "tests/conftest.py": "", "tests/test_a.py": "", "a.log": "", ".npmrc": "",
		"gen/conftest.py": "", "gen/package.json": "", "gen/.cache/conftest.py": "", "build/conftest.py": "", "node_modules/x/conftest.py": "",
		"env/pyvenv.cfg": "", "env/lib/conftest.py": "", "site.pth": "import x\n", "weights.pth": "PK\x03\x04\x00\xff",
		"Makefile": "test:\n", "c/Makefile": "", "c/CMakeLists.txt": "",
	})
	hidden, err := hidden(t.Context(), e.Repo)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".npmrc", "Makefile", "conftest.py", "gen/conftest.py", "site.pth", "tests/conftest.py"}
	if got := slices.Sorted(maps.Keys(hidden)); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestHiddenFileThatIsNoLongerIgnoredIsNotAccused(t *testing.T) {
	e := newTree(t, map[string]string{"conftest.py": "new", "same.py": "x"})
	was := map[string]*git.Held{"conftest.py": {Text: []byte("old"), Size: 3}, "gone/conftest.py": {}}
	changed, err := changedHidden(e.Repo.Root(), was, map[string]*git.Held{"pytest.ini": {}})
	if want := []string{"gone/conftest.py", "pytest.ini"}; err != nil || !slices.Equal(changed, want) {
		t.Errorf("got %q, %v; want %q", changed, err, want)
	}
}

func TestFolderOfDataIsNotWalkedWithoutEnd(t *testing.T) {
	e := newTree(t, map[string]string{"gen/a": "", "gen/b": "", "gen/conftest.py": ""})
	left := 3
	if found := steeringWithin(e.Repo.Root(), "gen", &left); len(found) != 0 {
		t.Errorf("got %q after the limit", found)
	}
	left = 4
	if found := strings.Join(steeringWithin(e.Repo.Root(), "gen", &left), " "); found != "gen/conftest.py" {
		t.Errorf("got %q within the limit", found)
	}
}
