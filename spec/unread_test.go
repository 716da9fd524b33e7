package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/spec"
	"autopilot/spec/markdown"
)

// said are problems as "line: message".
func said(problems []markdown.Problem) []string {
	var all []string
	for _, p := range problems {
		all = append(all, fmt.Sprintf("%d: %s", p.Line, p.Message))
	}
	return all
}

func unread(line int, text string) string {
	return fmt.Sprintf("%d: %q looks like a phase but isn't read as one", line, text)
}

const twoPhases = "### Phase 1: A\n### Phase 2: B\n"

// unreadPhases are sections, from line 7 on, what is said to be unread in them, and what else.
var unreadPhases = map[string]struct {
	section   string
	want, too []string
}{
	"a word for a number": {"### Phase 1: A\n### Phase Two: X\n### Phase 3: C\n", []string{unread(8, "Phase Two: X")}, []string{"9: no phase has the number 2"}},
	"a number sign":       {"### Phase 1: A\n### Phase #2: X\n### Phase 2: C\n", []string{unread(8, "Phase #2: X")}, nil},
	"a minus":             {"### Phase 1: A\n### Phase -2: X\n### Phase 2: C\n", []string{unread(8, "Phase -2: X")}, nil},
	"no space":            {"### Phase 1: A\n### Phase2: X\n### Phase 2: C\n", []string{unread(8, "Phase2: X")}, nil},
	"a name alone":        {"### Phase 1: A\n### Phase: X\n### Phase 2: C\n", []string{unread(8, "Phase: X")}, nil},
	"another word":        {"### Phase 1: A\n### Phase Cleanup: X\n### Phase 2: C\n", []string{unread(8, "Phase Cleanup: X")}, nil},
	"no separator":        {twoPhases + "### Phase 3 and more\n", []string{unread(9, "Phase 3 and more")}, nil},
	"a letter":            {twoPhases + "### Phase C: X\n#### Phase D: X\n", []string{unread(10, "Phase D: X")}, nil},
	"a step between":      {"### Phase 1: A\n### Step 2: X\n### Phase 3: C\n", []string{unread(8, "Step 2: X")}, []string{"9: no phase has the number 2"}},
	"a stage behind":      {twoPhases + "### Stage Three: X\n", []string{unread(9, "Stage Three: X")}, nil},
	"a step of steps":     {"### Step 1: A\n### Step Two: X\n### Step 3: C\n", []string{unread(8, "Step Two: X")}, []string{"9: no phase has the number 2"}},
	"a deeper heading":    {twoPhases + "#### Phase 3: X\n#### Phase Four: X\n", []string{unread(9, "Phase 3: X"), unread(10, "Phase Four: X")}, nil},
	"a shallower heading": {"#### Phase 1: A\n### Phase 2: B\n", []string{unread(7, "Phase 1: A")}, nil},
	"items of a check list": {twoPhases + "\n- [ ] **Phase 3: C** c\n- [x] Phase 4: D\n  - **Phase 5**\n", []string{
		unread(10, "Phase 3: C"), unread(11, "Phase 4: D"), unread(12, "Phase 5"),
	}, nil},
	"items in details": {twoPhases + "\n<details>\n\n- [ ] **Phase 3: C** c\n\n</details>\n", []string{unread(12, "Phase 3: C")}, nil},
	"lines in details": {twoPhases + "\n<details>\n- [ ] **Phase 3: C**\n</details>\n", []string{unread(11, "Phase 3: C")}, nil},
	"paragraphs": {twoPhases + "\n**Phase 3: C** c\n**Phase 4** — d\n\nPhase 5: E\n\n~~**Phase 6: F**~~\n", []string{
		unread(10, "Phase 3: C"), unread(11, "Phase 4 — d"), unread(13, "Phase 5: E"), unread(15, "Phase 6: F"),
	}, nil},
	"the first cell": {twoPhases + "\n| What | x |\n|--|--|\n| Phase 3: C | y |\n", []string{unread(12, "Phase 3: C")}, nil},
	"outside of the section": {"### Phase 1: A\n### Phase 3: C\n## Phase 2: X\n## Notes\n### Phase 4: Y\n", []string{
		`9: "Phase 2: X" isn't read as a phase: the heading "Phase 2: X" on line 9 ends the section "Implementation Order"`,
		`11: "Phase 4: Y" isn't read as a phase: the heading "Phase 2: X" on line 9 ends the section "Implementation Order"`,
	}, []string{"8: no phase has the number 2"}},
	"headings of a phase that end the section": {"### Phase 1: A\n## Goal\n### Phase 2: B\n## Goal\n", []string{
		`9: "Phase 2: B" isn't read as a phase: the heading "Goal" on line 8 ends the section "Implementation Order"`,
	}, nil},
	"labels behind them": {"**Phase 1: A** a\n\n## Goal\n\n**Phase 2: B** b\n", []string{
		`11: "Phase 2: B" isn't read as a phase: the heading "Goal" on line 9 ends the section "Implementation Order"`,
	}, nil},
	"waves behind them": {"### Wave 1: A\n## Goal\n### Wave 2: B\n", []string{
		`9: "Wave 2: B" isn't read as a phase: the heading "Goal" on line 8 ends the section "Implementation Order"`,
	}, nil},
	"a list that goes on behind them": {"1. A\n2. B\n\n## Goal\n\n3. C\n", []string{unread(12, "C")}, nil},
	"among bold labels": {"**Phase 1: A** a\n\n**Phase Two: X** x\n**Phase #3:** y\n\n**Phase 4: C** c\n", []string{
		unread(9, "Phase Two: X"), unread(10, "Phase #3:"),
	}, []string{"12: no phase has the numbers 2 to 3"}},
	"among items":           {"- **Phase 1: A**\n- **Phase Two: X**\n- **Phase 2: C**\n", []string{unread(8, "Phase Two: X")}, nil},
	"a sentence among them": {"**Phase 1: A** a\n\n**Phase 2** ends it\n", []string{unread(9, "Phase 2 ends it")}, nil},
	"a heading of a list":   {"1. A\n2. B\n\n### Phase Three: X\n", []string{unread(10, "Phase Three: X")}, nil},
	"a phase behind a list": {"1. A\n2. B\n\n### Phase 3: C\n", []string{
		unread(7, "A"), unread(8, "B"),
	}, nil},
	"a label in a list": {"1. A\n2. B\n3. **Phase 3: C**\n", []string{
		unread(7, "A"), unread(8, "B"),
	}, nil},
	"a label below a table": {"| Phase | What |\n|--|--|\n| 1 | A |\n\n**Phase 2: B** b\n", []string{unread(9, "A")}, nil},
	"steps of a task":       {"### Task 1: Make\n\n1. Open\n2. Write\n\n### Task 2: Sell\n", []string{`7: "Open" on line 9 is read as a phase, but the heading "Task 1: Make" isn't`}, nil},
	"steps of a number":     {"### 1. Make\n\n1. Open\n2. Write\n\n### 2. Sell\n", []string{`7: "Open" on line 9 is read as a phase, but the heading "1. Make" isn't`}, nil},
	"steps of a heading":    {"### Make\n\n1. Open\n2. Write\n\n### Sell\n", []string{`7: "Open" on line 9 is read as a phase, but the heading "Make" isn't`}, nil},
	"labelled steps":        {"### Make\n\n- **Step 1: Open**\n- **Step 2: Write**\n\n### Sell\n", []string{`7: "Open" on line 9 is read as a phase, but the heading "Make" isn't`}, nil},
	"headings of steps":     {"### Make\n#### Step 1: Open\n#### Step 2: Write\n### Sell\n", []string{`7: "Open" on line 8 is read as a phase, but the heading "Make" isn't`}, nil},
	"a table of steps":      {"### Make\n\n| Step | x |\n|--|--|\n| 1 | Open |\n| 2 | Write |\n\n### Sell\n", []string{`7: "Open" on line 11 is read as a phase, but the heading "Make" isn't`}, nil},
	"tasks below a list":    {"1. with care\n2. with tests\n\n### Task 1: Make\n### Task 2: Sell\n", []string{`10: "with care" on line 7 is read as a phase, but the heading "Task 1: Make" isn't`}, nil},
	"a struck-out heading":  {"### Phase 1: A\n### ~~Phase 2: B~~ (cancelled)\n", []string{`8: "B (cancelled)" is struck out but read as a phase`}, nil},
	"a struck-out name":     {"1. A\n2. ~~B~~\n", []string{`8: "B" is struck out but read as a phase`}, nil},
	"a struck-out item":     {"- **Phase 1: A**\n- [x] ~~**Phase 2: B**~~\n", []string{`8: "B" is struck out but read as a phase`}, nil},
	"phases of waves":       {"1. **Wave 1:** M\n2. **Wave 2a:** N\n\nEach wave has:\n\n- Phase 1: A\n- Phase 2: B\n", []string{`7: "A" on line 12 is read as a phase, but "Wave 1: M" isn't`}, nil},
	"only sentences": {"**Phase 1** makes it.\n\n**Phase 2** sells it.\n", []string{
		`7: the sentence "makes it" is read as a phase`, `9: the sentence "sells it" is read as a phase`,
	}, nil},

	"an item in a phase":     {"### Phase 1: A\n\n2. B\n\n### Phase 3: C\n", nil, []string{"11: no phase has the number 2"}},
	"a gap in a list":        {"1. A\n2. B\n7. C\n", nil, []string{"9: no phase has the numbers 3 to 6"}},
	"a gap out of order":     {"### Phase 5: A\n### Phase 1: B\n### Phase 2a: C\n### Phase 2b: D\n", nil, []string{"7: no phase has the numbers 3 to 4"}},
	"parts of a phase":       {twoPhases + "#### Phase 2.1: x\n#### Phase 2b: x\n- **Phase 1.1: x**\n", nil, nil},
	"steps of a phase":       {"### Phase 1: A\n#### Step One: x\n#### Step 2: x\n**Step 3:** x\n### Phase 2: C\n", nil, nil},
	"a list that counts on":  {"### Phase 1: A\n\n1. x\n2. x\n\n### Phase 2: B\n\n3. x\n4. x\n\n## Success\n\n3. x\n", nil, nil},
	"remarks among phases":   {"### Step 0: x\n### Phase 1: A\n### Phase Boundaries\n### Phase 2: B\n#### Phase goal: x\n### Phase 1 exit criteria\n### Step 9: x\n### Stage N: x\n", nil, nil},
	"other words":            {"### Phased rollout: x\n### Phase 1: A\n### Phase 2: B\n### Stepwise: x\n### Phases: x\n", nil, nil},
	"remarks among labels":   {"**Phase 1: A** a\n\n**Phase goal:** x\n**Phase boundaries** x\n**Step two: x**\n\n**Phase 2: C** c\n", nil, nil},
	"prose in a phase":       {twoPhases + "\n**Phase 3** is out of scope, as is\nPhase 4: see there.\n\n- Later than phase 7: x\n- Phase 8 may come\n", nil, nil},
	"sentences above a list": {"**Phase 1** makes it.\n\n**Phase 3** sells it.\n\n1. A\n2. B\n", nil, nil},
	"a quotation, and code":  {twoPhases + "\n> **Phase 3: C**\n\n```\n### Phase 4: D\n```\n\n<!--\nPhase 5: E\n-->\n", nil, nil},
	"an overview":            {"- **Phase 1: A**\n- **Phase 2: C**\n\n| Phase | x |\n|--|--|\n| 1 | x |\n\n**Phase 1: A** a\n\n**Phase 2: C** c\n", nil, nil},
	"a list behind a table":  {"| Phase |\n|--|\n| A |\n| B |\n\n## Risks\n\n1. x\n2. x\n3. x\n", nil, nil},
	"a list of principles":   {"1. x\n2. x\n3. x\n\n" + twoPhases, nil, nil},
	"no gap":                 {"### Phase 0: A\n### Phase 1.1: B\n### Phase 1.2: C\n### Phase 2-4: D\n- Phase 3: x\n### Phase 5b: E\n", nil, nil},
	"a late start":           {"### Phase 3: A\n### Phase 4: B\n", nil, nil},
	"letters":                {"### Phase A: A\n#### Phase A1: x\n### Phase D: B\n## Phase 4: x\n", nil, nil},
	"more on a phase":        {"### Phase 1: A\n### Phase 2: B\n## Details\n### Phase 1: A\n### Phase Three: x\n", nil, nil},
	"what groups phases":     {"### Stage 1: x\n#### Phase 1: A\n### Stage 2: x\n#### Phase 2: B\n", nil, nil},
	"phases of groups":       {"### Backend\n- **Phase 1: A**\n### Frontend\n- **Phase 2: B**\n", nil, nil},
	"phases in waves":        {"1. **Wave 1:** A\n   - Phase 1: x\n2. **Wave 2:** B\n   - Phase 3: x\n", nil, nil},
	"a section in a section": {"### Phases\n\n1. A\n2. B\n\n### 7.1 Risks\n### 7.2 Notes\n", nil, nil},
	"notes behind a list":    {"1. A\n2. B\n\n### Notes\n\n1. x\n\n### 1. Risks\n", nil, nil},
}

