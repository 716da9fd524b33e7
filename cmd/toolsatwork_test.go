package cmd_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// Who runs a tool while a session goes on.
const (
	executor   = "the executor"
	validation = "the validation"
	initScript = "init.sh"
	setup      = "worktree.setup"
	theUser    = "the user, in another working tree"
)

// tool is a program whose work changes git's own files, and who runs it.
type tool struct {
	name, by string
	does     string // a script of sh
	ground   string // what there is beside the usual, made by another
	config   string // of autopilot.yaml
	stays    string // a pattern: keys of .git/config that may be other ones afterwards
	says     string // a pattern: what the run says of it
}

// TestToolsRaiseNoAlarm has tools do their work while a session goes on: it ends, nothing is found that is more than a
// suggestion, no attempt is spent, and what is the user's is as it was.
func TestToolsRaiseNoAlarm(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts of sh")
	}
	for _, c := range sample(tools) {
		t.Run(c.name+" by "+c.by, func(t *testing.T) {
			if c.does == husky {
				if _, err := exec.LookPath("npm"); err != nil {
					t.Skip("npm is not installed")
				}
			}
			t.Parallel()
			c.plays(t)
		})
	}
}

func (c tool) plays(t *testing.T) {
	t.Helper()
	p := c.place(t)
	before, looked := p.settings(t), p.sh(t, looks)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if c.by == theUser {
		deed := exec.CommandContext(ctx, "sh", "-c", "read x < ready; (cd beside; . $WORK/tool.sh); sh look.sh > looked; echo > gone")
		deed.Dir, deed.Env = p.dir, p.env
		if err := deed.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { stop(); _ = deed.Wait() }()
	}
	args := []string{"docs/spec.md", "--replay", p.replay, "--fast", "--yes"}
	if c.by == setup {
		args = append(args, "--worktree")
	}
	code, said := p.process(t, nil)(args...)
	if code != 0 {
		t.Fatalf("exit code %d:\n%s%s", code, said, p.journal(t))
	}
	if _, err := os.Stat(filepath.Join(p.dir, "done")); err != nil {
		t.Errorf("the tool failed:\n%s", said)
	}
	alarmless(t, p.session(), said)
	if !regexp.MustCompile(c.says).MatchString(said) {
		t.Errorf("it does not say %q:\n%s", c.says, said)
	}
	if c.by == theUser {
		looked = p.sh(t, "cat ../looked")
	}
	p.same(t, looked)
	c.left(t, p, before)
}

// place is a repository with a remote, another working tree of the user's, and a session that meets the tool.
func (c tool) place(t *testing.T) *place {
	t.Helper()
	p := newEmptyPlace(t)
	global := filepath.Join(p.dir, ".gitconfig")
	p.env = append(p.env, "WORK="+p.dir, "GIT_CONFIG_GLOBAL="+global, "AUTOPILOT_TRUST=1")
	p.put(t, global, []byte("[protocol \"file\"]\n\tallow = always\n"))
	executed, validated, config := ". $WORK/tool.sh", "grep -q hello greet.txt", c.config
	switch c.by {
	case theUser:
		executed = ". $WORK/meet.sh"
	case validation:
		executed, validated = "true", ". $WORK/tool.sh && "+validated
	case setup:
		executed, config = "true", config+"worktree: {setup: '. $WORK/tool.sh'}\n"
	case initScript:
		executed = "true"
		p.put(t, filepath.Join(p.repo, ".harness", "init.sh"), []byte(". $WORK/tool.sh\n"))
	}
	p.put(t, filepath.Join(p.dir, "meet.sh"), []byte("echo > $WORK/ready; read x < $WORK/gone\n"))
	p.put(t, filepath.Join(p.dir, "tool.sh"), []byte("sh -e $WORK/does.sh && touch $WORK/done\n"))
	p.put(t, filepath.Join(p.dir, "does.sh"), []byte(c.does+"\n"))
	p.put(t, filepath.Join(p.dir, "look.sh"), []byte(looks))
	p.put(t, filepath.Join(p.repo, ".gitignore"), []byte(".harness/\n"))
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte("# Manners\n\n## Implementation Order\n\n### Phase 1: Greet <!-- complexity: low -->\n\nSay hello.\n"))
	p.put(t, filepath.Join(p.repo, "mine.txt"), []byte("mine\n"))
	if config != "" {
		p.put(t, filepath.Join(p.repo, "autopilot.yaml"), []byte(config))
	}
	turn := `{persona: executor, phase: 1, task: task-001, turns: [{calls: [{write_file: {path: greet.txt, content: "hello\n"}}, {run_command: {command: '` + executed + `'}}]}, {reply: {status: done, summary: Written.}}]}`
	plan := strings.Replace(oneTask, "grep -q hello greet.txt", validated, 1)
	p.put(t, p.replay, []byte("version: 1\ndispatches:\n  - "+strings.Join([]string{planned(plan), turn, reviews, finishes}, "\n  - ")+"\n"))
	p.git(t, "init", "-q", "-b", "main", "--template=")
	p.sh(t, c.ground)
	p.sh(t, made)
	return p
}

