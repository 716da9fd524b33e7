//go:build unix

package cmd_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

// realJourney is a repository whose spec a real program carries out.
type realJourney struct {
	*place
	t      *testing.T
	server *agentServer
	midway *os.File    // a pipe that the command writes to which is killed
	killed atomic.Bool // no command has to hang any more
}

const realSpec = `# Two phrases

## Success Criteria

- A greeting and a farewell are there.

## Implementation Order

### Phase 1: Greeting

<!-- complexity: low -->

Say hello.

### Phase 2: Farewell

<!-- complexity: low -->

Say goodbye.
`

func newRealJourney(t *testing.T, backend string) *realJourney {
	t.Helper()
	j := &realJourney{place: newEmptyPlace(t), t: t}
	j.server = serveAgents(t, j.script)
	j.put(t, filepath.Join(j.repo, "docs", "spec.md"), []byte(realSpec))
	j.put(t, filepath.Join(j.repo, "README.md"), []byte("Phrases for travellers.\n"))
	j.put(t, filepath.Join(j.repo, "autopilot.yaml"), []byte(
		"backends: {real: {"+backend+", base_url: "+j.server.URL+"/v1, api_key_env: REAL_KEY}}\nvalidate: {commands: [test -s README.md]}\n"))
	j.env = append(j.env, "REAL_KEY=x")
	j.begin(t)
	pipe := filepath.Join(j.dir, "tmp", "midway")
	if out, err := exec.CommandContext(t.Context(), "mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("no named pipes here: %s", out)
	}
	var err error
	if j.midway, err = os.OpenFile(pipe, os.O_RDWR, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.midway.Close() })
	return j
}

// script is what the model does in each dispatch.
func (j *realJourney) script(a agentAsked) []move {
	in := func(name string) string { return filepath.Join(j.repo, name) }
	phrase := []string{"", "hello", "goodbye"}[a.key.Phase]
	file := phrase + ".txt"
	switch a.key.Persona {
	case "planner":
		plan := "docs/plans/" + phrase + "-plan.md"
		return []move{
			{tool: writes, args: [2]string{in(plan), "# Plan: " + phrase + "\n\n**Spec:** docs/spec.md\n\n## Tasks\n\n### Task 1: Say " + phrase +
				"\n\n**Files:** " + file + " | **Validation:** `grep -q " + phrase + " " + file + "`\n\nWrite the phrase.\n"}},
			{say: reply(`"planPath":"` + plan + `"`)},
		}
	case "executor":
		if a.key.Phase == 2 && !j.killed.Load() {
			return []move{{tool: shell, args: [2]string{hangs(j.midway.Name())}}}
		}
		return []move{{tool: writes, args: [2]string{in(file), phrase + "\n"}}, {say: reply(`"concerns":[]`)}}
	case "verifier":
		return []move{
			{tool: shell, args: [2]string{"cat " + file}},
			{tool: shell, args: [2]string{"echo seen > verdict.txt; echo mine >> README.md"}},
			{say: reply(`"evidence":[{"command":"cat ` + file + `","exitCode":0}]`)},
		}
	}
	return []move{
		{tool: writes, args: [2]string{in("review.txt"), "I was here.\n"}},
		{say: reply(`"criteria":[{"text":"A greeting and a farewell are there.","satisfied":true,"confidence":"high"}]`)},
	}
}

func reply(more string) string {
	return "```json\n{\"v\":1,\"status\":\"done\",\"summary\":\"It is done.\"," + more + "}\n```\n"
}

// hangs starts what is hard to find, each in a session of its own, says that it runs, and stays.
func hangs(pipe string) string {
	return "setsid nohup sleep 1000 > /dev/null 2>&1 & (setsid sh -c 'sleep 1001 & cd /; trap \"\" TERM; sleep 1002' > /dev/null 2>&1 &); " +
		"echo midway > '" + pipe + "'; tail -f /dev/null"
}

// run is the command that begins the spec, and goes on with it.
func (j *realJourney) run() *exec.Cmd {
	c := exec.CommandContext(j.t.Context(), "autopilot", "docs/spec.md", "--yes", "--verbose")
	c.Dir, c.Env = j.repo, j.env
	return c
}

