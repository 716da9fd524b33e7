package cmd_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// taskAgent does a task by making a file. It says so when somebody else is at the same task, and on some attempts, told
// by their number alone, it makes nothing.
const taskAgent = `#!/bin/sh
cat > /dev/null
mine="$TRACES/$AUTOPILOT_TASK"
echo $$ > "$TRACES/$$"
if ! ln "$TRACES/$$" "$mine" 2> /dev/null; then
	if kill -0 "$(cat "$mine")" 2> /dev/null; then echo "$AUTOPILOT_TASK is done twice at once" >> "$TRACES/twice"; fi
	ln -f "$TRACES/$$" "$mine"
fi
echo "$AUTOPILOT_TASK" >> "$TRACES/dispatches"
n=${AUTOPILOT_TASK#task-}
if [ "$AUTOPILOT_ATTEMPT" != 1 ] || [ $(( ${n#0} % 20 )) != 7 ]; then
	echo done > "made-$AUTOPILOT_TASK"
fi
rm -f "$mine" "$TRACES/$$"
echo '{"v":1,"status":"done","summary":"made it"}' > "$AUTOPILOT_REPLY"
`

// taskPlaceOf is a repository with a task file of so many tasks; each of some has to wait for the one before.
func taskPlaceOf(t *testing.T, mode string, count int) *place {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a script of sh")
	}
	p := newEmptyPlace(t)
	traces := filepath.Join(p.dir, "traces")
	p.put(t, filepath.Join(traces, "dispatches"), nil)
	p.put(t, filepath.Join(p.repo, "agent.sh"), []byte(taskAgent))
	p.put(t, filepath.Join(p.repo, "autopilot.yaml"), []byte("backend: mine\nbackends: {mine: {type: command, command: [sh, agent.sh]}}\n"))
	p.begin(t)
	p.env = append(p.env, "TRACES="+traces)
	list := taskfile.TaskList{Version: 2, Config: taskfile.ListConfig{ConcurrencyMode: mode, MaxTasksPerSession: 1000, MaxSessions: 1000}}
	for n := 1; n <= count; n++ {
		task := taskfile.ListedTask{
			ID: machine.TaskID(n), Title: fmt.Sprintf("Make %d", n), Status: machine.TaskPending, Priority: "P1", MaxAttempts: 6,
			Validation: taskfile.ListedValidation{Command: "test -f made-" + machine.TaskID(n), TimeoutSeconds: 60},
		}
		if n%4 == 0 {
			task.DependsOn = []string{machine.TaskID(n - 1)}
		}
		list.Tasks = append(list.Tasks, task)
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	p.put(t, filepath.Join(p.repo, "harness-tasks.json"), data)
	return p
}

func (p *place) tasks(t *testing.T) taskfile.TaskList {
	t.Helper()
	var list taskfile.TaskList
	data, err := os.ReadFile(filepath.Join(p.repo, "harness-tasks.json"))
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (p *place) completed(t *testing.T) int {
	list := p.tasks(t)
	return list.Counts().Completed
}

// worker begins to run the loop, until the context ends.
func (p *place) worker(ctx context.Context, t *testing.T) *exec.Cmd {
	c := exec.CommandContext(ctx, "autopilot", "tasks", "run", "--quiet")
	c.Dir, c.Env = p.repo, p.env
	said, err := os.OpenFile(p.said(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Error(err)
	}
	defer said.Close()
	c.Stderr = said
	if err := c.Start(); err != nil {
		t.Error(err)
	}
	return c
}

// said is the file of what the workers had to say.
func (p *place) said() string { return filepath.Join(p.dir, "said.txt") }

// TestAHundredTasksAreAllCompleted runs a list with dispatches that fail and kills in between to its end.
func TestAHundredTasksAreAllCompleted(t *testing.T) {
	leftToCI(t)
	t.Parallel()
	count, kills := 8, 1
	if *full {
		count, kills = 100, 3
	}
	p := taskPlaceOf(t, taskfile.Exclusive, count)
	for range kills {
		before := p.completed(t)
		c := p.worker(t.Context(), t)
		until(t, func() bool { return p.completed(t) > before+count/(2*kills+2) })
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	p.through(t)
	p.allCompleted(t, "autopilot/tasks")
	p.addUp(t)
}

// workersTime is far more than the workers need, and less than a lease: waiting for the end of one is a failure.
const workersTime = 10 * time.Minute

// TestWorkersThatAreKilledLoseNothing has several processes work on one list, and kills them at random moments.
func TestWorkersThatAreKilledLoseNothing(t *testing.T) {
	leftToCI(t)
	t.Parallel()
	count, workers, kills := 6, 2, int64(2)
	if *full {
		count, workers, kills = 48, 8, 24
	}
	p := taskPlaceOf(t, taskfile.Concurrent, count)
	chance := chance()
	var pauses []time.Duration
	for range kills {
		pauses = append(pauses, time.Duration(200+chance.Int64N(2500))*time.Millisecond)
	}
	ctx, stop := context.WithTimeout(t.Context(), workersTime)
	defer stop()
	var used atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for ended := false; !ended && ctx.Err() == nil; {
				c := p.worker(ctx, t)
				if n := used.Add(1); n <= kills {
					kill := time.AfterFunc(pauses[n-1], func() { _ = c.Process.Kill() })
					defer kill.Stop()
				}
				_ = c.Wait()
				ended = c.ProcessState.ExitCode() == 0
				if code := c.ProcessState.ExitCode(); code > 0 && code != held {
					said, err := os.ReadFile(p.said())
					t.Errorf("a worker ended with exit code %d\n%s %v\n%s", code, said, err, p.log(t))
					stop() // the others would wait for the end of its lease
				}
			}
		})
	}
	all.Wait()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Errorf("the list was not completed within %v", workersTime)
	}
	p.allCompleted(t, "autopilot/tasks")
	for _, line := range shared(p.log(t)) {
		t.Errorf("another run had the task meanwhile: %s", line)
	}
	p.noProcesses(t)
}

