package worker

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/temporal/flow"
)

const mcp = "mcp: {servers: {s: {command: [./tools/s, serve]}}}\n"

// pushes are what happens to a branch after a person agreed, and what of it nobody agreed to.
var pushes = map[string]struct {
	since func(change func(file, text string), person, session func())
	want  string
}{
	"nothing": {since: func(func(string, string), func(), func()) {}},
	"a person's check": {since: func(change func(string, string), person, _ func()) {
		change("autopilot.yaml", mcp+"worktree: {setup: make deps}\n")
		person()
	}, want: "make deps (autopilot.yaml:2)"},
	"a person's script":  {since: func(change func(string, string), person, _ func()) { change("harness-init.sh", "exit 1\n"); person() }, want: "harness-init.sh (harness-init.sh)"},
	"a person's program": {since: func(change func(string, string), person, _ func()) { change("tools/s", "exit 1\n"); person() }, want: "MCP server s: ./tools/s serve (autopilot.yaml:1)"},
	"a person's key": {since: func(change func(string, string), person, _ func()) {
		change("autopilot.yaml", mcp+"backends: {x: {preset: openai, model: m, base_url: 'http://some.example/v1'}}\n")
		person()
	}, want: "OPENAI_API_KEY → http://some.example/v1 (autopilot.yaml:2)"},
	"a person's dependency": {since: func(change func(string, string), person, _ func()) {
		change("pyproject.toml", "[project]\nname = 'a'\n[tool.pytest.ini_options]\n")
		person()
	}},
	"a person's after the session's": {since: func(change func(string, string), person, session func()) {
		change("a.txt", "a")
		session()
		change("harness-init.sh", "x\n")
		person()
	}, want: "harness-init.sh (harness-init.sh)"},
	"the session's script":  {since: func(change func(string, string), _, session func()) { change("harness-init.sh", "exit 1\n"); session() }},
	"the session's program": {since: func(change func(string, string), _, session func()) { change("tools/s", "exit 1\n"); session() }},
	"the session's manifest": {since: func(change func(string, string), _, session func()) {
		change("sub/package.json", `{"scripts": {"test": "a"}}`)
		session()
	}},
	"a clone's environment": {since: func(change func(string, string), _, _ func()) { change(".venv/bin/python", "") }},
	"work that isn't committed": {since: func(change func(string, string), _, _ func()) {
		change("tools/s", "exit 1\n")
		change("harness-init.sh", "exit 1\n")
	}},
	"a person's hook": {since: func(change func(string, string), person, _ func()) {
		change(".husky/pre-commit", "#!/bin/sh\n")
		person()
	}, want: "pre-commit (.husky/pre-commit)"},
}

// TestAWorkerRunsOnlyWhatAPersonAgreedTo: what others changed since then stops the session; what it changed itself does not, and neither
// does what differs from clone to clone.
func TestAWorkerRunsOnlyWhatAPersonAgreedTo(t *testing.T) {
	for name, c := range pushes {
		t.Run(name, func(t *testing.T) {
			d, _, _, _ := newDesk(t)
			dir := d.clone.Dir
			change := func(file, text string) { put(t, dir, file, text); _ = os.Chmod(filepath.Join(dir, file), 0o700) } //nolint:gosec // git runs it
			commit := func(message ...string) {
				output(dir, "add", "--all")
				if output(dir, append([]string{"-c", "core.hooksPath=/dev/null", "commit", "-m", "more"}, message...)...) == "" {
					t.Fatal("nothing was committed")
				}
			}
			for file, text := range map[string]string{"autopilot.yaml": mcp, "harness-init.sh": "exit 0\n", "tools/s": "exit 0\n", "pyproject.toml": "[tool.pytest.ini_options]\n", ".gitignore": ".venv\n", "test_a.py": ""} {
				change(file, text)
			}
			output(dir, "config", "core.hooksPath", ".husky")
			commit()
			d.act.Spec = "docs/spec.md"
			h := *d.worker.Host
			h.Dir, h.Environ = dir, os.Environ()
			w, err := app.FindWorkspace(t.Context(), &h, d.act.Spec, git.Open)
			if err != nil {
				t.Fatal(err)
			}
			list, err := app.TrustAnywhere(t.Context(), &h, w.Work)
			if err != nil || len(list) < 3 {
				t.Fatalf("%v, %v", list, err)
			}
			job := flow.Job{AgreedAt: output(dir, "rev-parse", "HEAD")}
			for _, e := range list {
				job.Agreed = append(job.Agreed, e.Hash())
			}
			c.since(change, func() { commit() }, func() { commit("-m", git.KeyTrailer+": s1/2") })
			got := ""
			err = agreed(t.Context(), &h, w, d.State(), job)
			if refused, is := errors.AsType[*unagreedError](err); is {
				got = app.TrustInShort(refused.entries)
			} else if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("nobody agreed to %q, want %q", got, c.want)
			}
			if err := agreed(t.Context(), &h, w, d.State(), flow.Job{}); err != nil {
				t.Errorf("a session that nobody was asked about: %v", err)
			}
		})
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
