package plan_test

import (
	"slices"
	"testing"
)

// taskOf is the third of three tasks, with some fields: Validation, Files and Depends on.
func taskOf(t *testing.T, fields string) []string {
	t.Helper()
	task := mustPlan(t, "## Task 1: x\n## Task 2: y\n## Task 3: z\n\n"+fields).Tasks[2]
	return slices.Concat([]string{task.Validation}, task.Files, task.DependsOn)
}

func TestFieldGoesOnBehindALineBreak(t *testing.T) {
	for fields, want := range map[string][]string{
		"**Validation:** `a` and\n`b`":                   {"a && b"},
		"**Validation:** `a` &&\n`b`":                    {"a && b"},
		"**Validation:** `a` ;\n`b`":                     {"a && b"},
		"**Validation:** `a`, then\n`b` +\n`c`":          {"a && b && c"},
		"**Validation:** `a`\nand `b`":                   {"a && b"},
		"**Validation:** `a`\n&& `b`":                    {"a && b"},
		"**Validation:** `a`\nThen `b`":                  {"a && b"},
		"**Validation:** `a`\n`b`\n`c`":                  {"a && b && c"},
		"**Validation:**\n`a`":                           {"a"},
		"- **Validation:** `a` and\n  `b`\n- c":          {"a && b"},
		"**Validation:** `a` and\n`b` | **Files:** `c`":  {"a && b", "c"},
		"**Files:** `a.go`\n`b.go` (new)":                {"", "a.go", "b.go"},
		"**Files:** a.go and\nb.go":                      {"", "a.go", "b.go"},
		"**Files:** a.go\nand b.go":                      {"", "a.go", "b.go"},
		"**Depends on:** Task 1\nand Task 2":             {"", "1", "2"},
		"**Depends on:** Task 1 and\nTask 2":             {"", "1", "2"},
		"**Depends on:** Task 1: x\nTask 2: y":           {"", "1", "2"},
		"Depends on: 1 &\n2":                             {"", "1", "2"},
		"**Depends on:**\n1\n2":                          {"", "1", "2"},
		"**Depends on:** 1,\n#2\n**Validation:** `a`\n2": {"a", "1", "2"},
	} {
		if got := taskOf(t, fields+"\n"); !slices.Equal(got, want) {
			t.Errorf("%s\ngot %q, want %q", fields, got, want)
		}
	}
}

func TestFieldEndsWhereSomethingElseBegins(t *testing.T) {
	for fields, want := range map[string][]string{
		"**Validation:** `a`\nThat `b` passes is no matter.":           {"a"},
		"**Validation:** `a` and\n\n`b`":                               {"a"},
		"**Validation:** `a` and\n**Files:** b":                        {"a", "b"},
		"**Validation:** `a` and\n**Size:** `b`":                       {"a"},
		"**Validation:** `a`,\n**Size**: `b`":                          {"a"},
		"**Validation:** `a` and\n- `b`":                               {"a"},
		"**Validation:** `a` and\n2. `b`":                              {"a"},
		"**Validation:** `a`,\n[x] `b`":                                {"a"},
		"**Validation:** `a` and\n# `b`":                               {"a"},
		"**Validation:** `a`\n`[checkpoint:human-verify]` Look.":       {"a"},
		"- **Validation:** `a` and\n- **Files:** `b`":                  {"a", "b"},
		"**Validation:** none\n`b` takes too long.":                    {""},
		"**Files:** none\n`b` is read.":                                {""},
		"**Files:** a\nText and more":                                  {"", "a"},
		"**Files:** src/c++\nText and more":                            {"", "src/c++"},
		"**Depends on:** Task 1\n2. Write it.":                         {"", "1"},
		"**Depends on:** Task 1\n`b` is there then.":                   {"", "1"},
		"**Depends on:** none\nTask 2 goes on with it.":                {""},
		"**Depends on:** Task 1\n**Files:** a.go\nTask 2 is the next.": {"", "a.go", "1"},
	} {
		if got := taskOf(t, fields+"\n"); !slices.Equal(got, want) {
			t.Errorf("%s\ngot %q, want %q", fields, got, want)
		}
	}
}

func TestWordsOnTheNextLineThatAreNoTaskAreAskedAbout(t *testing.T) {
	p := mustPlan(t, "## Task 1: x\n## Task 2: y\n**Depends on:** Task 1\nTask 3 goes on with it\n")
	if len(p.Unknown) != 1 || !slices.Equal(p.Tasks[1].DependsOn, []string{"1", "Task 3 goes on with it"}) {
		t.Errorf("it depends on %q; unknown: %v", p.Tasks[1].DependsOn, p.Unknown)
	}
}
