package guard

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
)

func TestAControlFileIsNamedFromTheRepositoryInALaneToo(t *testing.T) {
	main := newTree(t, nil)
	root := filepath.Join(main.Harness, "worktrees", "lane")
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repo, err := git.Find(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	lane := Guard{Journal: journal.New(fixedState{}, nil, nil, nil, nil), Repo: repo, Home: main.Repo, Lane: "task-001", Harness: main.Harness, AtWork: main.AtWork}
	g := lane.repoGuard(Snapshot{ID: "d"})
	spec, own := filepath.Join(main.Repo.Root(), "docs", "spec.md"), filepath.Join(repo.Root(), "autopilot.yaml")
	before := map[string][]byte{spec: []byte("# A"), own: []byte("a")}
	told, err := g.ChangedControls(before, map[string][]byte{spec: []byte("# B"), own: []byte("b")}, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(told)
	for i, want := range []string{"autopilot.yaml", "docs/spec.md"} {
		if told[i] != "put back what you changed: "+want+" controls the run" {
			t.Errorf("the agent is told %q", told[i])
		}
	}
}
