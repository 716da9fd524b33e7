package cmd

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

const spec = "docs/spec.md"

// specText is a spec with one phase.
const specText = "# Spec: Greeting\n\n## Implementation Order\n\n### Phase 1: Greeting\n\n**Complexity:** low\n\n- Say hello.\n\n## Success Criteria\n\n- It says hello.\n"

// mine is a clone of a hub with a spec, in which a person types commands.
type mine struct {
	*testing.T
	dir, hub string
	server   *frontend
}

// newMine makes the hub, the clone and the server, and an environment that has nothing else of this machine's.
func newMine(t *testing.T) *mine {
	t.Helper()
	m := &mine{T: t, dir: filepath.Join(t.TempDir(), "mine"), hub: filepath.Join(t.TempDir(), "hub.git"), server: serve(t)}
	home(t)
	t.Setenv("TEMPORAL_ADDRESS", m.server.address)
	m.sh("git init --quiet --bare " + m.hub + " && git clone --quiet " + m.hub + " " + m.dir)
	m.write(spec, specText)
	m.git("add --all")
	m.git("commit --quiet --message begin")
	m.git("push --quiet origin main")
	return m
}

// home makes an empty home of a person that git knows.
func home(t *testing.T) (dir string) {
	t.Helper()
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		for _, prefix := range []string{"TEMPORAL_", "AUTOPILOT_", "GIT_", "XDG_"} {
			if strings.HasPrefix(name, prefix) {
				t.Setenv(name, "") // to have it back
				_ = os.Unsetenv(name)
			}
		}
	}
	dir = t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	put(t, filepath.Join(dir, ".gitconfig"), "[user]\n\tname = dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n")
	return dir
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// write writes a file of the clone.
func (m *mine) write(name, text string) {
	m.Helper()
	put(m.T, filepath.Join(m.dir, name), text)
}

// sh runs a line of shell in the clone, and returns what it printed.
func (m *mine) sh(line string) string {
	m.Helper()
	c := exec.Command("sh", "-c", line)
	c.Env = append(os.Environ(), "GIT_EDITOR=echo changed >")
	if _, err := os.Stat(m.dir); err == nil {
		c.Dir = m.dir
	}
	out, err := c.CombinedOutput()
	if err != nil {
		m.Fatalf("%s: %v\n%s", line, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (m *mine) git(line string) string {
	m.Helper()
	return m.sh("git " + line)
}

// types types a command of autopilot-temporal in the clone.
func (m *mine) types(args ...string) (said string, code int) {
	m.Helper()
	var out bytes.Buffer
	code = Main(args, m.host(&out))
	return out.String(), code
}

// host is the person's machine; what it prints goes to out.
func (m *mine) host(out *bytes.Buffer) console.Host {
	return console.Host{In: strings.NewReader(""), Out: out, Err: out, Dir: m.dir, Environ: os.Environ(), Now: time.Now, Sleep: func(context.Context, time.Duration) error { return nil }}
}

// submits submits the spec, which has to be accepted.
func (m *mine) submits(args ...string) {
	m.Helper()
	if said, code := m.types(append([]string{"submit", spec}, args...)...); code != 0 || len(m.server.started) == 0 {
		m.Fatalf("submit %q ends with %d\n%s", args, code, said)
	}
}

// first is the first state of a session of the spec.
func (m *mine) first(id string) *machine.State {
	m.Helper()
	return &machine.State{
		SessionID: id, SessionSlug: "spec", SessionDir: ".harness/sessions/spec", SpecPath: spec, RigorLevel: machine.Fast, StartingCommit: m.git("rev-parse HEAD"), Branch: "main",
		RetryBudget: machine.RetryBudget{MaxAttempts: 1}, Phases: []machine.Phase{{Number: "1", Name: "Greeting", Complexity: machine.Low, Status: machine.PhasePending, SpecSHA256: "a"}},
	}
}

// session makes the session s1 in the clone, whose first state may be changed before, and closes it.
func (m *mine) session(change func(*machine.State)) {
	m.Helper()
	first := m.first("s1")
	if change != nil {
		change(first)
	}
	s, err := sessions.Create(filepath.Join(m.dir, first.SessionDir), machine.Event{Type: machine.Created, Initial: first}, sessions.Options{Now: time.Now})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		m.Fatal(err)
	}
}
