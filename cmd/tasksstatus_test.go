package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/cmd"
	"autopilot/cmd/console"
)

// TestTasksFitTheTerminal: on a terminal long titles, errors and log lines go on below their beginning; a pipe gets each
// in one line.
func TestTasksFitTheTerminal(t *testing.T) {
	root := t.TempDir()
	words := strings.Repeat("word ", 20)
	for name, text := range map[string]string{
		"harness-tasks.json": `{"tasks": [{"id": "task-001", "title": "A ` + words + `"},
			{"id": "b\nall is well", "title": "B", "status": "failed", "attempts": 3, "error_log": ["[TEST_FAIL] red\n` + words + `"]}]}`,
		"harness-progress.txt": "[2026-01-02T03:04:05Z] [SESSION-1] INIT " + words + "\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	show := func(command string, terminal bool) []string {
		var out, errs strings.Builder
		host := console.Host{Out: &out, Err: &errs, Dir: root, Now: time.Now, OutTerminal: terminal, Width: func() int { return 60 }}
		if code := cmd.Main([]string{"tasks", command}, host); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		return strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	}
	for command, lines := range map[string]int{"status": 8, "list": 2} {
		if got := show(command, false); len(got) != lines {
			t.Errorf("%s wrote %d lines into a pipe:\n%s", command, len(got), strings.Join(got, "\n"))
		}
		for _, line := range show(command, true) {
			if len(line) > 60 {
				t.Errorf("%s wrote a line of %d columns: %s", command, len(line), line)
			}
		}
	}
}

func TestAnotherVersionOfTheTaskFileIsToldOnce(t *testing.T) {
	const remark = "harness-tasks.json says version"
	for list, want := range map[string]int{
		`{"version": 3, "tasks": [{"id": "t1"}]}`: 1, `{"version": 1, "tasks": []}`: 1, `{"version": 2, "tasks": []}`: 0, `{"tasks": []}`: 0,
	} {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, "harness-tasks.json"), []byte(list), 0o644); err != nil {
			t.Fatal(err)
		}
		for command, code := range map[string]int{"status": 0, "run": 2} { // there is no repository to run in
			var out, errs strings.Builder
			got := cmd.Main([]string{"tasks", command}, console.Host{Out: &out, Err: &errs, Dir: root, Now: time.Now})
			if n := strings.Count(errs.String(), remark); n != want || got != code {
				t.Errorf("%s: tasks %s told it %d times, want %d; exit code %d, want %d: %s", list, command, n, want, got, code, &errs)
			}
		}
	}
}
