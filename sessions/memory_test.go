package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/sessions/faulty"
	"autopilot/sessions/format"
	"autopilot/sessions/learnings"
	"autopilot/sessions/taskfile"
)

func TestProgressIsOneGreppableLineEach(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	for _, p := range []taskfile.ProgressLine{
		{Time: noon, Session: 2, Type: "INIT", Message: "a session"},
		{Time: noon, Session: 2, Type: "Starting", Task: "task-001", Message: "Parse\n  the header", Key: "s1/2"},
		{Time: noon, Session: 2, Type: "ERROR", Task: "task-001", Category: "TEST_FAIL", Message: "no"},
		{Type: "STATS"},
	} {
		if err := s.Progress(p); err != nil {
			t.Fatal(err)
		}
	}
	want := `[2025-03-04T12:00:00Z] [SESSION-2] INIT a session
[2025-03-04T12:00:00Z] [SESSION-2] Starting [task-001] Parse the header {#s1/2}
[2025-03-04T12:00:00Z] [SESSION-2] ERROR [task-001] [TEST_FAIL] no
[2025-03-04T12:00:03Z] [SESSION-0] STATS
`
	if d := cmp.Diff(want, read(t, dir, "progress.txt")); d != "" {
		t.Error(d)
	}
}

func TestALineWithAKeyIsWrittenOnceOverAllRuns(t *testing.T) {
	dir := sessionDir(t)
	harness := filepath.Dir(filepath.Dir(dir))
	closed(t, create(t, dir))
	for range 2 {
		s := open(t, dir)
		for range 2 {
			err := errors.Join(
				s.Progress(taskfile.ProgressLine{Type: "Completed", Message: "x", Key: "s1/3"}),
				s.Learnings().Learn(learnings.Learning{Date: noon, Skill: "executor", Outcome: "gotcha", Text: "Mind\nthe gap"}, "s1/4"),
				s.Learnings().Fail(learnings.Failure{Date: noon, Skill: "executor", Type: "tasks_exhausted", Text: "It broke"}, "s1/5"),
				s.Progress(taskfile.ProgressLine{Type: "WARN", Message: "each time"}),
			)
			if err != nil {
				t.Fatal(err)
			}
		}
		closed(t, s)
	}
	progress := read(t, dir, "progress.txt")
	if strings.Count(progress, "Completed") != 1 || strings.Count(progress, "each time") != 4 {
		t.Errorf("progress:\n%s", progress)
	}
	want := "- **2025-03-04 [skill:executor] [outcome:gotcha]:** Mind the gap <!-- key:s1/4 -->\n"
	if got := read(t, dir, "learnings.md"); got != want {
		t.Errorf("learnings %q", got)
	}
	want = "- **2025-03-04 [skill:executor] [type:tasks_exhausted]:** It broke <!-- key:s1/5 -->\n"
	if got := read(t, harness, "failures.md"); got != want {
		t.Errorf("failures %q", got)
	}
}

func TestATornLastLineIsEndedFirst(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	write(t, "[2025-03-04T11:00:00Z] [SESS", dir, "progress.txt")
	if err := s.Progress(taskfile.ProgressLine{Time: noon, Session: 1, Type: "STATS"}); err != nil {
		t.Fatal(err)
	}
	want := "[2025-03-04T11:00:00Z] [SESS\n[2025-03-04T12:00:00Z] [SESSION-1] STATS\n"
	if got := read(t, dir, "progress.txt"); got != want {
		t.Errorf("progress %q", got)
	}
}

func TestALineThatWasCutOffIsCompletedWhereItComesAgain(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	line := taskfile.ProgressLine{Time: noon, Session: 1, Type: "STATS", Key: "k"}
	write(t, "before\n"+line.String()[:20], dir, "progress.txt")
	if err := s.Progress(line); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "progress.txt"); got != "before\n"+line.String()+"\n" {
		t.Errorf("progress %q", got)
	}
}

func TestALogThatIsALinkIsRefused(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	if err := os.Symlink(filepath.Join(t.TempDir(), "target"), filepath.Join(dir, "progress.txt")); err != nil {
		t.Skip("no symbolic links here")
	}
	var link *plainfile.LinkError
	if err := s.Progress(taskfile.ProgressLine{Type: "STATS"}); !errors.As(err, &link) {
		t.Errorf("error %v", err)
	}
}

