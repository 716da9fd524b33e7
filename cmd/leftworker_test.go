package cmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"autopilot/sessions/taskfile"
)

// hangingAgent does not end before its run is killed on the first attempt, and makes the file on the second.
const hangingAgent = `#!/bin/sh
cat > /dev/null
if [ "$AUTOPILOT_ATTEMPT" = 1 ]; then
	echo half > "half-$AUTOPILOT_TASK"
	touch "$TRACES/begun"
	exec sleep 600
fi
echo done > "made-$AUTOPILOT_TASK"
echo '{"v":1,"status":"done","summary":"made it"}' > "$AUTOPILOT_REPLY"
`

// TestWaitingWorkerTakesUpWhatAKilledOneLeft has a second worker wait for the task of the first, which is killed: it does
// not wait for the end of a lease of half an hour.
func TestWaitingWorkerTakesUpWhatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	p := taskPlaceOf(t, taskfile.Concurrent, 1)
	p.put(t, filepath.Join(p.repo, "agent.sh"), []byte(hangingAgent))
	p.git(t, "commit", "-q", "-a", "-m", "Have the agent hang")
	first := p.worker(t.Context(), t)
	begun := func() bool { _, err := os.Stat(filepath.Join(p.dir, "traces", "begun")); return err == nil }
	until(t, begun)
	second := p.worker(t.Context(), t)
	until(t, func() bool { return p.tasks(t).SessionCount == 2 })
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	defer func() { _ = second.Process.Kill() }()
	until(t, func() bool { return p.completed(t) == 1 })
	if err := second.Wait(); err != nil {
		t.Errorf("the second worker: %v\n%s", err, p.log(t))
	}
	p.allCompleted(t, "autopilot/tasks")
	p.noProcesses(t)
	trees, err := os.ReadDir(filepath.Join(p.repo, ".harness", "worktrees"))
	if err == nil && len(trees) > 0 {
		t.Errorf("working trees are left: %v", trees)
	}
	var list struct{ Tasks []struct{ Attempts int } }
	data, err := os.ReadFile(filepath.Join(p.repo, "harness-tasks.json"))
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil || list.Tasks[0].Attempts != 1 {
		t.Errorf("attempts used up: %+v, %v; want the one that was killed", list, err)
	}
}