// through runs the list to its end; the supervisor of a killed run may hold the lock for a moment.
func (p *place) through(t *testing.T) {
	t.Helper()
	for range 100 {
		c := p.worker(t.Context(), t)
		_ = c.Wait()
		switch c.ProcessState.ExitCode() {
		case 0:
			return
		case held:
		default:
			t.Fatalf("exit code %d\n%s", c.ProcessState.ExitCode(), p.log(t))
		}
	}
	t.Fatal("the list is still held")
}

func (p *place) log(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.repo, "harness-progress.txt"))
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// allCompleted expects every task to be completed by one commit, which is on the branch, and none to have been done by
// two at a time.
func (p *place) allCompleted(t *testing.T, branch string) {
	t.Helper()
	list := p.tasks(t)
	subjects := p.git(t, "log", "--format=%s", branch)
	for _, task := range list.Tasks {
		if task.Status != machine.TaskCompleted || task.Commit == "" {
			t.Errorf("%s is %s: %q", task.ID, task.Status, task.ErrorLog)
		}
		if n := strings.Count(subjects, "["+task.ID+"]"); n != 1 {
			t.Errorf("%s has %d commits on %s", task.ID, n, branch)
		}
	}
	if twice, err := os.ReadFile(filepath.Join(p.dir, "traces", "twice")); err == nil {
		t.Errorf("%s", twice)
	}
	if t.Failed() {
		t.Logf("%s\n%s", subjects, p.log(t))
	}
}

var runLine = regexp.MustCompile(`(?m)^\[[^]]*\] \[(SESSION-\d+)\] (Starting|RECOVERY|CHECKPOINT|WARN|Completed) \[([^]]*)\].*$`)

// shared are the lines of a log by which a run goes on with a task, or ends it, that another one has begun since. (ERROR
// and ROLLBACK are none of them: they may follow when the task is free again.)
func shared(log string) []string {
	has := map[string]string{}
	var lines []string
	for _, m := range runLine.FindAllStringSubmatch(log, -1) {
		if run, task := m[1], m[3]; m[2] == "Starting" || m[2] == "RECOVERY" {
			has[task] = run
		} else if has[task] != run {
			lines = append(lines, m[0])
		}
	}
	return lines
}

func TestLogShowsATaskThatTwoRunsHave(t *testing.T) {
	for log, want := range map[string]int{
		"[t] [SESSION-1] Starting [a] x\n[t] [SESSION-1] Completed [a] x\n":                                                                       0,
		"[t] [SESSION-1] Starting [a] x\n[t] [SESSION-1] ROLLBACK [a] x\n[t] [SESSION-2] Starting [a] x\n[t] [SESSION-1] ERROR [a] [TASK_EXEC]\n": 0,
		"[t] [SESSION-1] Starting [a] x\n[t] [SESSION-2] Starting [b] x\n[t] [SESSION-1] Completed [a] x\n":                                       0,
		"[t] [SESSION-1] Starting [a] x\n[t] [SESSION-2] Starting [a] x\n[t] [SESSION-1] Completed [a] x\n":                                       1,
		"[t] [SESSION-1] Starting [a] x\n[t] [SESSION-2] RECOVERY [a] x\n[t] [SESSION-1] WARN [a] x\n[t] [SESSION-2] Completed [a] x\n":           1,
	} {
		if got := shared(log); len(got) != want {
			t.Errorf("%s\nshows %q, want %d lines", log, got, want)
		}
	}
}

var statsLine = regexp.MustCompile(`STATS tasks_total=(\d+) completed=(\d+) failed=(\d+) pending=(\d+) blocked=(\d+) attempts_total=(\d+) checkpoints=(\d+)`)

// addUp compares the last STATS with the file and the log.
func (p *place) addUp(t *testing.T) {
	t.Helper()
	all := statsLine.FindAllStringSubmatch(p.log(t), -1)
	if len(all) == 0 {
		t.Fatalf("no STATS:\n%s", p.log(t))
	}
	var n []int
	for _, text := range all[len(all)-1][1:] {
		value, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		n = append(n, value)
	}
	if n[0] != n[1]+n[2]+n[3] || n[0] != len(p.tasks(t).Tasks) {
		t.Errorf("STATS do not add up: %v", n)
	}
	if errors := strings.Count(p.log(t), " ERROR [task-"); n[5] != errors {
		t.Errorf("%d attempts failed by STATS, and %d by the log", n[5], errors)
	}
	if completed := strings.Count(p.log(t), " Completed [task-"); completed != n[1] {
		t.Errorf("%d were completed by STATS, and %d by the log", n[1], completed)
	}
}

// until waits for something that another process does.
func until(t *testing.T, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if happened() {
			return
		}
	}
	t.Fatal("it did not happen within two minutes")
}