func TestWhatLooksLikeAPhaseAndIsNotReadAsOneIsNamed(t *testing.T) {
	for name, c := range unreadPhases {
		t.Run(name, func(t *testing.T) {
			s := mustParse(t, "# Phase 7: Title\n## Success Criteria\n\n- a\n\n## Implementation Order\n"+c.section)
			if diff := cmp.Diff(c.want, said(s.Unread)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.too, said(s.Warnings)); diff != "" {
				t.Error(diff)
			}
			for _, w := range append(s.Unread, s.Warnings...) {
				if w.Hint == "" {
					t.Errorf("%v: it does not say what to do", w)
				}
			}
		})
	}
}

// TestTheCommentSilences ends each line that is named with the comment, or puts it below or above.
func TestTheCommentSilences(t *testing.T) {
	for name, c := range unreadPhases {
		t.Run(name, func(t *testing.T) {
			lines := strings.Split("# Phase 7: Title\n## Success Criteria\n\n- a\n\n## Implementation Order\n"+c.section, "\n")
			for range 3 { // a line that is silenced may leave the next one
				s, err := spec.Parse([]byte(strings.Join(lines, "\n")))
				if err != nil {
					return // it leaves no phases
				}
				for _, p := range s.Unread {
					end := strings.TrimSuffix(lines[p.Line-1], "|")
					lines[p.Line-1] = end + " <!-- not a phase -->" + lines[p.Line-1][len(end):]
				}
			}
			s, err := spec.Parse([]byte(strings.Join(lines, "\n")))
			if err == nil && len(s.Unread) > 0 {
				t.Errorf("still said: %q\n%s", said(s.Unread), strings.Join(lines, "\n"))
			}
		})
	}
}

