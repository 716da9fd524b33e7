package cmd

import (
	"slices"
	"strings"
	"testing"

	"go.temporal.io/api/enums/v1"

	"autopilot/temporal/hub"
	"autopilot/temporal/payload"
)

// refusal is a submit that nothing comes of, and what a person reads about it.
type refusal struct {
	before func(*mine)
	args   string
	code   int
	want   string
	helps  string // how the line begins that they are to type; after it the same command is accepted. "": they have to think
}

var refusals = map[string]refusal{
	"two rigors":              {args: "--fast --thorough", code: 2, want: "use either --fast or --thorough, not both"},
	"no such limit":           {args: "--max-per-task money=3", code: 2, want: "write cost=N, tokens=N, dispatches=N or duration=TIME"},
	"a limit below its range": {args: "--parallel 0", code: 2, want: "parallel must be 1 or more, not 0"},
	"no remote": {
		before: func(m *mine) { m.git("remote remove origin") },
		code:   2, want: "this repository has no remote called origin, and the workers need one\n  git remote add origin URL",
	},
	"the remote is away": {
		before: func(m *mine) { m.sh("mv " + m.hub + " " + m.hub + ".away") },
		code:   1, want: "looking at the remote origin: ",
	},
	"the server is away": {
		before: func(m *mine) { m.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1") },
		code:   4, want: "\n  set its address: export TEMPORAL_ADDRESS=HOST:7233\n  or start one here: temporal server start-dev --db-filename temporal.db",
	},
	"it runs already": {
		before: func(m *mine) { m.server.workflows[m.workflow("spec")] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING },
		code:   6, want: "is already running", // status shows it
	},
	"somebody else is faster": {
		before: func(m *mine) { m.server.faster = true },
		code:   6, want: "the session of docs/spec.md is already running (autopilot/",
	},
	"the remote has a session": {
		before: func(m *mine) { m.git("push --quiet origin HEAD:refs/autopilot/spec/records") },
		code:   2, want: "the remote already has a session of docs/spec.md\n  continue it: git fetch origin && git switch autopilot/spec && autopilot-temporal fetch docs/spec.md && autopilot-temporal submit docs/spec.md --from-session\n  delete it: git ls-remote origin 'refs/autopilot/spec/*'", helps: "git ls-remote",
	},
	"a file in Git LFS": {
		before: func(m *mine) {
			m.write(".gitattributes", "*.bin filter=lfs\n")
			m.write("model.bin", "version https://git-lfs.github.com/spec/v1\n")
			m.git("add --all && git commit --quiet -m model && git push --quiet")
		},
		code: 2, want: "model.bin is in Git LFS, which workers don't carry\n  run the session on this machine: autopilot docs/spec.md",
	},
	"a changed spec": {
		before: func(m *mine) { m.write(spec, specText+"- Say it twice.\n") },
		code:   2, want: "docs/spec.md isn't committed, and workers read it from the remote", helps: "git add",
	},
	"a spec that git doesn't have": {
		before: func(m *mine) {
			m.git("rm --quiet --cached " + spec + " && git commit --quiet -m gone && git push --quiet")
		},
		code: 2, want: "docs/spec.md isn't committed", helps: "git add",
	},
	"a changed configuration": {
		before: func(m *mine) { m.write("autopilot.yaml", "retries: 1\n") },
		code:   2, want: "autopilot.yaml isn't committed, and workers read it from the remote", helps: "git add",
	},
	"what nobody agreed to": {
		before: (*mine).setsUp,
		code:   2, want: "this repository's own files run or reach what you have not agreed to:\n\n  Setup scripts\n    harness-init.sh  harness-init.sh  at the start of tasks run\n",
	},
	"a changed script": {
		before: func(m *mine) { m.setsUp(); m.write("harness-init.sh", "exit 1\n") }, args: "--trust",
		code: 2, want: "harness-init.sh isn't committed, and workers read it from the remote", helps: "git add",
	},
	"a check of one's own": {
		before: func(m *mine) {
			m.sh("echo .harness/ >> .git/info/exclude")
			m.write(".harness/validate.d/style.sh", "exit 0\n")
			m.write(".harness/personas/reviewer.md", "Be kind.\n")
		}, args: "--trust",
		code: 2, want: ".harness/personas/reviewer.md isn't committed, and workers read it from the remote", helps: "git add",
	},
	"a changed persona": {
		before: func(m *mine) {
			m.write(".harness/personas/reviewer.md", "Be kind.\n")
			m.sh("git add --all && git commit --quiet --message 'Be kind' && git push --quiet origin main && echo .harness/ >> .git/info/exclude")
			m.write(".harness/personas/reviewer.md", "Be strict.\n")
		},
		code: 2, want: ".harness/personas/reviewer.md isn't committed, and workers read it from the remote", helps: "git add",
	},
	"a commit that isn't pushed": {
		before: func(m *mine) { m.git("commit --quiet --allow-empty -m more") },
		code:   2, want: "the remote doesn't have your commit", helps: "git push origin main",
	},
	"a branch that isn't pushed": {
		before: func(m *mine) { m.git("switch --quiet -c mine && git commit --quiet --allow-empty -m more") },
		code:   2, want: "the remote doesn't have your commit", helps: "git push origin mine",
	},
	"no branch, and a commit that isn't pushed": {
		before: func(m *mine) { m.git("switch --quiet --detach && git commit --quiet --allow-empty -m more") },
		code:   2, want: "the remote doesn't have your commit", helps: "git push origin HEAD:refs/heads/NAME",
	},
	"a branch that is behind": {
		before: func(m *mine) { m.pushElsewhere("main"); m.git("fetch --quiet") },
		code:   2, want: "the remote's branch main has 1 commits that yours doesn't have", helps: "git pull origin main",
	},
	"a branch that is behind, as only the remote knows": {
		before: func(m *mine) { m.pushElsewhere("main") },
		code:   2, want: "the remote's branch main has 1 commits that yours doesn't have", helps: "git pull origin main",
	},
	"a branch of an earlier session": {
		before: func(m *mine) { m.git("push --quiet origin HEAD:autopilot/spec") },
		code:   2, want: "the remote already has a branch autopilot/spec, of an earlier session", helps: "git push origin --delete autopilot/spec",
	},
}

// TestWhatCannotBeSubmitted also does what the messages say, after which the same command is accepted.
func TestWhatCannotBeSubmitted(t *testing.T) {
	for name, r := range refusals {
		t.Run(name, func(t *testing.T) {
			m := newMine(t)
			if r.before != nil {
				r.before(m)
			}
			m.isRefused(r)
			if r.helps != "" {
				m.helps(r)
			}
		})
	}
}

// isRefused submits, and checks that nothing comes of it but a message.
func (m *mine) isRefused(r refusal) string {
	m.Helper()
	refs := "git ls-remote " + m.hub + " || true"
	before := m.sh(refs)
	said, code := m.types(append([]string{"submit", spec}, strings.Fields(r.args)...)...)
	if code != r.code || !strings.Contains(said, r.want) {
		m.Errorf("it ends with %d, not %d, and says\n%s\nnot\n%s", code, r.code, said, r.want)
	}
	if len(m.server.started) > 0 || m.sh(refs) != before {
		m.Error("it was started, or the remote changed")
	}
	for line := range strings.Lines(said) {
		if _, ours, is := strings.Cut(line, "  autopilot-temporal "); is {
			named(m.T, "the message", "autopilot-temporal "+ours)
		}
	}
	return said
}

// helps types the git command of a message, and submits again.
func (m *mine) helps(r refusal) {
	m.Helper()
	said, _ := m.types(append([]string{"submit", spec}, strings.Fields(r.args)...)...)
	_, line, is := strings.Cut(said, "  "+r.helps)
	if _, other, either := strings.Cut(said, ": "+r.helps); !is && either {
		line, is = other, true
	}
	if !is {
		m.Fatalf("no line begins with %q in\n%s", r.helps, said)
	}
	line, _, _ = strings.Cut(line, "\n")
	m.sh(strings.ReplaceAll(r.helps+line, "NAME", "mine"))
	m.submits(strings.Fields(r.args)...)
}

// setsUp pushes a script that autopilot runs for its name.
func (m *mine) setsUp() {
	m.Helper()
	m.write("harness-init.sh", "exit 0\n")
	m.git("add --all && git commit --quiet --message 'Set up' && git push --quiet origin main")
}

// TestAPersonAgreesOnce to what workers run, who learn what it was.
func TestAPersonAgreesOnce(t *testing.T) {
	m := newMine(t)
	m.setsUp()
	t.Setenv("AUTOPILOT_TRUST", "1")
	m.submits()
	if said, code := m.types("submit", spec); code != 2 { // the program took the variable out: no agent is to have it
		t.Errorf("it is remembered: %d\n%s", code, said)
	}
	m.submits("--trust")
	agreed := m.input(payload.Converter(payload.Keys{})).Job.Agreed
	m.submits()
	again := m.input(payload.Converter(payload.Keys{})).Job.Agreed
	if len(agreed) != 1 || !slices.Equal(agreed, again) {
		t.Errorf("agreed to %q, then to %q", agreed, again)
	}
	m.session(nil)
	m.write("harness-init.sh", "exit 1\n") // a person's own, which goes along
	if said, code := m.types("submit", spec, fromSession); code != 2 || !strings.Contains(said, "submit docs/spec.md --from-session --trust") {
		t.Errorf("another script moves with a session: %d\n%s", code, said)
	}
	m.submits(fromSession, "--trust")
	if other := m.input(payload.Converter(payload.Keys{})).Job.Agreed; len(other) != 1 || other[0] == agreed[0] {
		t.Errorf("agreed to %q, then to %q", agreed, other)
	}
}

// pushElsewhere has somebody else push a commit to a branch.
func (m *mine) pushElsewhere(branch string) {
	m.Helper()
	dir := m.TempDir()
	m.sh("git clone --quiet " + m.hub + " " + dir + " && cd " + dir + " && git commit --quiet --allow-empty -m theirs && git push --quiet origin HEAD:" + branch)
}

// workflow is the id of a session's, by its slug as Temporal shows it.
func (m *mine) workflow(slug string) string {
	return "autopilot/" + hub.RepositoryID(m.hub) + "/" + slug
}
