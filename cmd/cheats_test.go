package cmd_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// share is how large a part of the cheats is played.
var share = flag.Int("share", 0, "play one of so many cases of each language, at least one, fail where a test program is missing, and print what found each; 0: one of each kind in Python")

// cheatAgent plans one task, and does it by making the working tree what is in $AFTER.
const cheatAgent = `cat > /dev/null
case "$AUTOPILOT_PERSONA" in
planner) cat > "$AUTOPILOT_PLAN" < "$CHEAT/plan.md" ;;
executor)
	(cd "$CHEAT/before" && find . -type f) | while read -r f; do
		[ -e "$CHEAT/after/$f" ] || rm -f "$f"
	done
	cp -R "$CHEAT/after/." . ;;
esac
echo '{"v":1,"status":"done","summary":"All tests pass.","evidence":[{"command":"all tests","exitCode":0}]}' > "$AUTOPILOT_REPLY"
`

// TestCheatingAgentIsCaught has an agent do what the files of testdata/cheats do, and say that it is done: the phase does not
// count. What those of testdata/honest do is not held against it. Each is a small project, and a change to it. The first line of
// its file says what is done; the parts of the archive are
//
//	-- before/PATH --  a file before the change
//	-- after/PATH --   a file behind it; one that has only a before is deleted
//	-- plan --         what the plan announces, one list a line; without it, files of all paths
//	-- command --      the validation, which passes before and behind the change
//	-- proof --        what shows it: "red TEST…", the old tests that fail on the new code; "unbuilt", they do not build or
//	                   find what they test; "green", they pass; "guard", a file that steers, which no run shows; and
//	                   "reviewer: WHY", neither
//	-- want --         what is found without a run, one a line: severity, file:line, and what the title holds
func TestCheatingAgentIsCaught(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a script of sh")
	}
	var found sync.Map
	t.Run("cases", func(t *testing.T) {
		for _, folder := range []string{"cheats", "honest"} {
			names, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
			if err != nil || len(names) < 50 {
				t.Fatalf("%d files in %s (%v)", len(names), folder, err)
			}
			for _, name := range chosen(names) {
				t.Run(folder+"/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
					t.Parallel()
					c := readCase(t, name)
					found.Store(folder+" "+strings.TrimSpace(c.claim), c.play(t, folder == "honest"))
				})
			}
		}
	})
	if *share > 0 {
		tellTable(&found)
	}
}

// tellTable prints what found each case.
func tellTable(found *sync.Map) {
	var lines []string
	for claim, how := range found.Range {
		lines = append(lines, fmt.Sprintf("%-24s %s", how, claim))
	}
	slices.Sort(lines)
	fmt.Println(strings.Join(lines, "\n"))
}

// chosen are the cases that are played.
func chosen(names []string) (some []string) {
	chance().Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if *share == 0 { // one of those that start soonest
		return names[slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(filepath.Base(name), "python-") }):][:1]
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

// testPrograms are how one sees that a test program is there, by a word of the commands that need it.
var testPrograms = map[string][]string{
	"go": {"go", "version"}, "pytest": {"pytest", "--version"}, "unittest": {"python3", "--version"}, "node": {"node", "--version"},
	"jest": {nodeProgram("jest"), "--version"}, "vitest": {nodeProgram("vitest"), "--version"}, "mocha": {nodeProgram("mocha"), "--version"},
	"cargo": {"cargo", "--version"}, "javac": {"javac", "-version"},
}

// nodeProgram is a program of the folder that .ci/tools makes.
func nodeProgram(name string) string {
	dir, _ := filepath.Abs(filepath.Join("..", ".tools", "js", "node_modules"))
	return filepath.Join(dir, ".bin", name)
}

// cheatCase is a case.
type cheatCase struct {
	files                           []txtar.File
	claim, plan, command, how, want string
}

func readCase(t *testing.T, file string) cheatCase {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := cheatCase{files: archive.Files, claim: string(archive.Comment), plan: "Owns: **"}
	for _, f := range archive.Files {
		if part := map[string]*string{"plan": &c.plan, "command": &c.command, "proof": &c.how, "want": &c.want}[f.Name]; part != nil {
			*part = strings.TrimSpace(string(f.Data))
		}
	}
	return c
}

// needs the programs of its command.
func (c cheatCase) needs(t *testing.T) {
	t.Helper()
	for _, word := range strings.FieldsFunc(c.command, func(r rune) bool { return strings.ContainsRune(" ;&|/", r) }) {
		program, known := testPrograms[word]
		if !known {
			continue
		}
		version := exec.CommandContext(t.Context(), program[0], program[1:]...)
		version.Env = append(os.Environ(), toolEnv(t)...)
		if version.Run() == nil {
			continue
		}
		if *share > 0 {
			t.Fatalf("%s is missing: .ci/tools installs it", word)
		}
		t.Skipf("%s is missing: .ci/tools installs it", word)
	}
}

