package cmd_test

import (
	"slices"
	"strings"
)

// The names of the files of a task list.
const (
	hookTasks   = "harness-tasks.json"
	hookLog     = "harness-progress.txt"
	hookActive  = ".harness-active"
	hookReflect = ".harness-reflect"
	hookCounter = ".harness-stop-counter"
)

// listed is a task file with these tasks; what else the document holds comes first.
func listed(document string, tasks ...string) map[string]string {
	if document != "" {
		document += ", "
	}
	return map[string]string{hookActive: "", hookTasks: `{` + document + `"tasks": [` + strings.Join(tasks, ", ") + `]}`}
}

// with adds files, or takes one away (gone).
func with(files map[string]string, more ...string) map[string]string {
	for i := 0; i < len(more); i += 2 {
		files[more[i]] = more[i+1]
		if more[i+1] == gone {
			delete(files, more[i])
		}
	}
	return files
}

// The tasks that the rows share.
const (
	pendingTask   = `{"id":"t1","title":"Next up","status":"pending","priority":"P0","depends_on":[]}`
	completedTask = `{"id":"t1","title":"Done","status":"completed"}`
	afterT1       = `{"id":"t2","title":"Do stuff","status":"pending","priority":"P0","depends_on":["t1"]}`
	failedTask    = `{"id":"t1","title":"Retry me","status":"failed","attempts":1,"max_attempts":3,"depends_on":[]}`
	exhaustedTask = `{"id":"t1","status":"failed","attempts":3,"max_attempts":3}`
	runningTask   = `{"id":"t1","title":"Working","status":"in_progress","priority":"P0"}`
	tasksOfA      = `{"id":"t1","title":"Of a","status":"in_progress","claimed_by":"worker-a","lease_expires_at":"2026-01-02T04:00:00Z"}`
	pastOfA       = `{"id":"t1","title":"Of a","status":"in_progress","claimed_by":"worker-a","lease_expires_at":"2026-01-02T03:00:00Z"}`
	several       = `"session_config": {"concurrency_mode": "concurrent"}`
	broken        = `{invalid json`
	noIdentity    = "worker identity"
	again         = `{"cwd":"$ROOT","stop_hook_active":true}`
	nothing       = "(nothing)" // an input that is empty
)

func hookRows() []hookRow {
	return slices.Concat(anyHookRows(), stopRows(), stopLimitRows(), startRows(), idleRows(), subagentRows(), reflectRows(), claimRows(), renewRows())
}

// anyHookRows are what the four hooks that .harness-active gates have in common.
func anyHookRows() []hookRow {
	var rows []hookRow
	for _, hook := range []string{"stop", "sessionstart", "teammateidle", "subagentstop", "self-reflect-stop", "claim", "renew"} {
		active := func() map[string]string { return listed("", runningTask, `{"id":"t2"}`) }
		rows = append(
			rows,
			hookRow{name: "is silent inside a session of autopilot", hook: hook, files: active(), env: []string{"AUTOPILOT_SESSION_DIR=/s"}},
		)
		if hook == "claim" || hook == "renew" {
			continue
		}
		rows = append(
			rows,
			hookRow{name: "is silent without a marker", hook: hook, files: with(active(), hookActive, gone)},
			hookRow{name: "is silent without a task file", hook: hook},
			hookRow{name: "is silent where the root named holds none", hook: hook, env: []string{"HARNESS_STATE_ROOT=$TEMP", "CLAUDE_PROJECT_DIR=$TEMP"}},
		)
	}
	for _, input := range []string{nothing, " ", "not json at all", "[]", "null", `"text"`, `{"cwd":7,"session_id":[]`, `{"cwd":{"a":[1e999]}}`} {
		rows = append(
			rows,
			hookRow{name: "takes the working folder with input " + input, hook: "stop", files: listed("", pendingTask), input: input, blocks: []string{"next=t1: Next up"}},
			hookRow{name: "takes the working folder with input " + input, hook: "sessionstart", files: listed("", pendingTask), input: input, tells: []string{"next=t1: Next up"}},
			hookRow{name: "takes the working folder with input " + input, hook: "teammateidle", files: listed("", pendingTask), input: input, code: 2, err: []string{"t1"}},
			hookRow{name: "takes the working folder with input " + input, hook: "subagentstop", files: listed("", runningTask), input: input, blocks: []string{"t1: Working"}},
			hookRow{name: "is silent with input " + input, hook: "self-reflect-stop", files: with(listed("", completedTask), hookReflect, ""), input: input},
		)
	}
	return rows
}

