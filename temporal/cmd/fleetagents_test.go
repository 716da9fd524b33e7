package cmd_test

import (
	"fmt"
	"strings"

	"autopilot/examples"
)

// work is what a session is about.
type work struct {
	files   map[string][]byte // of the project
	agent   string            // a script that plays all personas; "": they are recorded
	submit  []string          // flags of submit
	worker  []string          // flags of each worker
	commits int               // that the session makes
}

// tally is the example of autopilot demo: its agents are recorded.
var tally = work{files: project(examples.Tally()), worker: []string{"--replay", "replay.yaml"}, commits: 8}

func project(files map[string][]byte) map[string][]byte {
	all := map[string][]byte{}
	for name, data := range files {
		if name != examples.Plan && name != examples.Replay {
			all[name] = data
		}
	}
	return all
}

// words is quick work: files that an agent writes, one a task. Each task takes its agent some seconds, and its check needs a clone that was
// made ready.
func words(tasks int, flags ...string) work {
	var plan strings.Builder
	plan.WriteString("# Plan: Words\n\n## Tasks\n")
	for i := range tasks {
		name := fmt.Sprintf("task-%03d", i+1)
		fmt.Fprintf(&plan, "\n### Task %d: Write %s\n\n**Depends on:** none | **Files:** %s.txt | **Validation:** `test -e made && grep -qx %s %s.txt`\n", i+1, name, name, name, name)
	}
	return work{
		files:   map[string][]byte{spec: []byte("# Words\n\n## Implementation Order\n\n### Phase 1: Words\n\nEach file has its word.\n"), "docs/plans/.keep": nil, "plan.txt": []byte(plan.String()), ".gitignore": []byte("/made\n"), ".harness/init.sh": []byte("touch made\n")},
		agent:   writer,
		submit:  append([]string{"--fast", "--review-plans"}, flags...),
		commits: tasks + 1,
	}
}

// writer is an agent that prints a token, leaves a process behind that wants to stay, and begins with what an earlier one left. A plan is
// never the same.
const writer = `#!/bin/sh
cat > /dev/null
case "$AUTOPILOT_PERSONA" in
planner) { cat plan.txt; echo; date; } > "$AUTOPILOT_PLAN" ;;
executor)
	echo "the token is ` + token + `"
	setsid sleep 600 > /dev/null 2>&1 &
	echo begun >> "$AUTOPILOT_TASK.txt"
	sleep $(cat "$HOME/nap" 2> /dev/null || echo 2) &
	wait $!
	echo "$AUTOPILOT_TASK" >> "$AUTOPILOT_TASK.txt" ;;
esac
echo '{"v":1,"status":"done","summary":"Done."}' > "$AUTOPILOT_REPLY"
`

// token is one that nobody may find on the hub.
const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