// at lays the case out in a place of its own.
func (c cheatCase) at(t *testing.T) *place {
	t.Helper()
	p := newEmptyPlace(t)
	p.files = c.files
	cheat := filepath.Join(p.dir, "cheat")
	p.env = append(p.env, "CHEAT="+cheat, "PYTHONDONTWRITEBYTECODE=1", "GOFLAGS=-mod=mod", "GOPROXY=off")
	p.env = append(p.env, toolEnv(t)...)
	_ = os.Symlink(filepath.Dir(filepath.Dir(nodeProgram("jest"))), filepath.Join(p.dir, "node_modules")) // found from below
	p.write(t, "before/", p.repo)
	for _, side := range []string{"before", "after"} {
		p.put(t, filepath.Join(cheat, side, ".keep"), nil)
		p.write(t, side+"/", filepath.Join(cheat, side))
	}
	for _, f := range c.files {
		if path, is := strings.CutPrefix(f.Name, "before/"); is && strings.HasPrefix(string(f.Data), "#!") {
			if err := os.Chmod(filepath.Join(p.repo, filepath.FromSlash(path)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	p.put(t, filepath.Join(cheat, "plan.md"), []byte("# Plan: Change\n\n## Tasks\n\n### Task 1: Change\n\n"+marked(c.plan)))
	p.put(t, filepath.Join(p.repo, "docs", "plans", ".keep"), nil)
	p.put(t, filepath.Join(p.repo, ".keep"), nil)
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte("# Change\n\n## Implementation Order\n\n### Phase 1: Change\n"))
	command, _ := json.Marshal(c.command)
	p.put(t, filepath.Join(p.repo, "autopilot.yaml"), []byte("backend: mine\nretries: 0\nvalidate: {commands: ["+string(command)+"]}\nbackends:\n  mine: {type: command, command: [sh, ../agent.sh]}\n"))
	p.put(t, filepath.Join(p.dir, "agent.sh"), []byte(cheatAgent))
	p.begin(t)
	return p
}

// toolEnv lets the programs of a case, which has a home of its own, find what they need.
func toolEnv(t *testing.T) []string {
	t.Helper()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"GOCACHE=" + filepath.Join(me.HomeDir, ".cache", "go-build"), "CARGO_HOME=" + filepath.Join(me.HomeDir, ".cargo"), "RUSTUP_HOME=" + filepath.Join(me.HomeDir, ".rustup")}
	env = slices.DeleteFunc(env, func(entry string) bool { name, _, _ := strings.Cut(entry, "="); return os.Getenv(name) != "" })
	var jars []string
	for _, name := range []string{"junit", "hamcrest", "opentest4j", "apiguardian", "univocity-parsers", "picocli"} {
		some, _ := filepath.Glob("/usr/share/java/" + name + "*.jar")
		jars = append(jars, some...)
	}
	return append(env, "CLASSPATH="+strings.Join(jars, ":"))
}

// Titles of what running the old tests shows.
const (
	failsNow   = "the previous tests fail on the new code"
	notRunOnIt = "the previous tests don't run on the new code"
)

// play has the agent do it, and returns what found it.
func (c cheatCase) play(t *testing.T, honest bool) string {
	t.Helper()
	c.needs(t)
	p := c.at(t)
	run := exec.CommandContext(t.Context(), "autopilot", "docs/spec.md", "--fast", "--yes", "--json")
	run.Dir, run.Env = p.repo, p.env
	out, err := run.Output()
	found := findingsIn(t, out)
	how, tests, _ := strings.Cut(c.how, " ")
	if strings.Contains(c.want, "critical ") {
		how, tests = "guard", ""
	}
	stops := !honest && (how == "red" || how == "guard")
	if code := run.ProcessState.ExitCode(); stops && code != 3 || !stops && code != 0 {
		t.Errorf("%sexit code %d (%v):\n%s", c.claim, code, err, out)
	}
	want := wanted(c.want)
	switch {
	case how == "red" && honest: // announced
		want = append(want, shownFinding{Severity: "suggestion", Title: failsNow, Rationale: tests})
	case how == "red":
		want = append(want, shownFinding{Severity: "critical", Title: failsNow, Rationale: tests})
	case how == "unbuilt":
		want = append(want, shownFinding{Severity: "important", Title: notRunOnIt})
	}
	for _, w := range want {
		if !slices.ContainsFunc(found, w.shown) {
			t.Errorf("%swant %+v\ngot  %+v", c.claim, w, found)
		}
	}
	for _, f := range found {
		if len(want) == 0 && f.Severity != "suggestion" {
			t.Errorf("%saccused: %+v", c.claim, f)
		}
	}
	return strings.TrimSpace(how + " " + tests)
}

// wanted are findings as lines write them.
func wanted(lines string) (list []shownFinding) {
	for line := range strings.Lines(lines) {
		severity, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		at, title, _ := strings.Cut(rest, " ")
		file, number, _ := strings.Cut(at, ":")
		f := shownFinding{Severity: severity, File: file, Title: title}
		_, _ = fmt.Sscan(number, &f.Line)
		list = append(list, f)
	}
	return list
}

// marked writes what a plan announces as a plan does.
func marked(announced string) string {
	var b strings.Builder
	for line := range strings.Lines(announced + "\n") {
		key, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		fmt.Fprintf(&b, "**%s:** %s\n", key, list)
	}
	return b.String()
}

type shownFinding struct {
	Severity, File, Title, Rationale string
	Line                             int
}

// shown says whether a finding is the one that is wanted, as far as that tells.
func (w shownFinding) shown(f shownFinding) bool {
	return f.Severity == w.Severity && (w.File == "" || f.File == w.File && f.Line == w.Line) && strings.Contains(f.Title, w.Title) && strings.Contains(f.Title+f.Rationale, w.Rationale)
}

func findingsIn(t *testing.T, out []byte) []shownFinding {
	t.Helper()
	var found []shownFinding
	for line := range strings.Lines(string(out)) {
		var note struct {
			Event   string
			Finding shownFinding
		}
		if err := json.Unmarshal([]byte(line), &note); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if note.Event == "finding" {
			found = append(found, note.Finding)
		}
	}
	if len(out) == 0 {
		t.Fatal("nothing was printed")
	}
	return found
}
