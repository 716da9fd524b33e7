package cmd_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"autopilot/cmd"
	"autopilot/cmd/console"
)

// person sits at a terminal and does the work when the prompt appears. The only question that is answered in words is
// the last one, about a pull request.
type person struct {
	mu   sync.Mutex // the question is asked beside the run
	said bytes.Buffer
	work func()
	keys io.Writer
}

func (p *person) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, err := p.said.Write(b)
	if p.work != nil && strings.Contains(p.said.String(), "Your answer: ") {
		p.work()
		p.work = nil
	}
	if bytes.Contains(b, []byte("(yes / no)")) {
		_, err = io.WriteString(p.keys, "no\n")
	}
	return n, err
}

func TestQuestionAtATerminalIsAnsweredByTheReplyFile(t *testing.T) {
	repo := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "A User")
		t.Setenv("GIT_"+who+"_EMAIL", "user@example.com")
	}
	const reply = `{"v": 1, "status": "done", "summary": "Done.", "planPath": "docs/plans/greet.md"}`
	write := func(name, text string) {
		path := filepath.Join(repo, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
	write("docs/spec.md", "# Greeting\n\n## Implementation Order\n\n### Phase 1: Greet <!-- complexity: low -->\n")
	write("plan.md", "# Plan: Greet\n## Tasks\n### Task 1: Greet\n**Files:** greet.txt | **Validation:** `grep -q hello greet.txt`\n")
	write("agent.sh", "mkdir -p docs/plans; cat plan.md > docs/plans/greet.md; echo '"+reply+"' > $AUTOPILOT_REPLY\n")
	write("autopilot.yaml", "rigor: fast\nbackend: script\nbackends: {me: {type: manual}, script: {type: command, command: [sh, agent.sh]}}\npersonas: {executor: {backend: me}}\n")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "Begin"}} {
		git := exec.CommandContext(t.Context(), "git", args...)
		git.Dir = repo
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	silent, typing := io.Pipe()
	leave := time.AfterFunc(time.Minute, func() { typing.Close() }) // a run that waits for ever ends at its question
	defer leave.Stop()
	p := &person{keys: typing, work: func() {
		write("greet.txt", "hello\n")
		write(".harness/sessions/spec/inbox/executor-1-task-001/reply.json", reply)
	}}
	code := cmd.Main([]string{"docs/spec.md", "--yes"}, console.Host{
		In: silent, Out: io.Discard, Err: p, Terminal: true, Dir: repo, Environ: append(os.Environ(), "AUTOPILOT_TRUST=1"), Now: time.Now,
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	if code != 0 || p.work != nil || !strings.Contains(p.said.String(), "with the reply file") {
		t.Errorf("exit code %d:\n%s", code, p.said.String())
	}
}
