package spec_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/spec"
)

// doubts are the warnings of a spec that is otherwise in order, as "line: message".
func doubts(s *spec.Spec) []string {
	var all []string
	for _, w := range s.Warnings {
		all = append(all, fmt.Sprintf("%d: %s", w.Line, w.Message))
	}
	return all
}

// missedPhases are sections, from line 7 on, and what is said of them.
var missedPhases = map[string]struct {
	section string
	want    []string
}{
	"a word for a number": {"### Phase 1: A\n### Phase Two: X\n### Phase 3: C\n", []string{
		`8: the heading "Phase Two: X" is not read as a phase`, "9: no phase has the number 2",
	}},
	"a number sign":   {"### Phase 1: A\n### Phase #2: X\n### Phase 2: C\n", []string{`8: the heading "Phase #2: X" is not read as a phase`}},
	"a minus":         {"### Phase 1: A\n### Phase -2: X\n### Phase 2: C\n", []string{`8: the heading "Phase -2: X" is not read as a phase`}},
	"no space":        {"### Phase 1: A\n### Phase2: X\n### Phase 2: C\n", []string{`8: the heading "Phase2: X" is not read as a phase`}},
	"a name alone":    {"### Phase 1: A\n### Phase: X\n### Phase 2: C\n", []string{`8: the heading "Phase: X" is not read as a phase`}},
	"another word":    {"### Phase 1: A\n### Phase Cleanup: X\n### Phase 2: C\n", []string{`8: the heading "Phase Cleanup: X" is not read as a phase`}},
	"a word, deeper":  {"### Phase 1: A\n#### Phase Two: X\n### Phase 2: C\n", []string{`8: the heading "Phase Two: X" is not read as a phase`}},
	"a step between":  {"### Phase 1: A\n### Step 2: X\n### Phase 3: C\n", []string{`8: the heading "Step 2: X" is not read as a phase`, "9: no phase has the number 2"}},
	"a stage behind":  {"### Phase 1: A\n### Phase 2: C\n### Stage Three: X\n", []string{`9: the heading "Stage Three: X" is not read as a phase`}},
	"a step of steps": {"### Step 1: A\n### Step Two: X\n### Step 3: C\n", []string{`8: the heading "Step Two: X" is not read as a phase`, "9: no phase has the number 2"}},
	"one level higher": {"### Phase 1: A\n### Phase 3: C\n## Phase 2: X\n## Notes\n### Phase 4: Y\n", []string{
		"8: no phase has the number 2",
		`9: the heading "Phase 2: X" lies outside of the section "Implementation Order" and is not read as a phase`,
		`11: the heading "Phase 4: Y" lies outside of the section "Implementation Order" and is not read as a phase`,
	}},
	"among bold labels": {"**Phase 1: A** a\n\n**Phase Two: X** x\n**Phase #3:** y\n\n**Phase 4: C** c\n", []string{
		`9: the label "Phase Two: X" is not read as a phase`, `10: the label "Phase #3:" is not read as a phase`, "12: no phase has the numbers 2 to 3",
	}},
	"among items":          {"- **Phase 1: A**\n- **Phase Two: X**\n- **Phase 2: C**\n", []string{`8: the label "Phase Two: X" is not read as a phase`}},
	"an item in a phase":   {"### Phase 1: A\n\n2. B\n\n### Phase 3: C\n", []string{"11: no phase has the number 2"}},
	"a heading of a list":  {"1. A\n2. B\n\n### Phase Three: X\n", []string{`10: the heading "Phase Three: X" is not read as a phase`}},
	"a gap in a list":      {"1. A\n2. B\n7. C\n", []string{"9: no phase has the numbers 3 to 6"}},
	"a gap out of order":   {"### Phase 5: A\n### Phase 1: B\n### Phase 2a: C\n### Phase 2b: D\n", []string{"7: no phase has the numbers 3 to 4"}},
	"steps of a phase":     {"### Phase 1: A\n#### Step One: x\n#### Step 2: x\n**Step 3:** x\n### Phase 2: C\n", nil},
	"remarks among phases": {"### Step 0: x\n### Phase 1: A\n### Phase Boundaries\n### Phase 2: B\n#### Phase goal: x\n### Step 9: x\n### Stage N: x\n", nil},
	"other words":          {"### Phased rollout: x\n### Phase 1: A\n### Phase 2: B\n### Stepwise: x\n### Phases: x\n", nil},
	"remarks among labels": {"**Phase 1: A** a\n\n**Phase goal:** x\n**Phase boundaries** x\n**Step two: x**\n\n**Phase 2: C** c\n", nil},
	"an overview":          {"- **Phase 1: A**\n- **Phase 2: C**\n\n**Phase 1: A** a\n\n**Phase 2: C** c\n", nil},
	"no gap":               {"### Phase 0: A\n### Phase 1.1: B\n### Phase 1.2: C\n### Phase 2-4: D\n### Phase 5b: E\n", nil},
	"a late start":         {"### Phase 3: A\n### Phase 4: B\n", nil},
	"letters":              {"### Phase A: A\n### Phase D: B\n", nil},
	"more on a phase":      {"### Phase 1: A\n### Phase 2: B\n## Details\n### Phase 1: A\n### Phase Three: x\n", nil},
	"what groups phases":   {"### Stage 1: x\n#### Phase 1: A\n### Stage 2: x\n#### Phase 2: B\n", nil},
}

func TestAPhaseThatIsNotReadIsNamed(t *testing.T) {
	for name, c := range missedPhases {
		t.Run(name, func(t *testing.T) {
			s := mustParse(t, "# Phase 7: Title\n## Success Criteria\n\n- a\n\n## Implementation Order\n"+c.section)
			if diff := cmp.Diff(c.want, doubts(s)); diff != "" {
				t.Error(diff)
			}
			for _, w := range s.Warnings {
				if w.Hint == "" {
					t.Errorf("%v: it does not say what to do", w)
				}
			}
		})
	}
}
