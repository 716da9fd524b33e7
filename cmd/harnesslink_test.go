package cmd_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/cmd"
	"autopilot/cmd/console"
)

// besideHarness are the commands that neither read nor write below .harness. doctor tells of the link as of all
// else, and the hooks know the root of the repository alone.
var besideHarness = []string{
	"completion", "completion bash", "completion fish", "completion powershell", "completion zsh", "config", "demo", "doctor", "help",
	"hook", "lint", "version", "spec", "state", "roadmap", "learnings", "tasks", "notify",
	"answering", "states", "gates", "configuration", "exit-codes", "specs",
}

// harnessCommands are the others, as they are called.
var harnessCommands = []string{
	"", "docs/spec.md", "run docs/spec.md", "docs/spec.md --dry-run", "docs/spec.md --restart", "docs/spec.md --worktree", "status docs/spec.md", "why docs/spec.md",
	"answer docs/spec.md yes", "graph docs/spec.md", "note docs/spec.md word", "stop docs/spec.md", "diff docs/spec.md", "findings docs/spec.md", "phases docs/spec.md", "undo docs/spec.md", "plan docs/spec.md", "list", "log docs/spec.md", "watch docs/spec.md", "serve",
	"init --yes", "validate", "roadmap sync", "learnings list", "learnings list docs/spec.md", "learnings prune", "learnings prune docs/spec.md",
	"state show docs/spec.md", "state show .harness/autopilot-state.json", "audit", "audit docs/spec.md", "report", "report docs/spec.md --md", "mcp", "mcp docs/spec.md", "simulate docs/spec.md", "spec draft wish",
	"tasks init", "tasks add title", "tasks list", "tasks status", "tasks run", "tasks claim", "tasks renew", "tasks checkpoint 1/2", "tasks validate",
	"tasks complete", "tasks fail", "tasks import features.json", "trust", "trust list", "trust revoke", "notify test",
}

func TestEveryCommandIsKnownToKeepOffALinkOrToNeedNone(t *testing.T) {
	for _, path := range cmd.CommandPaths() {
		called := slices.ContainsFunc(harnessCommands, func(line string) bool { return line == path || strings.HasPrefix(line, path+" ") })
		if !called && !slices.Contains(besideHarness, path) && !strings.HasPrefix(path, "hook ") {
			t.Errorf("autopilot %s is in neither list", path)
		}
	}
}

func TestNoCommandFollowsALinkInThePlaceOfHarness(t *testing.T) {
	t.Parallel()
	p := newEmptyPlace(t)
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(goodSpec))
	p.put(t, filepath.Join(p.repo, "docs", "roadmap.md"), []byte("# Roadmap\n"))
	p.put(t, filepath.Join(p.repo, "harness-tasks.json"), []byte(`{"version": 2, "tasks": []}`))
	p.put(t, filepath.Join(p.repo, "features.json"), []byte(`{"features": []}`))
	outside := filepath.Join(p.dir, "outside")
	p.put(t, filepath.Join(outside, "learnings.md"), []byte("- **2026-01-01 [skill:a] [outcome:gotcha]:** of somebody else\n"))
	if err := os.Symlink(outside, filepath.Join(p.repo, ".harness")); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	p.begin(t)
	for _, line := range harnessCommands {
		got := p.command(console.Host{In: strings.NewReader("")}, strings.Fields(line)...)
		if got.code != 2 || !strings.Contains(got.text, ".harness is not a plain file or folder") || !strings.Contains(got.text, "move it away") {
			t.Errorf("autopilot %s: exit code %d:\n%s", line, got.code, got.text)
		}
	}
	if got := p.command(console.Host{In: strings.NewReader("")}, "doctor"); got.code != 1 || !strings.Contains(got.text, ".harness is not a plain file or folder") {
		t.Errorf("doctor: exit code %d:\n%s", got.code, got.text)
	}
	left, err := os.ReadDir(outside)
	if err != nil || len(left) != 1 {
		t.Errorf("something was made beyond the link: %v, %v", left, err)
	}
	if changed := p.git(t, "status", "--porcelain"); changed != "" {
		t.Errorf("something was changed:\n%s", changed)
	}
}

// TestNoRunFollowsALinkInThePlaceOfAFolderThatItWrites: each is refused by its name, before anything is written or removed.
func TestNoRunFollowsALinkInThePlaceOfAFolderThatItWrites(t *testing.T) {
	t.Parallel()
	session := ".harness/sessions/spec/"
	for _, folder := range []string{
		".git/info", ".git/worktrees", ".git/autopilot", ".git/autopilot.lock", ".git/autopilot/kept", ".git/autopilot/kept/sum", ".git/autopilot/tasks", ".git/autopilot/undone",
		".git/autopilot/undone/id", ".harness/archive", ".harness/archive/spec", ".harness/drafts", ".harness/drafts/a/1/output.log", ".harness/out", ".harness/out/id/scratchpad",
		".harness/sessions", ".harness/sessions/other", ".harness/tasks", ".harness/tasks/t1/1", ".harness/worktrees", ".harness/worktrees/spec",
		session + "attempts", session + "attempts/1/planner", session + "attempts/1/planner/1/output.log", session + "evidence", session + "inbox", session + "scratchpad/1",
		session + "events.jsonl", session + "lock",
	} {
		p := newEmptyPlace(t)
		p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(goodSpec))
		p.put(t, filepath.Join(p.repo, "autopilot.yaml"), []byte("backend: mine\nbackends:\n  mine: {type: manual}\n"))
		p.begin(t)
		outside, link := filepath.Join(p.dir, "outside"), filepath.Join(p.repo, filepath.FromSlash(folder))
		p.put(t, filepath.Join(outside, "theirs"), []byte("of somebody else\n"))
		if err := os.RemoveAll(link); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, link); err != nil {
			t.Skip("links cannot be made here:", err)
		}
		got := p.command(console.Host{In: strings.NewReader("")}, "docs/spec.md", "--non-interactive")
		if got.code != 2 || !strings.Contains(got.text, filepath.FromSlash(folder)+" is not a plain file or folder") {
			t.Errorf("%s: exit code %d:\n%s", folder, got.code, got.text)
		}
		if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
			t.Errorf("%s: beyond the link is %v, %v", folder, left, err)
		}
	}
}
