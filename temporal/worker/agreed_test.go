package worker

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
)

// TestAWorkerRunsOnlyWhatAPersonAgreedTo: what somebody changed since then stops the session; what it changed itself does not.
func TestAWorkerRunsOnlyWhatAPersonAgreedTo(t *testing.T) {
	const checks = "validate: {commands: [make check]}\n"
	commit := func(dir string, message ...string) {
		output(dir, "add", "--all")
		if output(dir, append([]string{"commit", "-m", "more"}, message...)...) == "" {
			t.Fatal("nothing was committed")
		}
	}
	ours := []string{"-m", git.KeyTrailer + ": s1/2"}
	for name, c := range map[string]struct {
		agreed bool // to what there is at first
		since  func(dir string)
		in     machine.Name
		want   string
	}{
		"all is agreed to":          {agreed: true},
		"nothing is":                {want: "make check (autopilot.yaml:1); harness-init.sh (harness-init.sh)"},
		"a person pushed a check":   {agreed: true, since: func(dir string) { put(t, dir, "autopilot.yaml", checks+"worktree: {setup: make deps}\n"); commit(dir) }, want: "make deps (autopilot.yaml:2)"},
		"a person changed a script": {agreed: true, since: func(dir string) { put(t, dir, "harness-init.sh", "exit 1\n"); commit(dir) }, want: "harness-init.sh (harness-init.sh)"},
		"the session committed it":  {agreed: true, since: func(dir string) { put(t, dir, "harness-init.sh", "exit 1\n"); commit(dir, ours...) }},
		"a key, whatever this machine's are": {agreed: true, since: func(dir string) {
			put(t, dir, "autopilot.yaml", checks+"backends: {x: {preset: openai, model: m, base_url: 'http://some.example/v1'}}\n")
			commit(dir)
		}, want: "OPENAI_API_KEY → http://some.example/v1 (autopilot.yaml:2)"},
		"a fix at work":                         {agreed: true, in: machine.Review, since: func(dir string) { put(t, dir, ".harness/validate.d/a.sh", "#!/bin/sh\n") }, want: ".harness/validate.d/a.sh (.harness/validate.d/a.sh)"},
		"a manifest that a fix at work brings":  {agreed: true, in: machine.Review, since: func(dir string) { put(t, dir, "sub/package.json", "{}") }},
		"a configuration that an agent changed": {agreed: true, in: machine.Execute, since: func(dir string) { put(t, dir, "autopilot.yaml", "validate: {commands: [make evil]}\n") }, want: "make evil (autopilot.yaml:1)"},
		"a person's commit after the session's": {agreed: true, since: func(dir string) {
			put(t, dir, "a.txt", "a")
			commit(dir, ours...)
			put(t, dir, "harness-init.sh", "x\n")
			commit(dir)
		}, want: "harness-init.sh (harness-init.sh)"},
	} {
		t.Run(name, func(t *testing.T) {
			d, _, _, _ := newDesk(t)
			put(t, d.clone.Dir, "autopilot.yaml", checks)
			put(t, d.clone.Dir, "harness-init.sh", "exit 0\n")
			commit(d.clone.Dir)
			d.act.Spec, d.act.Job.Agreed = "docs/spec.md", []string{}
			h := *d.worker.Host
			h.Dir, h.Environ = d.clone.Dir, os.Environ()
			w, err := app.FindWorkspace(t.Context(), &h, d.act.Spec, git.Open)
			if err != nil {
				t.Fatal(err)
			}
			if c.agreed {
				list, err := app.TrustAnywhere(t.Context(), &h, w.Work)
				if err != nil || len(list) != 2 {
					t.Fatalf("%v, %v", list, err)
				}
				for _, e := range list {
					d.act.Job.Agreed = append(d.act.Job.Agreed, e.Hash())
				}
			}
			if c.since != nil {
				c.since(d.clone.Dir)
			}
			s := d.State()
			if s.CurrentState = c.in; c.in == "" {
				s.CurrentState = machine.Plan
			}
			err = agreed(t.Context(), &h, w, s, d.act.Job.Agreed)
			got := ""
			if refused, is := errors.AsType[*unagreedError](err); is {
				got = app.TrustInShort(refused.entries)
			} else if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("nobody agreed to %q, want %q", got, c.want)
			}
			if err := agreed(t.Context(), &h, w, s, nil); err != nil {
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