// made makes the rest of a place, once the files are there: theirs is what somebody else pushed since.
const made = `git add -A && git commit -q -m Begin
git init -q --bare -b main ../origin && git remote add origin "$WORK/origin"
git push -q origin main main:theirs && git fetch -q origin
git clone -q -b theirs ../origin ../elsewhere
git -C ../elsewhere commit -q --allow-empty -m Theirs && git -C ../elsewhere tag v1 && git -C ../elsewhere push -q origin theirs v1
git worktree add -q -b beside ../beside && echo notes > ../beside/notes.txt
mkfifo ../ready ../gone`

// looks prints what is the user's: all refs but the program's, and the other working tree.
const looks = `git -C "$WORK/repo" for-each-ref | grep -v autopilot/
git -C "$WORK/beside" status --porcelain --branch
(cd "$WORK/beside" && find . -type f -exec cksum {} + | sort)
`

func (p *place) sh(t *testing.T, script string) string {
	t.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir, cmd.Env = p.repo, p.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

// settings are the lines of git's configuration of the repository.
func (p *place) settings(t *testing.T) []string {
	t.Helper()
	return strings.Split(p.git(t, "config", "--file", filepath.Join(p.repo, ".git", "config"), "--list"), "\n")
}

// alarmless says what a session found that is more than a suggestion, and whether it came to its end without a failure.
func alarmless(t *testing.T, session, said string) {
	t.Helper()
	journal, err := os.ReadFile(filepath.Join(session, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(journal)) {
		if strings.Contains(line, `"severity":"critical"`) || strings.Contains(line, `"severity":"important"`) {
			t.Errorf("an alarm: %s", line)
		}
	}
	s, _, err := sessions.Read(session, sessions.Options{Now: time.Now})
	if err != nil || s.CurrentState != machine.Done || len(s.History) != 1 || s.History[0].RetriesUsed > 0 {
		t.Errorf("it came to %s, %+v, %v:\n%s", s.CurrentState, s.History, err, said)
	}
}

// same compares what is the user's with what it was: where the user did something since, right after that.
func (p *place) same(t *testing.T, looked string) {
	t.Helper()
	if now := p.sh(t, looks); now != looked {
		t.Errorf("the user's refs and files were:\n%sand are:\n%s", looked, now)
	}
}

// left compares git's configuration with what it was, but for what may stay of the tool.
func (c tool) left(t *testing.T, p *place, before []string) {
	t.Helper()
	after, may := p.settings(t), regexp.MustCompile("^("+c.stays+")=")
	for _, line := range append(slices.Clone(before), after...) {
		if slices.Contains(before, line) != slices.Contains(after, line) && !may.MatchString(line) {
			t.Errorf("git's configuration changed: %s", line)
		}
	}
}