func (j *realJourney) isKilledInTheMiddle(withSupervisor bool) {
	j.t.Helper()
	var said bytes.Buffer
	c := j.run()
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		j.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
		_ = j.midway.SetReadDeadline(time.Now())
	}()
	if _, err := j.midway.Read(make([]byte, 100)); err != nil {
		<-ended
		j.t.Fatalf("it ended before it could be killed: %s\n%s%s", c.ProcessState, said.String(), j.journal(j.t))
	}
	j.killed.Store(true)
	if withSupervisor {
		_ = c.Process.Signal(syscall.SIGSTOP) // or it would tell how the dispatch ended
		killSupervisorOf(j.t, c.Process.Pid)
	}
	_ = c.Process.Kill()
	<-ended
}

func killSupervisorOf(t *testing.T, pid int) {
	t.Helper()
	parent := fmt.Sprintf("\nPPid:\t%d\n", pid)
	paths, _ := filepath.Glob("/proc/[0-9]*/status")
	for _, path := range paths {
		if status, err := os.ReadFile(path); err != nil || !strings.Contains(string(status), parent) {
			continue
		}
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if p, _ := os.FindProcess(child); err == nil && p.Kill() == nil {
			return
		}
	}
	t.Error("no supervisor was found")
}

func (j *realJourney) comesToItsEnd() {
	j.t.Helper()
	out, err := j.run().CombinedOutput()
	if err != nil {
		j.t.Fatalf("%v\n%s%s", err, out, j.journal(j.t))
	}
	s := j.state(j.t)
	if s.CurrentState != machine.Done {
		j.t.Fatalf("it is in %s", s.CurrentState)
	}
	want := []string{
		"Begin", "[autopilot][phase 1] Plan: Greeting", "[autopilot][phase 1] Say hello",
		"[autopilot][phase 2] Plan: Farewell", "[autopilot][phase 2] Say goodbye",
	}
	if diff := cmp.Diff(want, strings.Split(j.git(j.t, "log", "--reverse", "--format=%s"), "\n")); diff != "" {
		j.t.Error(diff)
	}
	j.countedAll(s)
}

// wroteNothingElse looks for what the verifier and the reviewer wrote although they may not: of the reviewer's file each
// program denies the permission.
func (j *realJourney) wroteNothingElse(undone bool) {
	j.t.Helper()
	if left := j.git(j.t, "status", "--porcelain"); left != "" {
		j.t.Errorf("the tree is not as committed:\n%s", left)
	}
	want := "docs/plans/goodbye-plan.md\ndocs/plans/hello-plan.md\ngoodbye.txt\nhello.txt"
	if got := j.git(j.t, "diff", "--name-only", "main", "HEAD"); got != want {
		j.t.Errorf("committed were\n%s", got)
	}
	refs := strings.Fields(j.git(j.t, "for-each-ref", "--format=%(refname)", "refs/autopilot/spec/undone"))
	if (len(refs) > 0) != undone {
		j.t.Errorf("undone was %q", refs)
	}
	for _, ref := range refs {
		if names := j.git(j.t, "ls-tree", "--name-only", ref); !strings.Contains(names, "verdict.txt") || strings.Contains(names, "review.txt") {
			j.t.Errorf("undone was:\n%s", names)
		}
	}
}

// countedAll compares what was told with what the server answered. Of the dispatch that was killed some programs had not
// told their tokens yet.
func (j *realJourney) countedAll(s machine.State) {
	j.t.Helper()
	told, answered := s.Usage.InputTokens, j.server.answers*agentInput
	if told != answered && told != answered-agentInput {
		j.t.Errorf("%d tokens were told, and the server counted %d", told, answered)
	}
	if s.Usage.Dispatches != 10 || s.History[0].RetriesUsed+s.History[1].RetriesUsed != 0 {
		j.t.Errorf("%d dispatches, and the history %+v: a limit or a kill was counted as an attempt", s.Usage.Dispatches, s.History)
	}
	if j.server.refusals != 1 {
		j.t.Errorf("%d requests were told to wait", j.server.refusals)
	}
}

func (j *realJourney) leavesNothing() {
	j.t.Helper()
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		if env, err := os.ReadFile(path); err == nil && bytes.Contains(env, []byte(j.dir)) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			j.t.Errorf("a process is left over: %s", bytes.ReplaceAll(command, []byte{0}, []byte{' '}))
		}
	}
}
