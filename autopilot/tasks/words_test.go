package tasks

import (
	"strings"
	"testing"

	"autopilot/autopilot/git"
)

func TestAnIDAsAPartOfANameStaysInItsPlace(t *testing.T) {
	ids := []string{
		"task-001", "feat/login", "feat-login", "../up", "..", "/", "", " ", "a.lock", "a", "A b", "ünïcode", "x..y", "-a-", "@{1}",
		"Task-001", "TASK-001", "A", "feat/Login", "Ünïcode", // where a file system does not tell cases apart
		strings.Repeat("long", 100), strings.Repeat("long", 101), "con/..", "a\x00b",
	}
	seen := map[string]string{}
	for _, id := range ids {
		part := RefPart(id)
		if notForRefs.MatchString(part) || part == "" || len(part) > 100 || strings.HasPrefix(part, "-") {
			t.Errorf("%q is %q", id, part)
		}
		folded := strings.ToLower(part)
		if other, taken := seen[folded]; taken {
			t.Errorf("%q and %q are both %q", id, other, folded)
		}
		seen[folded] = id
	}
	if RefPart("task-001") != "task-001" {
		t.Errorf("a plain id is altered: %s", RefPart("task-001"))
	}
}

func TestACommitIsTheTasksThatItNames(t *testing.T) {
	for _, c := range []struct {
		id, message string
		want        bool
	}{
		{"task-1", "[autopilot][task-1] Title\n\nAutopilot-Task: task-1\n", true},
		{"task-1", "Title\n\nAutopilot-Task: task-1\n", true},
		{"task-1", "task-1: write it", true},
		{"task-1", "Write it [task-1]", true},
		{"auth", "[auth] Write it", true},
		{"1", "Write it\n\nAutopilot-Task: 1\n", true},
		{"task-1", "[autopilot][t9] After task-1\n\nAutopilot-Task: t9\n", false},
		{"task-1", "Write it (task-1)", false},
		{"task-1", "Repair what task-1 broke", false},
		{"task-1", "task-10: write it", false},
		{"task-1", "subtask-1: write it", false},
		{"task-1", "task-1-b: write it", false},
		{"task-1", "Write it\n\nas [task-1] wants it", false},
		{"auth", "auth: my own header", false},
		{"auth", "Fix auth header", false},
		{"1", "Fix 1 bug of my own", false},
		{"1", "1: mine", false},
		{"", "[] mine", false},
		{"task-1", "", false},
	} {
		if got := names(git.Described{Message: c.message}, c.id); got != c.want {
			t.Errorf("%s in %q: %v", c.id, c.message, got)
		}
	}
}

func TestALineOfTheErrorLogIsTakenApart(t *testing.T) {
	for line, want := range map[string][2]string{
		"[TEST_FAIL] go test: exit code 1": {"TEST_FAIL", "go test: exit code 1"},
		"no category":                      {"", "no category"},
		"[half":                            {"", "[half"},
		"":                                 {"", ""},
	} {
		if category, why := split(line); category != want[0] || why != want[1] {
			t.Errorf("%q is %q and %q", line, category, why)
		}
	}
	if got := tail("one\ntwo\nthree", 7); got != "three" {
		t.Errorf("the tail is %q", got)
	}
}
