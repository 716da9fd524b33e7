package cmd_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"autopilot/autopilot/inmemory"
	"autopilot/autopilot/process"
	"autopilot/cmd"
	"autopilot/cmd/console"
	_ "autopilot/cmd/supervisor" // ends a supervisor before the rest is made ready, as in the program
)

func TestMain(m *testing.M) {
	if code, was := process.Supervise(); was {
		os.Exit(code)
	}
	testscript.Main(isolated{m}, map[string]func(){
		"autopilot": func() { os.Exit(cmd.Main(os.Args[1:], console.System())) },
		"terminal":  func() { os.Exit(atTerminal(os.Args[1:])) },
		"wallclock": func() { os.Exit(onWall(os.Args[1:])) },
		"booted":    func() { os.Exit(startedWith(os.Args[1:])) },
	})
}

// isolated keeps every test away from the home and the git configuration of whoever runs it. The environment is set
// once, so that tests may run beside each other.
type isolated struct{ m *testing.M }

func (i isolated) Run() int {
	dir, err := os.MkdirTemp(inmemory.Dir(), "autopilot-cmd-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := keepGo(); err != nil {
		panic(err)
	}
	for name, value := range environmentIn(dir) {
		if err := errors.Join(os.Setenv(name, value), os.MkdirAll(filepath.Join(dir, "tmp"), 0o755)); err != nil {
			panic(err)
		}
	}
	// Most of a test's time goes into child processes that wait for each other, so more of them than processors fit.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	return i.m.Run()
}

// goPlaces are where Go keeps its caches; they stay warm.
var goPlaces = []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS"}

// keepGo has Go find its caches when the home is another.
func keepGo() error {
	out, err := exec.Command("go", append([]string{"env"}, goPlaces...)...).Output()
	if err != nil {
		return err
	}
	lines := strings.Split(string(out), "\n")
	for i, name := range goPlaces {
		err = errors.Join(err, os.Setenv(name, strings.TrimSpace(lines[i])))
	}
	return err
}

// TestScripts runs the stories of testdata/scripts: each is a claim about the program, shown by the real main. A story
// keeps its repository in repo/, and what the repository must not see (the replay file, plans to come) beside it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "scripts"), Setup: isolate, RequireUniqueNames: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo": makeRepo, "run": runSpec, "exits": exits, "commits": commits, "untouched": untouched,
			"json": jsonIs, "state": stateIs, "last": lastJSON, "tap": tap, "outside": proxied,
		},
		Condition: func(name string) (bool, error) {
			if name == "all" { // stories that `go test ./...` leaves to .ci/cover, since others tell nearly the same
				return os.Getenv("STORIES") == "all", nil
			}
			if name == "root" { // who can give files away to other users
				return os.Geteuid() == 0, nil
			}
			if name == "mounts" {
				return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", os.TempDir()).Run() == nil, nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
	})
}

// isolate gives a story a home, a git and an environment of its own; Go's caches stay warm.
func isolate(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	if err := os.MkdirAll(filepath.Join(home, ".config"), 0o755); err != nil {
		return err
	}
	path, err := agentless(env.Getenv("PATH"), filepath.Join(home, "tools"))
	if err != nil {
		return err
	}
	env.Setenv("PATH", path)
	env.Setenv("HOME", home)
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(home, ".local", "state"))
	env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("AUTOPILOT_FIX_AUTO", "0")       // what a story asks a person is asked; some set it
	env.Setenv("AUTOPILOT_VERIFY_BLIND", "off") // which is a dispatch more; some set it
	env.Setenv("AUTOPILOT_TRUST", "1")          // stories about trust set it to nothing
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env.Setenv("GIT_"+who+"_NAME", "A User")
		env.Setenv("GIT_"+who+"_EMAIL", "user@example.com")
	}
	for _, name := range goPlaces {
		env.Setenv(name, os.Getenv(name))
	}
	if runtime.GOOS == "windows" {
		env.Setenv("USERPROFILE", home)
	}
	return nil
}

// makeRepo is `repo [DIR]`: a repository with everything in DIR (repo) committed on main; the story goes on in it.
func makeRepo(ts *testscript.TestScript, neg bool, args []string) {
	dir := "repo"
	if len(args) > 0 {
		dir = args[0]
	}
	refuse(ts, neg || len(args) > 1, "repo [DIR]")
	ts.Check(ts.Chdir(dir))
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "Begin"}} {
		ts.Check(ts.Exec("git", args...))
	}
}

// runSpec is `run CODE [FLAG…]`: runs or resumes docs/spec.md on ../replay.yaml and expects the exit code.
func runSpec(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) < 1, "run CODE [FLAG…]")
	exits(ts, false, append([]string{args[0], "autopilot", "docs/spec.md", "--replay", "../replay.yaml", "--yes"}, args[1:]...))
}

// exits is `exits CODE PROGRAM [ARG…]`: expects exactly this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) < 2, "exits CODE PROGRAM [ARG…]")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", strings.Join(args[1:], " "), err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d: %s", got, want, strings.Join(args[1:], " "))
	}
}

// commits is `commits`: the subjects of HEAD's history, oldest first, on standard output.
func commits(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) > 0, "commits")
	ts.Check(ts.Exec("git", "log", "--reverse", "--format=%s"))
}

// tap is `tap NAME`: makes a named pipe. A command that reads it waits until the story writes to it.
func tap(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) != 1, "tap NAME")
	ts.Check(ts.Exec("mkfifo", ts.MkAbs(args[0])))
}

// untouched is `untouched FILE…`: the file has the bytes that it has in the branch main.
func untouched(ts *testscript.TestScript, neg bool, args []string) {
	refuse(ts, neg || len(args) == 0, "untouched FILE…")
	ts.Check(ts.Exec("git", append([]string{"diff", "--exit-code", "main", "--"}, args...)...))
}

func refuse(ts *testscript.TestScript, wrong bool, usage string) {
	if wrong {
		ts.Fatalf("usage: %s", usage)
	}
}
