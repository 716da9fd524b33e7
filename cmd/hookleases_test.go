package cmd_test

import "strings"

func reflectRows() []hookRow {
	const hook = "self-reflect-stop"
	session := `{"cwd":"$ROOT","session_id":"s-1"}`
	done := func(more ...string) map[string]string {
		return with(with(listed("", completedTask), hookActive, gone, hookReflect, ""), more...)
	}
	counter := "$TEMP/claude-reflect-s-1"
	transcript := `{"type":"summary"}` + "\n" + `{"type":"user","message":{"role":"user","content":[{"type":"text","text":"Build a shop"}]}}` + "\n"
	return []hookRow{
		{name: "blocks when the list is done", hook: hook, files: done(), input: session, blocks: []string{"Self-Reflect", "1/5"}, after: map[string]string{counter: "1", hookReflect: ""}},
		{name: "counts on", hook: hook, files: done(counter, "1"), input: session, blocks: []string{"2/5"}, after: map[string]string{counter: "2"}},
		{name: "blocks for the last time", hook: hook, files: done(counter, "4"), input: session, blocks: []string{"5/5"}, after: map[string]string{hookReflect: ""}},
		{name: "lets go at the most, and takes the marker away", hook: hook, files: done(counter, "5"), input: session, after: map[string]string{hookReflect: gone}},
		{name: "takes the most from REFLECT_MAX_ITERATIONS", hook: hook, files: done(counter, "1"), input: session, env: []string{"REFLECT_MAX_ITERATIONS=2"}, blocks: []string{"2/2"}},
		{name: "takes a most that is no number as not given", hook: hook, files: done(), input: session, env: []string{"REFLECT_MAX_ITERATIONS=many"}, blocks: []string{"1/5"}},
		{name: "can be switched off", hook: hook, files: done(), input: session, env: []string{"REFLECT_MAX_ITERATIONS=0"}, after: map[string]string{counter: gone, hookReflect: gone}},
		{name: "is silent without the marker", hook: hook, files: done(hookReflect, gone), input: session, after: map[string]string{counter: gone}},
		{name: "is silent while the list is active", hook: hook, files: with(listed("", pendingTask), hookReflect, ""), input: session, after: map[string]string{counter: gone, hookReflect: ""}},
		{name: "is silent where the stop hook does not end the list", hook: hook, files: listed("", completedTask), input: session, after: map[string]string{hookActive: "", counter: gone}},
		{name: "is silent where a task waits for what failed", hook: hook, files: listed("", exhaustedTask, afterT1), input: session, after: map[string]string{hookActive: "", counter: gone}},
		{name: "is silent without a session", hook: hook, files: done(), after: map[string]string{hookReflect: ""}},
		{name: "is silent without a task file", hook: hook, files: map[string]string{hookReflect: ""}, input: session},
		{name: "goes by HARNESS_STATE_ROOT", hook: hook, files: done(), input: `{"cwd":"/nonexistent","session_id":"s-1"}`, env: []string{"HARNESS_STATE_ROOT=$ROOT"}, blocks: []string{"1/5"}},
		{name: "makes an id fit for a file name", hook: hook, files: done(), input: `{"cwd":"$ROOT","session_id":"../../s"}`, blocks: []string{"1/5"}, after: map[string]string{"$TEMP/claude-reflect-.._.._s-2c2144020f9b083a": "1"}},
		{name: "takes a counter that is no number as none", hook: hook, files: done(counter, "x"), input: session, blocks: []string{"1/5"}, after: map[string]string{counter: "1"}},
		{name: "lets go when it cannot count", hook: hook, files: done(), input: session, env: []string{"TMPDIR=$ROOT/harness-tasks.json"}, after: map[string]string{hookReflect: gone}},
		{name: "repeats the first request", hook: hook, files: done("talk.jsonl", transcript), input: `{"cwd":"$ROOT","session_id":"s-1","transcript_path":"$ROOT/talk.jsonl"}`, blocks: []string{"Build a shop"}},
		{name: "does without a transcript that is no file", hook: hook, files: done(), input: `{"cwd":"$ROOT","session_id":"s-1","transcript_path":"/dev/zero"}`, blocks: []string{"1/5"}},
	}
}

