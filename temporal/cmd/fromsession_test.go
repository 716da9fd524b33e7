package cmd

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/converter"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
	"autopilot/temporal/payload"
)

const fromSession = "--from-session"

// TestSessionsThatDoNotMove are those of a clone that submit leaves where they are.
func TestSessionsThatDoNotMove(t *testing.T) {
	with := func(change func(*machine.State)) func(*mine) { return func(m *mine) { m.session(change) } }
	for name, r := range map[string]refusal{
		"a new one beside it": {before: with(nil), code: 2, want: "this clone has a session of docs/spec.md\n  continue it on workers: autopilot-temporal submit docs/spec.md --from-session\n  continue it here: autopilot docs/spec.md\n  set it aside: mkdir -p .harness/archive/sessions && mv .harness/sessions/spec .harness/archive/sessions/spec-here"},
		"there is none":       {args: fromSession, code: 2, want: "this clone has no session of docs/spec.md\n  get the remote's: autopilot-temporal fetch docs/spec.md\n  or start one: autopilot-temporal submit docs/spec.md"},
		"of a spec that was renamed": {
			before: with(func(s *machine.State) {
				s.SpecPath, s.SessionSlug, s.SessionDir, s.Spec.Title = "docs/greeting.md", "greeting", ".harness/sessions/greeting", "Spec: Greeting"
			}), args: fromSession,
			code: 2, want: "docs/greeting.md is gone, and docs/spec.md has the same title or text",
		},
		"in a worktree": {
			before: with(func(s *machine.State) { s.WorkTree = ".worktrees/spec" }), args: fromSession,
			code: 2, want: "the session has a worktree of its own (.worktrees/spec), and can't move to workers\n  continue it here: autopilot docs/spec.md",
		},
		"on another branch": {
			before: func(m *mine) { m.session(nil); m.git("switch --quiet -c other") }, args: fromSession,
			code: 2, want: "the session works on the branch main, and another one is checked out\n  git switch main && autopilot-temporal submit docs/spec.md --from-session",
		},
		"without a branch": {
			before: with(func(s *machine.State) { s.Branch = "" }), args: fromSession,
			code: 2, want: "the session has no branch yet, and workers need one\n  continue it here: autopilot docs/spec.md",
		},
		"another one is on the remote": {
			before: func(m *mine) { m.session(nil); m.remoteSession("s2") }, args: fromSession,
			code: 2, want: "the remote has another state of this session\n  get it first: autopilot-temporal fetch docs/spec.md",
		},
		"the remote has more of it": {
			before: func(m *mine) {
				there, s := m.remoteSession("s1")
				m.fetches(0, "revision 1")
				m.kept(there, s, tail(m.T, s.State(), 1))
			},
			args: fromSession, code: 2, want: "the remote has another state of this session\n  get it first: autopilot-temporal fetch docs/spec.md",
		},
		"with a check that nobody committed": {
			before: func(m *mine) {
				m.session(nil)
				m.sh("echo .harness/ >> .git/info/exclude")
				m.write(".harness/validate.d/style.sh", "exit 0\n")
			}, args: fromSession,
			code: 2, want: ".harness/validate.d/style.sh isn't committed, and workers read it from the remote\n  git add -f .harness/validate.d/style.sh && git commit && git push",
		},
		"a run is at work": {
			before: func(m *mine) { m.session(nil); m.opens() }, args: fromSession,
			code: 6, want: "docs/spec.md",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMine(t)
			if r.before != nil {
				r.before(m)
			}
			m.isRefused(r)
		})
	}
}

