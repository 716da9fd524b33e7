package guard

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// newTree is an engine in a repository with these files, which are not committed.
func newTree(t *testing.T, files map[string]string) Guard {
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
	return Guard{Journal: journal.New(fixedState{}, nil, nil, nil, nil), Repo: repo, Home: repo, Harness: filepath.Join(dir, ".harness"), AtWork: NewAtWork(nil, journal.New(nil, nil, nil, nil, nil)), Saved: &Saved{}}
}

// fixedState is the state of a session in which nothing happens.
type fixedState struct{ journal.Store }

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
	g := newTree(t, nil)
	exclude := filepath.Join(g.Repo.GitDir(), "info", "exclude")
	writeAt(t, exclude, "*.log\n")
	send := func(id string) Snapshot {
		steering, err := g.steering()
		if err != nil {
			t.Fatal(err)
		}
		others := len(g.AtWork.marked) > 0
		for other := range g.AtWork.marked {
			g.AtWork.marked[other] = true
		}
		g.AtWork.marked[id] = others
		return Snapshot{ID: id, RepoSnapshot: workspace.RepoSnapshot{Steering: steering}}
	}
	land := func(w Snapshot) []machine.Finding {
		var found Found
		if err := g.restoreSteering(t.Context(), w, &found); err != nil {
			t.Fatal(err)
		}
		delete(g.AtWork.marked, w.ID)
		return found.Findings
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
	g.AtWork = NewAtWork(nil, journal.New(nil, nil, nil, nil, nil)) // of the process that resumes
	if found := land(alone); len(found) != 1 || found[0].Severity != machine.Critical {
		t.Errorf("alone: got %+v", found)
	}
}

func TestAChangeInTheHomeIsToldByOneOfTheDispatchesAtWork(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	g := newTree(t, nil)
	send := func(id string) Snapshot {
		w := Snapshot{ID: id, RepoSnapshot: workspace.RepoSnapshot{Home: g.AtWork.homeFiles(g.Repo)}}
		g.AtWork.marked[id] = false
		return w
	}
	land := func(w Snapshot) (told []machine.Finding) {
		var found Found
		if err := g.restoreSteering(t.Context(), w, &found); err != nil {
			t.Fatal(err)
		}
		delete(g.AtWork.marked, w.ID)
		return found.Findings
	}
	first := send("first")
	writeAt(t, filepath.Join(home, ".bashrc"), "evil\n")
	second := send("second")
	if found := land(second); len(found) != 1 || found[0].Severity != machine.Important || !found[0].Outside || found[0].File != filepath.Join(home, ".bashrc") {
		t.Errorf("the second one ended: got %+v", found)
	}
	if found := land(first); len(found) != 0 {
		t.Errorf("it was told already; got %+v", found)
	}
	writeAt(t, filepath.Join(home, ".zshrc"), "the user's\n")
	if found := land(send("third")); len(found) != 0 {
		t.Errorf("what came before it is told: %+v", found)
	}
}
