package cmd_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/examples"
)

// fleet is a hub, a server, workers, and somebody's clone, in one folder.
type fleet struct {
	*testing.T
	scene
	luck *rand.Rand
	dir  string
	env  []string // of every process: what is left over is known by it
	hub  string   // its address
	cli  string   // Temporal's command line program

	server  *program
	workers []*program
	wire    *wire        // between workers and server
	road    *wire        // to the hub, where that is served
	asked   func(*fleet) // what happens when a person is about to answer
	revises int          // how many plans the person sends back
	gate    string       // that they answered last
}

func newFleet(t *testing.T, sc scene, seed int) *fleet {
	f := &fleet{T: t, scene: sc, luck: rand.New(rand.NewPCG(uint64(seed), 0)), dir: folder(t), cli: os.Getenv("TEMPORAL_CLI")}
	f.hub = filepath.Join(f.dir, "hub.git")
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); !strings.HasPrefix(name, "TEMPORAL_") && !strings.HasPrefix(name, "XDG_") && !strings.HasPrefix(name, "GIT_") && name != "HOME" {
			f.env = append(f.env, kv)
		}
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		f.env = append(f.env, name+"="+strings.TrimSpace(string(out)))
	}
	f.env = append(f.env, "HOME="+f.dir, "GOTOOLCHAIN=local", "GOFLAGS=-buildvcs=false", "TEMPORAL_ADDRESS="+freeAddress(t))
	f.write(".gitconfig", "[user]\n\tname = Someone\n\temail = someone@example.com\n[init]\n\tdefaultBranch = main\n")
	f.prepare()
	f.startServer()
	return f
}

// folder is a new one with a short name.
func folder(t *testing.T) string {
	dir, err := os.MkdirTemp("", "fleet") //nolint:usetesting // it is part of the session's name
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// prepare makes the hub and the clone of a person.
func (f *fleet) prepare() {
	for name, data := range f.work.files {
		f.write(filepath.Join("seed", name), string(data))
	}
	f.git("seed", "init", "--quiet")
	f.git("seed", "add", "--all")
	f.git("seed", "commit", "--quiet", "-m", "The project and its spec")
	f.git(".", "clone", "--quiet", "--bare", "seed", "hub.git")
	f.git(".", "clone", "--quiet", "hub.git", "mine")
	f.git(".", "clone", "--quiet", "hub.git", "planner")
	f.write("replay.yaml", string(examples.Tally()[examples.Replay]))
	if f.work.agent != "" {
		f.write("agent.sh", f.work.agent)
		f.write(".config/autopilot/config.yaml", "backend: mine\nbackends:\n  mine: {type: command, command: ["+f.dir+"/agent.sh]}\n")
	}
}

func (f *fleet) address() string { return strings.TrimPrefix(f.env[len(f.env)-1], "TEMPORAL_ADDRESS=") }

// port is that of an address.
func port(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (f *fleet) write(name, text string) {
	name = filepath.Join(f.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o755)); err != nil {
		f.Fatal(err)
	}
}

// try runs a program in a folder to its end.
func (f *fleet) try(dir, name string, args ...string) (out, said string, code int) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = filepath.Join(f.dir, strings.TrimPrefix(dir, f.dir)), f.env
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	if err := c.Run(); err != nil && c.ProcessState == nil {
		f.Fatal(err)
	}
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

// must runs a program that has to end well.
func (f *fleet) must(dir, name string, args ...string) string {
	f.Helper()
	out, said, code := f.try(dir, name, args...)
	if code != 0 {
		f.Fatalf("%s %v ended with %d\n%s%s", filepath.Base(name), args, code, out, said)
	}
	return out
}

func (f *fleet) git(dir string, args ...string) string {
	f.Helper()
	return strings.TrimSpace(f.must(dir, "git", args...))
}

// person types a command of autopilot-temporal in their clone.
func (f *fleet) person(args ...string) (out string, code int) {
	out, said, code := f.try("mine", filepath.Join(binaries, "autopilot-temporal"), args...)
	return out + said, code
}

func (f *fleet) eventually(what string, within time.Duration, is func() bool) {
	f.Helper()
	for began := time.Now(); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > within {
			f.Fatalf("not within %v: %s", within, what)
		}
	}
}
