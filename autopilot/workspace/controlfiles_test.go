package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

func TestWhoRemovedAControlFileIsSaidOnlyWhereItIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		ended    time.Duration // of the dispatch, from now on; 0: its run was not killed
		severity string
		title    string
	}{
		"its run was not killed":                 {0, machine.Critical, "the agent changed"},
		"the folder stands as the agent left it": {time.Hour, machine.Critical, "the agent changed"},
		"the folder changed since":               {-time.Hour, machine.Important, "by the agent or by somebody"},
	} {
		g := RepoGuard{Repo: newTestRepo(t, nil), Dispatch: "d", Who: "the agent"}
		if c.ended != 0 {
			g.Ended = time.Now().Add(c.ended)
		}
		spec := filepath.Join(g.Repo.Root(), "spec.md")
		changed, err := g.PutControlBack(map[string][]byte{spec: []byte("# A")}, map[string][]byte{spec: nil})
		if err != nil || len(changed) != 1 {
			t.Fatalf("%s: %+v, error %v", name, changed, err)
		}
		if f := g.TellControl(changed[0]); f.Severity != c.severity || !strings.Contains(f.Title, c.title) {
			t.Errorf("%s: %+v", name, f)
		}
		if text, err := os.ReadFile(spec); string(text) != "# A" || err != nil {
			t.Errorf("%s: it was not put back: %q, %v", name, text, err)
		}
	}
}

func TestAControlFileIsNamedFromTheRepositoryWhereTheWorkingTreeIsAnother(t *testing.T) {
	g := RepoGuard{Repo: newTestRepo(t, nil), Home: t.TempDir(), Who: "the agent"}
	for path, want := range map[string]string{
		filepath.Join(g.Home, "docs", "spec.md"): "docs/spec.md", filepath.Join(g.Repo.Root(), "autopilot.yaml"): "autopilot.yaml",
	} {
		if f := g.TellControl(changedFile{Path: path}); !strings.HasSuffix(f.Title, ": "+want) || f.File != want {
			t.Errorf("the finding is %+v", f)
		}
	}
}