func stopRows() []hookRow {
	const hook = "stop"
	over := map[string]string{hookActive: gone, hookReflect: "", hookCounter: gone}
	stays := map[string]string{hookActive: "", hookReflect: gone, hookCounter: gone}
	return []hookRow{
		{name: "blocks while tasks are pending", hook: hook, files: listed("", pendingTask), blocks: []string{"HARNESS: pending=1 total=1 next=t1: Next up"}, after: map[string]string{hookCounter: "1,0", hookActive: ""}},
		{name: "allows when all are completed", hook: hook, files: with(listed("", completedTask), hookCounter, "3,0"), after: over},
		{name: "allows without tasks", hook: hook, files: listed(""), after: over},
		{name: "allows when the rest waits for what failed", hook: hook, files: listed("", exhaustedTask, afterT1), after: stays},
		{name: "allows when the rest was failed with what it needs", hook: hook, files: listed("", exhaustedTask, `{"id":"t2","status":"failed","depends_on":["t1"],"error_log":["[DEPENDENCY] Blocked by failed t1"]}`), after: over},
		{name: "allows when attempts are used up", hook: hook, files: listed("", exhaustedTask), after: over},
		{name: "allows when the rest waits in a circle", hook: hook, files: listed("", `{"id":"t1","depends_on":["t2"]}`, afterT1), after: stays},
		{name: "allows when a dependency is missing", hook: hook, files: with(listed("", afterT1), hookCounter, "3,0"), after: stays},
		{name: "allows when dependencies are no list", hook: hook, files: listed("", `{"id":"t1","depends_on":"t0"}`), after: stays},
		{name: "allows when what could be tried again waits", hook: hook, files: listed("", `{"id":"t1","status":"failed","attempts":1,"depends_on":["t0"]}`), after: stays},
		{name: "blocks while a failed task has attempts left", hook: hook, files: listed("", failedTask), blocks: []string{"Retry me", "failed=1"}},
		{name: "counts attempts that are no numbers as none", hook: hook, files: listed("", `{"id":"t1","status":"failed","attempts":"oops","max_attempts":"bad"}`), blocks: []string{"next=t1"}},
		{name: "blocks while a task is in progress", hook: hook, files: listed("", runningTask), blocks: []string{"in_progress=1", "finish what is in progress, t1: Working"}},
		{name: "names the next task by priority", hook: hook, files: listed("", `{"id":"t1","priority":"P2","title":"Low"}`, `{"id":"t2","priority":"P0","title":"High"}`), blocks: []string{"next=t2: High"}},
		{name: "folds a title of several lines", hook: hook, files: listed("", `{"id":"t1","title":"One\n  two"}`), blocks: []string{"next=t1: One two\n"}},
		{name: "allows while another worker has the last task", hook: hook, files: listed(several, tasksOfA), env: []string{"HARNESS_WORKER_ID=worker-b"}, after: stays},
		{name: "allows while the rest waits for another worker's task", hook: hook, files: listed(several, tasksOfA, afterT1), env: []string{"HARNESS_WORKER_ID=worker-b"}, after: stays},
		{name: "blocks a worker that has a task", hook: hook, files: listed(several, tasksOfA), env: []string{"HARNESS_WORKER_ID=worker-a"}, blocks: []string{"t1: Of a"}},
		{name: "blocks a worker for a task that nobody claimed by name", hook: hook, files: listed(several, runningTask), env: []string{"HARNESS_WORKER_ID=worker-a"}, blocks: []string{"t1: Working"}},
		{name: "blocks a worker without a name for any task", hook: hook, files: listed(several, tasksOfA), blocks: []string{"t1: Of a"}},
		{name: "blocks a worker that could take over a task", hook: hook, files: listed(several, pastOfA), env: []string{"HARNESS_WORKER_ID=worker-b"}, blocks: []string{"next=t1: Of a"}},
		{name: "blocks at a damaged file", hook: hook, files: with(listed(""), hookTasks, broken), blocks: []string{"harness-tasks.json cannot be read", "error="}},
		{name: "allows at a damaged file the second time", hook: hook, files: with(listed(""), hookTasks, broken), input: again, err: []string{"WARN"}, after: map[string]string{hookActive: "", hookTasks: broken}},
		{name: "blocks where tasks are no list", hook: hook, files: with(listed(""), hookTasks, `{"tasks": "not a list"}`), blocks: []string{"cannot be read"}},
		{name: "goes by the backup of a damaged file", hook: hook, files: with(listed(""), hookTasks, broken, hookTasks+".bak", `{"tasks":[`+pendingTask+`]}`), blocks: []string{"next=t1"}, err: []string{"WARN", "backup"}, after: map[string]string{hookTasks: broken}},
		{name: "reads a list with a byte order mark", hook: hook, files: with(listed(""), hookTasks, "\ufeff"+`{"tasks":[`+pendingTask+`]}`), blocks: []string{"next=t1"}},
		{name: "reads a list of another version", hook: hook, files: listed(`"version": 3`, pendingTask), blocks: []string{"next=t1"}},
		{name: "does not wait for those who write the list", hook: hook, files: listed("", pendingTask), locked: true, blocks: []string{"t1"}},
		{name: "finds the list from a folder below", hook: hook, files: with(listed("", pendingTask), "a/b/c/d/e/f/g/h/file", ""), input: `{"cwd":"$ROOT/a/b/c/d/e/f/g/h"}`, blocks: []string{"t1"}},
		{name: "does not search further up than eight folders", hook: hook, files: with(listed("", pendingTask), "a/b/c/d/e/f/g/h/i/file", ""), input: `{"cwd":"$ROOT/a/b/c/d/e/f/g/h/i"}`},
		{name: "goes by HARNESS_STATE_ROOT", hook: hook, files: listed("", pendingTask), input: `{"cwd":"/nonexistent"}`, env: []string{"HARNESS_STATE_ROOT=$ROOT"}, blocks: []string{"t1"}},
		{name: "goes on where HARNESS_STATE_ROOT holds no list", hook: hook, files: listed("", pendingTask), env: []string{"HARNESS_STATE_ROOT=$TEMP"}, blocks: []string{"t1"}},
		{name: "does not search above HARNESS_STATE_ROOT", hook: hook, files: with(listed("", pendingTask), "a/file", ""), input: `{"cwd":"$TEMP"}`, env: []string{"HARNESS_STATE_ROOT=$ROOT/a"}},
		{name: "searches above CLAUDE_PROJECT_DIR", hook: hook, files: with(listed("", pendingTask), "a/b/file", ""), input: `{"cwd":"$TEMP"}`, env: []string{"CLAUDE_PROJECT_DIR=$ROOT/a/b"}, blocks: []string{"t1"}},
		{name: "goes by CLAUDE_PROJECT_DIR before the folder of the input", hook: hook, files: listed("", pendingTask), input: `{"cwd":"$TEMP"}`, env: []string{"CLAUDE_PROJECT_DIR=$ROOT"}, blocks: []string{"t1"}},
	}
}

