package plan

import (
	"fmt"
	"strings"
	"testing"
)

func TestPathsThatDifferInCaseAloneAreNamedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		tasks []string
		want  []string
	}{
		"of two tasks":           {[]string{"**Files:** README.md", "**Files:** readme.md"}, []string{`9: "README.md" of task 1 and "readme.md" of task 2`}},
		"of one task":            {[]string{"**Files:** a.go, A.go"}, []string{`5: "a.go" of task 1 and "A.go" of task 1`}},
		"in the folder":          {[]string{"**Files:** Docs/a.md", "**Files:** docs/./a.md"}, []string{`9: "Docs/a.md" of task 1 and "docs/a.md" of task 2`}},
		"in other fields":        {[]string{"**Owns:** pkg/*.go", "**Changes tests:** PKG/*.go"}, []string{`9: "pkg/*.go" of task 1 and "PKG/*.go" of task 2`}},
		"of three":               {[]string{"**Files:** a", "**Files:** A", "**Files:** A, a"}, []string{`9: "a" of task 1 and "A" of task 2`}},
		"the same in two tasks":  {[]string{"**Files:** a.go", "**Files:** ./a.go"}, nil},
		"different ones":         {[]string{"**Files:** a.go, b.go", "**Files:** c.go"}, nil},
		"folders, and not files": {[]string{"**Files:** Docs/a.md", "**Files:** docs/b.md"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			src := "# Plan: X\n\n## Tasks\n\n"
			for i, fields := range c.tasks {
				src += fmt.Sprintf("### Task %d: T\n\n%s\n\n", i+1, fields)
			}
			plan, err := ParsePlan([]byte(src))
			if err != nil {
				t.Fatal(err)
			}
			got := plan.Twins()
			if len(got) != len(c.want) {
				t.Fatalf("got %v", got)
			}
			for i, p := range got {
				if said := fmt.Sprintf("%d: %s", p.Line, p.Message); !strings.HasPrefix(said, c.want[i]+" differ in case alone") || p.Hint == "" {
					t.Errorf("got %s, want %s", said, c.want[i])
				}
			}
		})
	}
}