// leftOver are forms of one more phase behind a section's last one.
var leftOver = []string{
	"### Phase %d: X", "#### Phase %d: X", "## Phase %d: X", "### Phase #%d: X", "### ~~Phase %d: X~~ (later)", "**Phase %d: X** x",
	"**Phase %d** — x", "- **Phase %d: X**", "- [ ] **Phase %d: X** x", "- Phase %d: X", "%[1]d. **Phase %[1]d: X**", "- x\n  - **Phase %d: X**",
	"Phase %d: X", "<details>\n\n- **Phase %d: X**\n\n</details>", "<details>\n**Phase %d: X**\n</details>", "| What |\n|--|\n| Phase %d: X |",
}

// TestOneMoreIsNeverReadAsIfItWereNotThere writes phases in one form, a text behind them, and one more in another form.
func TestOneMoreIsNeverReadAsIfItWereNotThere(t *testing.T) {
	forms := []string{"### Phase %d: N\n\n", "**Phase %d: N** n\n\n", "- **Phase %d: N** n\n", "%d. N\n", "| %d | N |\n"}
	texts := []string{"", "Text.\n\n", "### Notes\n\n", "1. x\n2. x\n\n", "**Step 1:** x\n\n", "```\n### Phase 9: X\n```\n\n"}
	for _, form := range forms {
		head := map[bool]string{true: "| Phase | Name |\n|--|--|\n"}[form[0] == '|']
		for n := range 12 {
			phases := ""
			for i := range n + 1 {
				phases += fmt.Sprintf(form, i+1)
			}
			for _, text := range texts {
				for _, more := range leftOver {
					src := "# T\n\n## Implementation Order\n\n" + head + phases + "\n" + text + fmt.Sprintf(more, n+2) + "\n"
					if s, err := spec.Parse([]byte(src)); err == nil && len(s.Unread) == 0 && len(s.Phases) <= n+1 {
						t.Errorf("read as %d phases\n%s", len(s.Phases), src)
					}
				}
			}
		}
	}
}
