package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/hooks"
	"autopilot/sessions/taskfile"
)

// memoryStore is a task file in memory.
type memoryStore struct {
	list              taskfile.TaskList
	err               error
	log               string
	blocks, completed int
	active            bool
}

func (m *memoryStore) Read() (taskfile.TaskList, error) { return m.list, m.err }
func (m *memoryStore) Tail(int) string                  { return m.log }
func (m *memoryStore) Repaired() string                 { return "" }
func (m *memoryStore) Active() bool                     { return m.active }
func (m *memoryStore) Reflecting() bool                 { return !m.active }
func (m *memoryStore) Finish() error                    { m.active = false; return nil }
func (m *memoryStore) EndReflection() error             { return nil }
func (m *memoryStore) Counter() (int, int)              { return m.blocks, m.completed }
func (m *memoryStore) SetCounter(b, c int) error        { m.blocks, m.completed = b, c; return nil }
func (m *memoryStore) ResetCounter() error              { m.blocks, m.completed = 0, 0; return nil }

func (m *memoryStore) Update(_ context.Context, change func(*taskfile.TaskList) error) error {
	return errors.Join(m.err, change(&m.list))
}

// FuzzHookInput hands every hook any input, log and texts of a task. Each answers, with one line of JSON or nothing, and
// keeps a teammate at work only with a reason.
func FuzzHookInput(f *testing.F) {
	for i, input := range []string{
		"", "{}", `{"session_id":"s","stop_hook_active":true,"teammate_name":"a"}`, `{"task_id":1e999`, "[[[[", `{"cwd":"/x"}`,
		`{"agent_id":"a","transcript_path":"/dev/null","stop_hook_active":"no"}`,
	} {
		f.Add(input, "[SESSION-1] Completed [t1]\n[SESSION-1] STATS x", "t1", "a title\n", "a", byte(i*37))
	}
	temp := f.TempDir()
	f.Fuzz(func(t *testing.T, input, log, id, title, worker string, bits byte) {
		m := &memoryStore{log: log, active: bits&1 == 0, blocks: int(bits >> 4)}
		m.list.SessionCount, m.list.Config.MaxTasksPerSession = 1, 2
		m.list.Tasks = []taskfile.ListedTask{{ID: id, Title: title, Status: machine.TaskPending, MaxAttempts: 3}}
		if bits&2 != 0 {
			m.list.Tasks[0].Status, m.list.Tasks[0].ClaimedBy = machine.TaskRunning, &worker
		}
		if bits&4 != 0 {
			m.list.Config.ConcurrencyMode = taskfile.Concurrent
		}
		if bits&8 != 0 {
			m.err = errors.New(title)
		}
		env := map[string]string{"HARNESS_WORKER_ID": worker, "HARNESS_LEASE_SECONDS": log, "REFLECT_MAX_ITERATIONS": id}
		w := newWorld(t, "")
		w.hooks.Temp, w.hooks.Getenv = temp, func(name string) string { return env[name] }
		w.hooks.Find = func(string) (string, bool) { return w.root, true }
		w.hooks.Open = func(string) hooks.Store { return m }
		for _, hook := range hooks.All {
			a := w.run(t, hook.Name, input)
			if a.Out != "" && (!json.Valid([]byte(a.Out)) || strings.Count(a.Out, "\n") != 1) {
				t.Errorf("%s: stdout is %q", hook.Name, a.Out)
			}
			if a.Code != 0 && (a.Code != 2 || hook.Name != "teammateidle" || !strings.HasPrefix(a.Err, "HARNESS: ")) {
				t.Errorf("%s: exit code %d, stderr %q", hook.Name, a.Code, a.Err)
			}
		}
	})
}
