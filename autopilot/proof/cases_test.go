package proof

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"autopilot/autopilot/validate"
)

var (
	share = flag.Int("share", 0, "play one of so many cases of each language, at least one, and fail where a test program is missing; 0: two cases, as far as their programs are there")
	seed  = flag.Uint64("seed", 1, "which cases are chosen")
)

// A case is a small project, and a change to it. The first line of its file says what is done; the parts of the archive are
//
//	-- before/PATH --  a file before the change
//	-- after/PATH --   a file behind it; one that has only a before is deleted
//	-- command --      the validation, which passes before and behind the change
//	-- proof --        what shows it: "red TEST…", the old tests that fail on the new code; "unbuilt", they do not build or
//	                   find what they test; "green", they pass; "guard", a file that steers is found without a run, and
//	                   "reviewer: WHY", no run makes it red
type played struct {
	before, after  map[string]string
	command, proof string
}

func read(t *testing.T, file string) played {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := played{before: map[string]string{}, after: map[string]string{}}
	for _, f := range archive.Files {
		switch side, path, _ := strings.Cut(f.Name, "/"); side {
		case "before":
			p.before[path] = string(f.Data)
		case "after":
			p.after[path] = string(f.Data)
		case "command":
			p.command = strings.TrimSpace(string(f.Data))
		case "proof":
			p.proof = strings.TrimSpace(string(f.Data))
		}
	}
	return p
}

// programs are how one sees that a test program is there, by a word of the commands that need it.
var programs = map[string][]string{
	"go": {"go", "version"}, "pytest": {"pytest", "--version"}, "unittest": {"python3", "--version"}, "node": {"node", "--version"},
	"jest": {modules("jest"), "--version"}, "vitest": {modules("vitest"), "--version"}, "mocha": {modules("mocha"), "--version"},
	"cargo": {"cargo", "--version"}, "javac": {"javac", "-version"},
}

// modules is a program of the folder that .ci/tools makes.
func modules(name string) string {
	dir, _ := filepath.Abs(filepath.Join("..", "..", ".tools", "js", "node_modules"))
	return filepath.Join(dir, ".bin", name)
}

// needs the programs of a command.
func needs(t *testing.T, command string) {
	t.Helper()
	for _, word := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" ;&|/", r) }) {
		program, known := programs[word]
		if !known || exec.CommandContext(t.Context(), program[0], program[1:]...).Run() == nil {
			continue
		}
		if *share > 0 {
			t.Fatalf("%s is missing: .ci/tools installs it", word)
		}
		t.Skipf("%s is missing: .ci/tools installs it", word)
	}
}

// folder has some files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		mode := os.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), mode)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run lays down files and runs a command there.
func run(t *testing.T, files map[string]string, command string) validate.Evidence {
	t.Helper()
	dir := folder(t, files)
	if _, is := files["package.json"]; is {
		_ = os.Symlink(filepath.Dir(filepath.Dir(modules("jest"))), filepath.Join(dir, "node_modules"))
	}
	var jars []string
	for _, name := range []string{"junit", "hamcrest", "opentest4j", "apiguardian", "univocity-parsers", "picocli"} {
		some, _ := filepath.Glob("/usr/share/java/" + name + "*.jar")
		jars = append(jars, some...)
	}
	runner := validate.Runner{Now: time.Now, Env: append(os.Environ(), "CLASSPATH="+strings.Join(jars, ":"), "PYTHONDONTWRITEBYTECODE=1", "GOFLAGS=-mod=mod", "GOPROXY=off")}
	return runner.Run(t.Context(), dir, validate.Validation{Command: command, Timeout: 5 * time.Minute})
}

// changesOf lists what differs.
func changesOf(p played) (changes []Change) {
	for path, text := range p.after {
		if old, was := p.before[path]; !was || old != text {
			changes = append(changes, Change{Path: path, New: !was})
		}
	}
	for path := range p.before {
		if _, is := p.after[path]; !is {
			changes = append(changes, Change{Path: path})
		}
	}
	return changes
}

// oldTests is the work with what judged before.
func oldTests(p played, scripts map[string]bool, both bool) (files map[string]string, swap Swap) {
	swap = Old(changesOf(p), scripts, both)
	files = maps.Clone(p.after)
	for _, path := range swap.Out {
		delete(files, path)
	}
	for _, path := range swap.Back {
		files[path] = p.before[path]
	}
	return files, swap
}

func judge(t *testing.T, p played, before validate.Evidence) string {
	t.Helper()
	scripts := map[string]bool{}
	unchanged := func(string) ([]byte, bool) { return nil, false }
	for _, script := range validate.Scripts(folder(t, p.before), []validate.Validation{{Command: p.command}}, unchanged) {
		scripts[script] = true
	}
	for _, both := range []bool{true, false} {
		files, swap := oldTests(p, scripts, both)
		if swap.Empty() {
			return string(map[bool]Verdict{true: Holds, false: Unbuilt}[both])
		}
		now := run(t, files, p.command)
		verdict, tests := Compare(before, now)
		if swap.Needed(verdict) {
			return string(Holds)
		}
		if swap.Renamed(verdict, tests, now.Output) {
			return string(Unbuilt)
		}
		if verdict == Unbuilt && both {
			continue // a file that builds, too, may be the cause
		}
		if verdict != Holds {
			t.Logf("%s: %s", verdict, now.Output)
		}
		return strings.TrimSpace(fmt.Sprint(verdict, " ", strings.Join(tests, ", ")))
	}
	return string(Unbuilt)
}

// chosen are the cases that are played.
func chosen(names []string) (some []string) {
	chance := rand.New(rand.NewPCG(*seed, uint64(len(names))))
	chance.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if *share == 0 {
		return names[:1]
	}
	of := map[string][]string{}
	for _, name := range names {
		language, _, _ := strings.Cut(filepath.Base(name), "-")
		of[language] = append(of[language], name)
	}
	for _, group := range of {
		some = append(some, group[:max(1, len(group) / *share)]...)
	}
	return some
}

// TestCases plays some of the cases: each passes its own validation before and behind the change, and the old tests on the
// new code show what it says.
func TestCases(t *testing.T) {
	for _, folder := range []string{"cheats", "honest"} {
		names, err := filepath.Glob(filepath.Join("..", "integrity", "testdata", folder, "*.txtar"))
		if err != nil || len(names) < 50 {
			t.Fatalf("%d cases in %s, error %v", len(names), folder, err)
		}
		for _, name := range chosen(names) {
			t.Run(folder+"/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
				t.Parallel()
				p := read(t, name)
				needs(t, p.command)
				before := run(t, p.before, p.command)
				if before.Outcome != validate.Passed {
					t.Fatalf("before the change: %s %s\n%s", before.Outcome, before.Reason, before.Output)
				}
				if now := run(t, p.after, p.command); now.Outcome != validate.Passed {
					t.Fatalf("behind the change: %s %s\n%s", now.Outcome, now.Reason, now.Output)
				}
				if p.proof == "guard" || strings.HasPrefix(p.proof, "reviewer: ") && len(p.proof) > 30 {
					return
				}
				if got := judge(t, p, before); got != p.proof {
					t.Errorf("got %q, want %q", got, p.proof)
				}
			})
		}
	}
}