func TestTaskFileShowsThePhasesTasks(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	state := machine.State{
		Runs: 2, UpdatedAt: noon, CurrentPhase: 1, Phases: []machine.Phase{{}, {Name: "Write", StartedAt: &noon}}, CurrentTask: "task-002",
		CurrentState: machine.Execute,
		Tasks: []machine.Task{
			{ID: "task-001", Title: "A", Status: machine.TaskCompleted, Base: "abc", Validation: "go test ./...", Attempts: []machine.Attempt{
				{Timestamp: noon, Error: "no\nway", Category: "TEST_FAIL", Result: "failed"}, {Timestamp: noon, Result: "passed"},
			}},
			{ID: "task-002", Title: "B", Status: machine.TaskRunning, DependsOn: []string{"task-001"}},
			{ID: "task-003", Title: "C", Status: machine.TaskFailed, Extra: 1, Attempts: []machine.Attempt{{Error: "x"}}},
		},
		Decisions: []machine.Decision{{Decision: "approved", Reason: "good", Timestamp: noon}},
		Gate:      &machine.Gate{ID: "g9", Question: "Go on?"},
	}
	if err := s.Project(state); err != nil {
		t.Fatal(err)
	}
	f := document(t, read(t, dir, "phase-2-tasks.json"))
	for path, want := range map[string]any{
		"version": 2, "created": noon, "session_count": 2, "last_session": noon, "session_config.concurrency_mode": "exclusive",
		"tasks.0": map[string]any{
			"id": "task-001", "title": "A", "status": "completed", "priority": "P1", "depends_on": []string{}, "attempts": 2, "max_attempts": 4,
			"started_at_commit": "abc", "validation": map[string]any{"command": "go test ./...", "timeout_seconds": 600},
			"on_failure": map[string]any{"cleanup": nil}, "error_log": []string{"[TEST_FAIL] no way"}, "checkpoints": []string{},
			"completed_at": noon, "claimed_by": nil, "lease_expires_at": nil,
		},
		"tasks.1.claimed_by": "SESSION-2", "tasks.1.completed_at": nil, "tasks.1.started_at_commit": nil,
		"tasks.2.status": "failed", "tasks.2.max_attempts": 5, "tasks.2.error_log": []string{"[TASK_EXEC] x"},
	} {
		sameJSON(t, path, at(f, strings.Split(path, ".")), roundTrip(t, want))
	}
	older := document(t, read(t, dir, "state.json"))
	sameJSON(t, "state.json", older, roundTrip(t, map[string]any{
		"schemaVersion": 1, "position": map[string]any{"phase": "Write", "task": "task-002"},
		"decisions":   []any{map[string]any{"date": "2025-03-04", "decision": "approved", "context": "good"}},
		"blockers":    []any{map[string]any{"id": "g9", "description": "Go on?", "status": "open"}},
		"progress":    map[string]any{"task-001": "complete", "task-002": "in_progress", "task-003": "pending"},
		"lastSession": map[string]any{"date": "2025-03-04", "summary": "EXECUTE, phase 2 of 2", "lastSkill": "autopilot", "pendingTasks": []string{"task-002", "task-003"}},
	}))
}

// roundTrip gives a value the types that JSON gives it.
func roundTrip(t *testing.T, v any) any {
	t.Helper()
	b, err := format.Compact(v)
	if err != nil {
		t.Fatal(err)
	}
	return document(t, `{"v":`+string(b)+`}`)["v"]
}

func TestProjectionIsWrittenOnlyWhenItChanged(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	state := machine.State{Tasks: []machine.Task{{ID: "task-001", Kind: machine.KindFinalFix}}}
	for i := range 2 {
		state.UpdatedAt = noon.Add(time.Duration(i) * time.Second)
		if err := s.Project(state); err != nil {
			t.Fatal(err)
		}
		if got := read(t, dir, "final-tasks.json"); got != "touched" && !strings.Contains(got, "task-001") {
			t.Errorf("final-tasks.json is %s", got)
		}
		write(t, "touched", dir, "final-tasks.json")
	}
	if read(t, dir, "final-tasks.json") != "touched" {
		t.Error("written again")
	}
	state.Tasks[0].Status = machine.TaskCompleted
	if err := s.Project(state); err != nil || read(t, dir, "final-tasks.json") == "touched" {
		t.Errorf("not written, error %v", err)
	}
}

// A log is whole again once the disk is, whichever operation on it failed, and names no line twice.
func TestALineThatCouldNotBeWrittenComesBeforeTheNextOne(t *testing.T) {
	lines := []taskfile.ProgressLine{
		{Time: noon, Session: 1, Type: "STATS", Message: "first"},
		{Time: noon, Session: 1, Type: "Completed", Task: "task-003", Key: "k"},
		{Time: noon, Session: 1, Type: "CHECKPOINT", Message: "last"},
	}
	for _, last := range []bool{false, true} { // what fails is one of the two last, or one of the last alone
		for _, kind := range []faulty.Fault{faulty.Fail, faulty.Short} {
			for at := 1; ; at++ {
				disk := &faulty.Disk{Disk: hastyDisk{}, Kind: kind}
				dir := sessionDir(t)
				s, err := Create(dir, first(), on(disk))
				if err != nil {
					t.Fatal(err)
				}
				var failed bool
				for i, line := range lines {
					if i == len(lines)-1 == last && i > 0 {
						disk.At = disk.Ops + at
					}
					failed = s.Progress(line) != nil || failed
					disk.At = 0
				}
				closed(t, s)
				want := lines[0].String() + "\n" + lines[1].String() + "\n" + lines[2].String() + "\n"
				if got := read(t, dir, "progress.txt"); got != want {
					t.Fatalf("fault %d at operation %d, of the last %t: %q", kind, at, last, got)
				}
				if !failed {
					if at < 3 {
						t.Errorf("only %d operations failed", at-1)
					}
					break
				}
			}
		}
	}
}
