package plan_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"autopilot/spec/markdown"
	"autopilot/spec/plan"
)

func FuzzParsePlan(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		lines := 1 + bytes.Count(src, []byte("\n")) + bytes.Count(src, []byte("\r"))
		p, err := plan.ParsePlan(src)
		if err != nil {
			if bad, ok := errors.AsType[*markdown.ParseError](err); !ok || len(bad.Problems) == 0 {
				t.Fatalf("an error without problems: %v", err)
			}
			return
		}
		var numbers []string
		for _, task := range p.Tasks {
			numbers = append(numbers, task.Number)
		}
		for _, task := range p.Tasks {
			if task.Line < 1 || task.Line > lines || task.FilesNone && len(task.Files) > 0 {
				t.Errorf("task %+v", task)
			}
			for _, need := range task.DependsOn {
				if !slices.Contains(numbers, need) && len(p.Unknown) == 0 {
					t.Errorf("task %s depends on %q", task.Number, need)
				}
			}
		}
		seen := map[[2]string]bool{}
		for _, c := range p.Checkpoints {
			key := [2]string{c.Task, c.Kind}
			if seen[key] || !slices.Contains(numbers, c.Task) || c.Line < 1 || c.Line > lines {
				t.Errorf("checkpoint %+v", c)
			}
			seen[key] = true
		}
	})
}
