package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"autopilot/cmd"
	"autopilot/cmd/console"
)

// badInput is something wrong that the program is given, and what it says: the exit code, a text that names what is
// wrong, and one that says what to do. Each row begins in the same repository, which holds docs/spec.md.
type badInput struct {
	name  string
	args  string            // set apart by blanks; "" within is an empty argument
	files map[string]string // put there before, by their paths in the repository
	input string            // standard input
	env   string            // one more variable
	begun bool              // there is a session for the spec already, which stopped before its plan
	code  int
	wrong string
	to    string
}

func TestBadInputIsToldWithWhatToDo(t *testing.T) {
	t.Parallel()
	p := newEmptyPlace(t)
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(goodSpec))
	p.begin(t)
	var page strings.Builder
	n := 0
	for _, group := range badInputs() {
		rows := [][]string{{"what is wrong", "given to", "exit code", "what is said"}}
		for _, row := range group.rows {
			t.Run(row.name, func(t *testing.T) { rows = append(rows, row.documented(row.check(t, p), p)) })
		}
		n += len(group.rows)
		page.WriteString("\n### " + group.name + "\n\n" + cmd.Table(rows...))
	}
	if n < 80 {
		t.Errorf("only %d bad inputs", n)
	}
	if !t.Failed() && runtime.GOOS == "linux" { // elsewhere the system has other words
		cmd.SameParts(t, filepath.Join("..", "docs", "errors.md"), map[string]string{"errors": page.String() + "\n"})
	}
	if changed := p.git(t, "status", "--porcelain", "--ignored"); changed != "" {
		t.Errorf("bad input left something behind:\n%s", changed)
	}
}

// badGroup is a part of the table.
type badGroup struct {
	name string
	rows []badInput
}

// documented is the row of docs/errors.md.
func (row badInput) documented(said string, p *place) []string {
	said = strings.NewReplacer(p.repo+string(filepath.Separator), "", p.repo, "the repository", p.dir, "…", "autopilot: ", "").Replace(said)
	said = gitsWords.ReplaceAllString(strings.Join(strings.Fields(strings.ReplaceAll(strings.TrimSpace(said), "\n", "; ")), " "), "(git's own words)")
	if cut := []rune(said); len(cut) > longestSaid {
		said = string(cut[:longestSaid]) + "…"
	}
	given := strings.NewReplacer("·", " ", `""`, `''`).Replace(row.args)
	if row.env != "" {
		given = row.env + " autopilot " + given
	} else {
		given = "autopilot " + given
	}
	if said != "" {
		said = "`` " + said + " ``"
	}
	return []string{row.name, "`" + given + "`", strconv.Itoa(row.code), said}
}

// gitsWords differ from place to place.
var gitsWords = regexp.MustCompile(`\(fatal: .*\)\.?\)`)

// longestSaid is how much of a message docs/errors.md shows, in characters: some list all that there is.
const longestSaid = 300

// check runs one command on bad input, in this process, and takes away what the row put there. It returns what was said.
func (row badInput) check(t *testing.T, p *place) string {
	for name, text := range row.files {
		p.put(t, filepath.Join(p.repo, filepath.FromSlash(name)), []byte(text))
		defer os.RemoveAll(filepath.Join(p.repo, filepath.FromSlash(name)))
	}
	if len(row.files) > 0 {
		defer os.RemoveAll(filepath.Join(p.repo, ".harness"))
	}
	args := strings.Fields(row.args)
	for i := range args {
		args[i] = strings.NewReplacer(`""`, "", `\n`, "\n", "·", " ").Replace(args[i])
	}
	at := *p
	if row.env != "" {
		at.env = append(slices.Clip(at.env), row.env)
	}
	if row.begun {
		at.stopBeforeThePlan(t)
	}
	got := at.command(console.Host{In: strings.NewReader(row.input)}, args...)
	if got.code != row.code || !strings.Contains(got.text, row.wrong) || !strings.Contains(got.text, row.to) {
		t.Errorf("autopilot %q: exit code %d, want %d, with %q and %q:\n%s", args, got.code, row.code, row.wrong, row.to, got.text)
	}
	if rawIn(got.text) != "" || strings.Contains(got.text, "goroutine") {
		t.Errorf("autopilot %q said:\n%q", args, got.text)
	}
	return got.text
}

// stopBeforeThePlan begins a session that a limit ends before it has a plan; check takes it away, as after each row with files.
func (p *place) stopBeforeThePlan(t *testing.T) {
	t.Helper()
	turns := filepath.Join(p.dir, "limited.yaml")
	p.put(t, turns, []byte("version: 1\ndispatches: [{persona: planner, phase: 1, turns: [{fault: rate_limited}]}]\n"))
	if got := p.command(console.Host{}, "docs/spec.md", "--no-branch", "--non-interactive", "--wait", "never", "--replay", turns); got.code != 5 {
		t.Fatalf("the session did not begin: exit code %d:\n%s", got.code, got.text)
	}
}
