package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/sessions/hooks"
)

// thousandTasks is a list in which each task waits for the one before it, half of them completed, after a long session.
func thousandTasks(b *testing.B, n int) string {
	b.Helper()
	root := b.TempDir()
	tasks, lines := make([]string, n), make([]string, 10*n)
	for i := range tasks {
		status, needs := "pending", fmt.Sprintf("%q", fmt.Sprintf("task-%03d", i))
		if i < n/2 {
			status = "completed"
		}
		if i == 0 {
			needs = ""
		}
		tasks[i] = fmt.Sprintf(`{"id":"task-%03d","title":"Do thing %d","status":%q,"priority":"P1","depends_on":[%s],"attempts":0,`+
			`"max_attempts":3,"started_at_commit":null,"validation":{"command":"go test ./...","timeout_seconds":300},`+
			`"on_failure":{"cleanup":null},"error_log":[],"checkpoints":[],"completed_at":null}`, i+1, i+1, status, needs)
	}
	for i := range lines {
		lines[i] = fmt.Sprintf("[2026-01-02T03:00:00Z] [SESSION-3] CHECKPOINT [task-%03d] step=1/3 a step\n", i%n)
	}
	files := listed(`"session_count": 3`, tasks...)
	files[hookLog] = strings.Join(lines, "")
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return root
}

// atThousandTasks is a list and the environment in which every hook has something to say.
func atThousandTasks(b *testing.B) (root string, env []string) {
	b.Helper()
	return thousandTasks(b, 1000), []string{"HARNESS_WORKER_ID=w", "HARNESS_TASK_ID=task-501", "TMPDIR=" + b.TempDir()}
}

// BenchmarkHook answers each hook at 1,000 tasks in this process. None may take longer than 100 ms.
func BenchmarkHook(b *testing.B) {
	root, env := atThousandTasks(b)
	for _, hook := range hooks.All {
		b.Run(hook.Name, func(b *testing.B) {
			for b.Loop() {
				if _, _, code := runHook(root, env, `{"session_id":"s"}`, hook.Name); code != 0 && code != 2 {
					b.Fatal(code)
				}
			}
		})
	}
}