// stopLimitRows are the ways in which the stop hook lets go although there is work left.
func stopLimitRows() []hookRow {
	const hook = "stop"
	reset := map[string]string{hookActive: "", hookCounter: gone, hookReflect: gone}
	one := `"session_count": 2, "session_config": {"max_tasks_per_session": 1}`
	return []hookRow{
		{name: "lets go at the last session", hook: hook, files: with(listed(`"session_count": 5, "session_config": {"max_sessions": 5}`, pendingTask), hookCounter, "1,0"), after: reset},
		{name: "goes on before the last session", hook: hook, files: listed(`"session_count": 4, "session_config": {"max_sessions": 5}`, pendingTask), blocks: []string{"t1"}},
		{name: "takes limits that make no sense as not given", hook: hook, files: listed(`"session_count": "x", "session_config": 7`, pendingTask), blocks: []string{"t1"}},
		{name: "lets go when a session had its tasks", hook: hook, files: with(listed(one, pendingTask), hookLog, "[SESSION-2] Completed [task-1]\n"), after: reset},
		{name: "counts a failure as a task of the session", hook: hook, files: with(listed(one, pendingTask), hookLog, "[2026-01-02T03:00:00Z] [SESSION-2] ERROR [task-1] [TEST_FAIL] red\n"), after: reset},
		{name: "does not count other sessions and lines of no task", hook: hook, files: with(listed(one, pendingTask), hookLog, "[SESSION-1] Completed [task-1]\n[SESSION-2] ERROR [ENV_SETUP] no disk\n[SESSION-2] CHECKPOINT [task-1] Completed [task-1]\n[SESSION-22] Completed [task-1]\n"), blocks: []string{"t1"}},
		{name: "does not count the tasks of a session that several share", hook: hook, files: with(listed(`"session_count": 2, "session_config": {"max_tasks_per_session": 1, "concurrency_mode": "concurrent"}`, pendingTask), hookLog, "[SESSION-2] Completed [task-1]\n"), blocks: []string{"t1"}},
		{name: "lets go after 8 blocks without progress", hook: hook, files: with(listed("", pendingTask), hookCounter, "8,0"), input: again, err: []string{"WARN", "8 times"}, after: reset},
		{name: "lets go at a higher count", hook: hook, files: with(listed("", pendingTask), hookCounter, "9,0"), input: again, err: []string{"WARN"}, after: reset},
		{name: "blocks for the 8th time", hook: hook, files: with(listed("", pendingTask), hookCounter, "7,0"), input: again, blocks: []string{"t1"}, after: map[string]string{hookCounter: "8,0"}},
		{name: "blocks at a low count", hook: hook, files: with(listed("", pendingTask), hookCounter, "2,0"), input: again, blocks: []string{"t1"}, after: map[string]string{hookCounter: "3,0"}},
		{name: "blocks at a high count when it blocks for the first time", hook: hook, files: with(listed("", pendingTask), hookCounter, "9,0"), blocks: []string{"t1"}, after: map[string]string{hookCounter: "10,0"}},
		{name: "counts anew after progress", hook: hook, files: with(listed("", completedTask, afterT1), hookCounter, "8,0"), input: again, blocks: []string{"t2"}, after: map[string]string{hookCounter: "1,1"}},
		{name: "counts anew after a counter that cannot be read", hook: hook, files: with(listed("", pendingTask), hookCounter, "many"), input: again, blocks: []string{"t1"}, after: map[string]string{hookCounter: "1,0"}},
		{name: "blocks for the first time in a folder that cannot be written", hook: hook, files: listed("", pendingTask), readOnly: true, blocks: []string{"t1"}, after: map[string]string{hookCounter: gone}},
		{name: "lets go the second time in a folder that cannot be written", hook: hook, files: listed("", pendingTask), readOnly: true, input: again, err: []string{"WARN", hookCounter, "may stop now"}, after: map[string]string{hookActive: "", hookCounter: gone}},
		{name: "lets go when it cannot count", hook: hook, files: with(listed("", pendingTask), hookCounter+"/folder", ""), input: again, err: []string{"WARN", hookCounter}},
	}
}

