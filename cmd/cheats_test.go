package cmd_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

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

// TestCheatingAgentIsCaught has an agent do what the files of autopilot/integrity/testdata/cheats do, and say that it is done:
// the task does not count, and the finding names file and line. What those of honest do is not held against the agent.
// Plain `go test` takes a few of each, -full all.
func TestCheatingAgentIsCaught(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a script of sh")
	}
	for _, folder := range []string{"cheats", "honest"} {
		names, err := filepath.Glob(filepath.Join("..", "autopilot", "integrity", "testdata", folder, "*.txtar"))
		if err != nil || len(names) < 15 {
			t.Fatalf("%d files in %s (%v)", len(names), folder, err)
		}
		if !*full {
			var some []string
			for _, i := range chance().Perm(len(names))[:4] {
				some = append(some, names[i])
			}
			names = some
		}
		for _, name := range names {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(folder+"/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { playCheat(t, archive) })
		}
	}
}

// testProgram matches a command that needs more than sh, make, Python or Node.
var testProgram = regexp.MustCompile(`\b(go test|pytest|jest|vitest|mocha|cargo|javac)\b`)

// playCheat runs the agent on one file.
func playCheat(t *testing.T, archive *txtar.Archive) {
	t.Parallel()
	p := newEmptyPlace(t)
	p.files = archive.Files
	cheat := filepath.Join(p.dir, "cheat")
	p.env = append(p.env, "CHEAT="+cheat)
	p.write(t, "before/", p.repo)
	for _, side := range []string{"before", "after"} {
		p.put(t, filepath.Join(cheat, side, ".keep"), nil)
		p.write(t, side+"/", filepath.Join(cheat, side))
	}
	announced, command, want := "Owns: **", "true", []string(nil)
	for _, f := range archive.Files {
		switch f.Name {
		case "plan":
			announced = strings.TrimSpace(string(f.Data))
		case "command":
			command = strings.TrimSpace(string(f.Data))
		case "want":
			want = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		}
	}
	if testProgram.MatchString(command) { // nothing but the change is looked at here; package proof runs it
		command = "true"
	}
	p.put(t, filepath.Join(cheat, "plan.md"), []byte("# Plan: Change\n\n## Tasks\n\n### Task 1: Change\n\n"+marked(announced)+"**Validation:** `"+command+"`\n"))
	p.put(t, filepath.Join(p.repo, "docs", "plans", ".keep"), nil)
	p.put(t, filepath.Join(p.repo, ".keep"), nil)
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte("# Change\n\n## Implementation Order\n\n### Phase 1: Change\n"))
	p.put(t, filepath.Join(p.repo, "autopilot.yaml"), []byte("backend: mine\nretries: 0\nvalidate: {commands: ['true']}\nbackends:\n  mine: {type: command, command: [sh, ../agent.sh]}\n"))
	p.put(t, filepath.Join(p.dir, "agent.sh"), []byte(cheatAgent))
	p.begin(t)

	c := exec.Command("autopilot", "docs/spec.md", "--fast", "--yes", "--json")
	c.Dir, c.Env = p.repo, p.env
	out, err := c.Output()
	found := findingsIn(t, out)
	blocks := slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(w, "critical ") })
	if code := c.ProcessState.ExitCode(); blocks && code != 3 || !blocks && code != 0 {
		t.Errorf("%sexit code %d (%v):\n%s", archive.Comment, code, err, out)
	}
	for _, w := range want {
		severity, rest, _ := strings.Cut(w, " ")
		at, title, _ := strings.Cut(rest, " ")
		if !slices.ContainsFunc(found, func(f shownFinding) bool {
			return f.Severity == severity && fmt.Sprintf("%s:%d", f.File, f.Line) == at && strings.Contains(f.Title, title)
		}) {
			t.Errorf("%swant %s\ngot  %+v", archive.Comment, w, found)
		}
	}
	if len(want) == 0 {
		for _, f := range found {
			if f.Severity != "suggestion" {
				t.Errorf("%saccused: %+v", archive.Comment, f)
			}
		}
	}
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
	Severity, File, Title string
	Line                  int
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
