package tasks

import (
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

func listOf(mode string, tasks ...taskfile.ListedTask) taskfile.TaskList {
	return taskfile.TaskList{Version: 2, Config: taskfile.ListConfig{ConcurrencyMode: mode}, SessionCount: 3, Tasks: tasks}
}

func TestWhatAnAgentMayNotChangeOfAListIsPutBack(t *testing.T) {
	name, command := "me", "rm -rf build"
	own := taskfile.ListedTask{ID: "own", Title: "Own", Status: machine.TaskRunning, MaxAttempts: 3, ClaimedBy: &name, Validation: taskfile.ListedValidation{Command: "test"}}
	other := taskfile.ListedTask{ID: "other", Title: "Other", Status: machine.TaskPending, MaxAttempts: 3, DependsOn: []string{"own"}, ErrorLog: []string{"[X] one"}}
	for what, c := range map[string]struct {
		change func(*taskfile.TaskList)
		told   string // "": it stays
		weaker bool
	}{
		"nothing":                 {func(*taskfile.TaskList) {}, "", false},
		"a checkpoint":            {func(l *taskfile.TaskList) { l.Tasks[0].Checkpoints = []taskfile.Milestone{{Step: 1, Total: 2}} }, "", false},
		"a line of the error log": {func(l *taskfile.TaskList) { l.Tasks[1].ErrorLog = append(l.Tasks[1].ErrorLog, "[X] two") }, "", false},
		"a new task": {func(l *taskfile.TaskList) {
			l.Tasks = append(l.Tasks, taskfile.ListedTask{ID: "new", Status: machine.TaskPending, MaxAttempts: 9})
		}, "", false},
		"a new task that is done": {func(l *taskfile.TaskList) {
			l.Tasks = append(l.Tasks, taskfile.ListedTask{ID: "new", Status: machine.TaskCompleted})
		}, `new, which is new: status was "pending" and became "completed"`, false},
		"an error log cut":           {func(l *taskfile.TaskList) { l.Tasks[1].ErrorLog = nil }, `other: error_log was ["[X] one"] and became nothing`, false},
		"the own status":             {func(l *taskfile.TaskList) { l.Tasks[0].Status = machine.TaskCompleted }, "own: status", false},
		"the own claim":              {func(l *taskfile.TaskList) { l.Tasks[0].ClaimedBy = nil }, "own: claimed_by", false},
		"the own validation":         {func(l *taskfile.TaskList) { l.Tasks[0].Validation.Command = "true" }, "own: validation", true},
		"the own tests":              {func(l *taskfile.TaskList) { l.Tasks[0].ChangesTests = []string{"**"} }, "own: changes_tests", true},
		"the own cleanup":            {func(l *taskfile.TaskList) { l.Tasks[0].OnFailure.Cleanup = &command }, "own: on_failure", true},
		"the own attempts":           {func(l *taskfile.TaskList) { l.Tasks[0].MaxAttempts = 9 }, "own: max_attempts", true},
		"the own entry removed":      {func(l *taskfile.TaskList) { l.Tasks = l.Tasks[1:] }, "own was removed", true},
		"another entry removed":      {func(l *taskfile.TaskList) { l.Tasks = l.Tasks[:1] }, "other was removed", false},
		"another's status":           {func(l *taskfile.TaskList) { l.Tasks[1].Status = "skipped" }, `other: status was "pending" and became "skipped"`, false},
		"another's tests":            {func(l *taskfile.TaskList) { l.Tasks[1].ChangesTests = []string{"**"} }, "other: changes_tests", false},
		"another's title":            {func(l *taskfile.TaskList) { l.Tasks[1].Title = "New" }, `other: title was "Other" and became "New"`, false},
		"another's dependencies":     {func(l *taskfile.TaskList) { l.Tasks[1].DependsOn = nil }, "other: depends_on", false},
		"how it is worked through":   {func(l *taskfile.TaskList) { l.Config.MaxTasksPerSession = 999 }, "session_config", false},
		"how many runs there were":   {func(l *taskfile.TaskList) { l.SessionCount = 0 }, "session_count was 3 and became 0", false},
		"that others may work on it": {func(l *taskfile.TaskList) { l.Config.ConcurrencyMode = taskfile.Concurrent }, "session_config", false},
	} {
		before := listOf(taskfile.Exclusive, own, other)
		now := listOf(taskfile.Exclusive, own, other)
		now.Tasks[1].ErrorLog = slices.Clone(other.ErrorLog)
		c.change(&now)
		wanted, _ := differing(before, now)
		got := comparison{before: before, own: "own"}
		got.putBack(&now)
		if told := strings.Join(got.told, "\n"); (told == "") != (c.told == "") || !strings.Contains(told, c.told) || got.weaker != c.weaker {
			t.Errorf("%s: told %q, weaker %v", what, told, got.weaker)
		}
		left, _ := differing(before, now)
		slices.SortFunc(now.Tasks, func(a, b taskfile.ListedTask) int { return -strings.Compare(a.ID, b.ID) })
		back, _ := differing(before, now)
		if c.told == "" && !slices.Equal(left, wanted) || c.told != "" && what != "a new task that is done" && len(back) > 0 {
			t.Errorf("%s: %v is left", what, left)
		}
	}
}

func TestInAConcurrentListOthersMayGoOnAndNobodyMayChangeWhatATaskIs(t *testing.T) {
	name := "other worker"
	was := taskfile.ListedTask{ID: "other", Status: machine.TaskPending, MaxAttempts: 3, Validation: taskfile.ListedValidation{Command: "test"}}
	is := was
	is.Status, is.ClaimedBy, is.Validation.Command = machine.TaskRunning, &name, "true"
	for _, passed := range []bool{true, false} {
		before, now := listOf(taskfile.Concurrent, was), listOf(taskfile.Concurrent, is)
		before.SessionCount = 1
		c := comparison{before: before, own: "own", passed: func(_, _ taskfile.ListedTask) bool { return passed }}
		c.putBack(&now)
		if got := now.Tasks[0]; got.Validation.Command != "test" || (got.Status == machine.TaskRunning) != passed {
			t.Errorf("%v: %+v", passed, got)
		}
		if now.SessionCount != 3 || len(c.told) != 1 || c.weaker {
			t.Errorf("%d runs, told %v", now.SessionCount, c.told)
		}
	}
}

func TestOnlyWhatProgramsDoPassesATaskOn(t *testing.T) {
	name, none := "other", ""
	task := func(status string, attempts int, by *string, errors ...string) taskfile.ListedTask {
		return taskfile.ListedTask{ID: "x", Status: status, Attempts: attempts, ClaimedBy: by, ErrorLog: errors, Commit: "abc"}
	}
	for _, c := range []struct {
		was, is taskfile.ListedTask
		want    bool
	}{
		{task("pending", 0, nil), task("in_progress", 0, &name), true},
		{task("pending", 0, nil), task("in_progress", 0, nil), false},
		{task("pending", 0, nil), task("in_progress", 0, &none), false},
		{task("in_progress", 0, &name), task("pending", 0, nil), true},
		{task("in_progress", 1, &name), task("failed", 1, nil), true},
		{task("in_progress", 0, &name), task("failed", 1, nil, "[X] why"), true},
		{task("pending", 0, nil), task("failed", 0, nil, "[DEPENDENCY] why"), true},
		{task("pending", 0, nil), task("failed", 0, nil, "[X] why"), false},
		{task("pending", 0, nil), task("failed", 1, nil), false},
		{task("failed", 2, nil), task("pending", 2, nil), false},
		{task("failed", 2, nil), task("in_progress", 1, &name), false},
		{task("pending", 0, nil), task("completed", 0, nil), false},
		{task("pending", 0, nil), task("skipped", 0, nil), false},
		{task("completed", 0, nil), task("pending", 0, nil), true},
		{task("completed", 0, nil), task("in_progress", 0, &name), false},
	} {
		if got := (listGuard{claims: claims{alone: true}}).passedOn(t.Context(), c.was, c.is); got != c.want {
			t.Errorf("from %s %d to %s %d: %v", c.was.Status, c.was.Attempts, c.is.Status, c.is.Attempts, got)
		}
	}
}
