package spec_test

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