// TestASessionGoesToWorkersAsItIs: its journal and its work are on the hub, and the workflow has its state.
func TestASessionGoesToWorkersAsItIs(t *testing.T) {
	m := newMine(t)
	m.session(nil)
	m.write("work.txt", "not committed")
	m.submits(fromSession, "--parallel", "3")
	in := m.input(payload.Converter(payload.Keys{}))
	if in.First != nil || in.State.SessionID != "s1" || in.State.Parallel != 3 || in.Job.From != "main" {
		t.Errorf("the workflow begins with %+v", in)
	}
	there := m.remote()
	state, err := there.State(t.Context())
	if err != nil || state.Revision != in.State.Revision {
		t.Errorf("the hub has revision %d, and the workflow %d: %v", state.Revision, in.State.Revision, err)
	}
	if got := m.sh("git --git-dir=" + m.hub + " show " + in.Works[""] + ":work.txt"); got != "not committed" {
		t.Errorf("the hub has the work %q", got)
	}
}

// TestASessionGoesToWorkersWithoutItsLongTexts: the hub has them.
func TestASessionGoesToWorkersWithoutItsLongTexts(t *testing.T) {
	m := newMine(t)
	m.session(noise(machine.TaskCompleted))
	m.submits(fromSession)
	state, err := m.remote().State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whole := state.Tasks[0].Summary
	if got, want := m.input(payload.Converter(payload.Keys{})).State.Tasks[0].Summary, fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(whole))); len(whole) < 3_000_000 || got != want {
		t.Errorf("the hub has %d bytes, and the workflow %.80q", len(whole), got)
	}
}

// TestASessionThatIsTooLargeWithoutItsLongTextsStays: what is said of a task that failed is needed.
func TestASessionThatIsTooLargeWithoutItsLongTextsStays(t *testing.T) {
	m := newMine(t)
	m.session(noise(machine.TaskFailed))
	want := "the session can't move to workers: its compressed state has 1.58 MB, and on workers it may have at most 1.5\n  continue it here: autopilot docs/spec.md"
	if said, code := m.types("submit", spec, fromSession); code != 2 || !strings.Contains(said, want) || len(m.server.started) > 0 {
		t.Errorf("it ends with %d, and %d workflows began:\n%s", code, len(m.server.started), said)
	}
}

// noise makes a state larger than Temporal takes, by what is said of a task.
func noise(status string) func(*machine.State) {
	return func(s *machine.State) {
		b := make([]byte, 1_500_000)
		_, _ = rand.NewChaCha8([32]byte{}).Read(b)
		s.Tasks = []machine.Task{{ID: "task-001", Kind: machine.KindPlan, Status: status, Summary: fmt.Sprintf("%x", b)}}
	}
}

// input is what the workflow that was started last begins with.
func (m *mine) input(data converter.DataConverter) (in flow.Input) {
	m.Helper()
	if err := data.FromPayloads(m.server.started[len(m.server.started)-1].Input, &in); err != nil {
		m.Fatal(err)
	}
	return in
}

// remote is what the hub has of the session.
func (m *mine) remote() *hub.Session {
	m.Helper()
	clone, err := hub.Open(m.Context(), filepath.Join(m.TempDir(), "clone"), m.hub, os.Environ())
	if err != nil {
		m.Fatal(err)
	}
	s, err := clone.Session(m.Context(), "spec")
	if err != nil {
		m.Fatal(err)
	}
	return s
}

// opens opens the session as a run does, until the end of the test.
func (m *mine) opens() {
	m.Helper()
	s, err := sessions.Open(filepath.Join(m.dir, ".harness/sessions/spec"), sessions.Options{Now: time.Now})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() { _ = s.Close() })
}

// remoteSession gives the hub a session of a worker, and returns it, open.
func (m *mine) remoteSession(id string) (*hub.Session, *sessions.Session) {
	m.Helper()
	there := m.remote()
	s, err := sessions.Create(there.Dir(), machine.Event{Type: machine.Created, Initial: m.first(id)}, sessions.Options{Now: time.Now})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() { _ = s.Close() })
	if err := there.Save(m.Context(), nil, ""); err != nil {
		m.Fatal(err)
	}
	return there, s
}