func startRows() []hookRow {
	const hook = "sessionstart"
	return []hookRow{
		{
			name: "tells counts, next task and the last STATS", hook: hook,
			files: with(listed("", completedTask, afterT1, `{"id":"t3","status":"failed","depends_on":["t9"]}`), hookLog, "[SESSION-1] STATS total=3\n[SESSION-1] Starting [t2]\n"),
			json:  `{"hookSpecificOutput":{"additionalContext":"HARNESS: completed=1 pending=1 failed=1 total=3 next=t2: Do stuff\nHARNESS: last_log=[SESSION-1] STATS total=3","hookEventName":"SessionStart"}}`,
		},
		{name: "tells the last line without STATS", hook: hook, files: with(listed("", pendingTask), hookLog, "[SESSION-1] INIT\n[SESSION-1] Starting [t1]\n"), tells: []string{"last_log=[SESSION-1] Starting [t1]"}},
		{name: "cuts a long line", hook: hook, files: with(listed("", pendingTask), hookLog, strings.Repeat("x", 500)), tells: []string{"last_log=" + strings.Repeat("x", 217) + "..."}},
		{name: "tells of a list without tasks", hook: hook, files: listed(""), tells: []string{"total=0"}},
		{name: "tells the number of blocked tasks", hook: hook, files: listed("", exhaustedTask, afterT1), tells: []string{"pending=1 failed=1 blocked=1 total=2"}},
		{name: "reports a damaged file", hook: hook, files: with(listed(""), hookTasks, broken), tells: []string{"CONFIG error: harness-tasks.json cannot be read"}},
		{name: "counts attempts that are no numbers as none", hook: hook, files: listed("", `{"id":"t1","status":"failed","attempts":"oops","max_attempts":"bad","depends_on":[]}`), tells: []string{"total=1 next=t1"}},
		{name: "passes over members that are no tasks", hook: hook, files: listed("", `7`, `null`, `"x"`, pendingTask), tells: []string{"pending=1 total=1 next=t1"}},
	}
}

