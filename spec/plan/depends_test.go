package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDependenciesThatAreNotThereAreNamedByLine(t *testing.T) {
	const two = "## Task 1: x\n## Task 2: y\n"
	for name, c := range map[string]struct {
		src     string
		message string
		depends []string
	}{
		"a number":       {two + "**Depends on:** Task 7, Task 1\n", `task 2 depends on "7"`, []string{"1", "7"}},
		"words":          {two + "**Depends on:** all previous\n", `"all previous"`, []string{"all previous"}},
		"backward range": {two + "**Depends on:** 2-1\n", `"2-1"`, []string{"2-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustPlan(t, c.src)
			if len(p.Unknown) != 1 || p.Unknown[0].Line != 2 || !strings.Contains(p.Unknown[0].Message, c.message) || p.Unknown[0].Hint == "" {
				t.Errorf("unknown: %+v", p.Unknown)
			}
			if !slices.Equal(p.Tasks[1].DependsOn, c.depends) {
				t.Errorf("it depends on %q", p.Tasks[1].DependsOn)
			}
		})
	}
}

func TestPlanWithACycleIsRead(t *testing.T) {
	p := mustPlan(t, "## Task 1: x\n**Depends on:** Task 2\n## Task 2: y\n**Depends on:** 1, 2\n")
	if diff := cmp.Diff([][]string{{"2"}, {"1", "2"}}, [][]string{p.Tasks[0].DependsOn, p.Tasks[1].DependsOn}); diff != "" || len(p.Unknown) > 0 {
		t.Errorf("%s\nunknown: %v", diff, p.Unknown)
	}
}

// dependsOn is what the last of four tasks depends on.
func dependsOn(t *testing.T, value string) (depends []string, unknown int) {
	t.Helper()
	p := mustPlan(t, "## Task 1: x\n## Task 2: y\n## Task A3: z\n## Task 4: a\n**Depends on:** "+value+"\n")
	return p.Tasks[3].DependsOn, len(p.Unknown)
}

func TestRangeOfDependenciesIsAllOfIt(t *testing.T) {
	for _, value := range []string{
		"Tasks 1–A3", "Tasks 1 - A3", "Tasks 1 — A3", "1—A3", "1 -- a3", "Task 1 – Task A3", "Task 1-Task A3", "Task #1 - Task #A3.",
		"Tasks 1 - A3: all of the parser", "Task 1 - Task A3 (the parser)", "1 - 2, A3", "1 -\n2 and A3",
	} {
		if got, unknown := dependsOn(t, value); !slices.Equal(got, []string{"1", "2", "A3"}) || unknown > 0 {
			t.Errorf("%s: got %q", value, got)
		}
	}
}

func TestTitleOfADependencyIsNoRange(t *testing.T) {
	for _, value := range []string{
		"Task 1 — the parser", "Task 1 - a parser", "Task 1: A", "Task 1 — A", "Task 1 – 2 files", "Task 1. Then the rest.", "Task 1 - v", "1: Do what Task 2 needs",
		"Task 1 (schema for Task 2)", "Task 1 (2 files)", "Task 1 (and its tests)",
	} {
		if got, unknown := dependsOn(t, value); !slices.Equal(got, []string{"1"}) || unknown > 0 {
			t.Errorf("%s: got %q", value, got)
		}
	}
}

func TestSecondDependencyIsReadOrAskedAbout(t *testing.T) {
	for value, want := range map[string][]string{
		"Task 1 (and Task 2)":                 {"1", "2"},
		"Task 1 (Task 2, too long to wait)":   {"1", "2", "too long to wait"},
		"Task 1 (and 2)":                      {"1", "2"},
		"Task 1 (and Task 2 where it\nhas to": {"1", "Task 2 where it"},
		"Task 1 -> Task 2":                    {"Task 1 -> Task 2"},
		"Task 1 → Task 2":                     {"Task 1 → Task 2"},
		"Task 1. Task 2":                      {"Task 1. Task 2"},
		"1 -> 2":                              {"1 -> 2"},
		"1. 2":                                {"1. 2"},
		"Task 1 - Task 9":                     {"1-9"},
		"A3 - 1":                              {"A3-1"},
	} {
		if got, unknown := dependsOn(t, value); !slices.Equal(got, want) || (unknown > 0) != slices.ContainsFunc(got, hasNoTask) {
			t.Errorf("%s: got %q, %d unknown", value, got, unknown)
		}
	}
}

func hasNoTask(wish string) bool { return !slices.Contains([]string{"1", "2", "A3"}, wish) }