func claimRows() []hookRow {
	const hook = "claim"
	me := []string{"HARNESS_WORKER_ID=w-1"}
	got := `{"claimed":true,"worker_id":"w-1","task_id":"t1","title":"Next up","lease_expires_at":"2026-01-02T03:34:05Z"}`
	return []hookRow{
		{name: "hands out the next task", hook: hook, files: listed("", pendingTask), env: me, json: got},
		{name: "needs no marker", hook: hook, files: with(listed("", pendingTask), hookActive, gone), env: me, json: got},
		{name: "takes the time from HARNESS_LEASE_SECONDS", hook: hook, files: listed("", pendingTask), env: append([]string{"HARNESS_LEASE_SECONDS=60"}, me...), json: strings.Replace(got, "03:34:05", "03:05:05", 1)},
		{name: "takes a time that is none as not given", hook: hook, files: listed("", pendingTask), env: append([]string{"HARNESS_LEASE_SECONDS=-1"}, me...), json: got},
		{name: "gives no lease for ever", hook: hook, files: listed("", pendingTask), env: append([]string{"HARNESS_LEASE_SECONDS=99999999999999999999"}, me...), json: strings.Replace(got, "2026-01-02T03:34:05", "2027-01-02T03:04:05", 1)},
		{name: "says when there is nothing to do", hook: hook, files: listed("", completedTask), env: me, json: `{"claimed":false}`},
		{name: "says when there is no list", hook: hook, env: me, json: `{"claimed":false,"error":"state root not found"}`},
		{name: "hands out one at a time", hook: hook, files: listed("", tasksOfA, `{"id":"t2"}`), env: me, json: `{"claimed":false,"error":"t1 is in progress, claimed by worker-a"}`},
		{name: "hands out several where several work", hook: hook, files: listed(several, tasksOfA, `{"id":"t2"}`), env: me, json: `{"claimed":true,"worker_id":"w-1","task_id":"t2","lease_expires_at":"2026-01-02T03:34:05Z"}`},
		{name: "wants a name where several work", hook: hook, files: listed(several, pendingTask), json: `{"claimed":false,"error":"missing HARNESS_WORKER_ID"}`},
		{name: "reaps a lease that is past", hook: hook, files: listed("", pastOfA), env: me, json: `{"claimed":true,"worker_id":"w-1","task_id":"t1","title":"Of a","lease_expires_at":"2026-01-02T03:34:05Z"}`},
		{name: "waits only for HARNESS_LOCK_TIMEOUT_SECONDS", hook: hook, files: listed("", pendingTask), env: append([]string{"HARNESS_LOCK_TIMEOUT_SECONDS=0.02"}, me...), locked: true, has: []string{`{"claimed":false,"error":"lock busy: process `}},
		{name: "keeps a damaged file as it is", hook: hook, files: with(listed(""), hookTasks, `{"tasks":{}}`), env: me, has: []string{`{"claimed":false,"error":"harness-tasks.json corrupted`}, after: map[string]string{hookTasks: `{"tasks":{}}`}},
	}
}

func renewRows() []hookRow {
	const hook = "renew"
	me := []string{"HARNESS_WORKER_ID=worker-a", "HARNESS_TASK_ID=t1"}
	got := `{"renewed":true,"task_id":"t1","lease_expires_at":"2026-01-02T03:34:05Z"}`
	return []hookRow{
		{name: "renews a worker's task", hook: hook, files: listed("", tasksOfA), env: me, json: got},
		{name: "renews a lease that is past and not taken", hook: hook, files: listed("", pastOfA), env: me, json: got},
		{name: "takes the task from the input", hook: hook, files: listed("", tasksOfA), env: me[:1], input: `{"cwd":"$ROOT","task_id":" t1 "}`, json: got},
		{name: "takes a task without a name of its holder", hook: hook, files: listed("", runningTask), env: me, json: got},
		{name: "wants a task", hook: hook, files: listed("", tasksOfA), env: me[:1], json: `{"renewed":false,"error":"missing task_id"}`},
		{name: "wants a worker", hook: hook, files: listed("", tasksOfA), env: me[1:], json: `{"renewed":false,"error":"missing HARNESS_WORKER_ID"}`},
		{name: "refuses another worker's task", hook: hook, files: listed("", tasksOfA), env: []string{"HARNESS_WORKER_ID=b", "HARNESS_TASK_ID=t1"}, json: `{"renewed":false,"error":"task owned by other worker"}`},
		{name: "refuses a task that was reaped", hook: hook, files: listed("", failedTask), env: me, json: `{"renewed":false,"error":"task not in_progress"}`},
		{name: "refuses a task that is not there", hook: hook, files: listed("", `{"id":"t2"}`), env: me, json: `{"renewed":false,"error":"task not found"}`},
		{name: "waits only for HARNESS_LOCK_TIMEOUT_SECONDS", hook: hook, files: listed("", tasksOfA), env: append([]string{"HARNESS_LOCK_TIMEOUT_SECONDS=0.02"}, me...), locked: true, has: []string{`{"renewed":false,"error":"lock busy: process `}},
		{name: "says when there is no list", hook: hook, env: me, json: `{"renewed":false,"error":"state root not found"}`},
	}
}