func idleRows() []hookRow {
	const hook = "teammateidle"
	alice := `{"cwd":"$ROOT","teammate_name":"alice"}`
	return []hookRow{
		{name: "keeps a teammate that has a task", hook: hook, files: listed("", `{"id":"t1","status":"in_progress","claimed_by":"alice","title":"My task"}`), input: alice, code: 2, err: []string{"HARNESS", "t1: My task"}},
		{name: "lets a teammate go while another has the task", hook: hook, files: listed("", `{"id":"t1","status":"in_progress","claimed_by":"bob"}`), input: alice},
		{name: "lets a teammate without a name go while a task is in progress", hook: hook, files: listed("", runningTask)},
		{name: "keeps a teammate while a task could begin", hook: hook, files: listed("", pendingTask), code: 2, err: []string{"HARNESS", "t1: Next up"}},
		{name: "keeps a teammate while a task can be tried again", hook: hook, files: listed("", failedTask), code: 2, err: []string{"t1: Retry me"}},
		{name: "lets a teammate go when all are completed", hook: hook, files: listed("", completedTask), after: map[string]string{hookActive: "", hookReflect: gone}},
		{name: "lets a teammate go when the rest waits for another", hook: hook, files: listed("", tasksOfA, afterT1), input: alice},
		{name: "knows a teammate by HARNESS_WORKER_ID", hook: hook, files: listed("", tasksOfA), env: []string{"HARNESS_WORKER_ID=worker-a"}, code: 2, err: []string{"t1"}},
		{name: "knows a teammate by its name beside HARNESS_WORKER_ID", hook: hook, files: listed("", tasksOfA), input: `{"cwd":"$ROOT","teammate_name":"worker-a"}`, env: []string{"HARNESS_WORKER_ID=w"}, code: 2, err: []string{"t1"}},
		{name: "lets a teammate go while only one works at a time, and another does", hook: hook, files: listed("", tasksOfA, `{"id":"t2","status":"pending","depends_on":[]}`), input: alice},
		{name: "tells one of several how to have a name for its claim", hook: hook, files: listed(several, pendingTask), input: alice, code: 2, err: []string{"HARNESS_WORKER_ID=your-name autopilot hook claim"}},
		{name: "keeps a teammate that could take over a task", hook: hook, files: listed(several, pastOfA), input: alice, code: 2, err: []string{"t1: Of a"}},
		{name: "lets a teammate go at a damaged file", hook: hook, files: with(listed(""), hookTasks, broken)},
		{name: "shows no control characters", hook: hook, files: listed("", `{"id":"t1","title":"\u001b[2Jx"}`), code: 2, err: []string{"t1: ·[2Jx"}},
	}
}

func subagentRows() []hookRow {
	const hook = "subagentstop"
	return []hookRow{
		{name: "blocks while a task is in progress", hook: hook, files: listed("", runningTask), blocks: []string{"t1: Working"}},
		{name: "allows while tasks are only pending", hook: hook, files: listed("", completedTask, afterT1)},
		{name: "allows when all are completed", hook: hook, files: listed("", completedTask)},
		{name: "allows when the rest is blocked", hook: hook, files: listed("", exhaustedTask, afterT1)},
		{name: "allows the second time", hook: hook, files: listed("", runningTask), input: again},
		{name: "blocks a worker that has a task", hook: hook, files: listed(several, tasksOfA), env: []string{"HARNESS_WORKER_ID=worker-a"}, blocks: []string{"t1: Of a"}},
		{name: "allows while another worker has a task", hook: hook, files: listed(several, tasksOfA), env: []string{"HARNESS_WORKER_ID=worker-b"}},
		{name: "knows a subagent by its id", hook: hook, files: listed(several, tasksOfA), input: `{"cwd":"$ROOT","agent_id":"worker-a"}`, blocks: []string{"t1: Of a"}},
		{name: "blocks without an identity while a task is in progress", hook: hook, files: listed(several, tasksOfA), blocks: []string{noIdentity}},
		{name: "allows without an identity when none is in progress", hook: hook, files: listed(several, pendingTask)},
		{name: "allows at a damaged file", hook: hook, files: with(listed(""), hookTasks, broken)},
	}
}
