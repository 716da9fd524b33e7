package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/spec"
)

// summary is each phase as "number|name|complexity|line"; a complexity that the
// spec does not name has a "?".
func summary(s *spec.Spec) []string {
	var all []string
	for _, p := range s.Phases {
		complexity := string(p.Complexity)
		if !p.Explicit {
			complexity += "?"
		}
		all = append(all, fmt.Sprintf("%s|%s|%s|%d", p.Number, p.Name, complexity, p.Line))
	}
	return all
}

func mustParse(t *testing.T, src string) *spec.Spec {
	t.Helper()
	s, err := spec.Parse([]byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return s
}

// phaseForms are sections, and the phases that they hold: number, name, complexity, line.
var phaseForms = map[string]struct {
	section string
	want    []string
}{
	"headings with colon, dashes, parenthesis": {
		"### Phase 1: One\n\n### Phase 2a — Two\n\n### Phase 3.1 – Three\n\n### phase B - Four.\n\n### Phase 5 (later): Five (small)\n",
		[]string{"1|One|medium?|3", "2a|Two|medium?|5", "3.1|Three|medium?|7", "B|Four|medium?|9", "5|Five (small)|medium?|11"},
	},
	"underlined headings": {
		"Phase 1: One\n---\n\nText.\n\nPhase 2: Two\n---\n",
		nil,
	},
	"other words": {
		"### Step 1: A\n### Wave 2: B\n### Stage 3: C\n### Sub-phase 4: D\n### Milestone 5: E\n### Week 6-7: F\n",
		[]string{"1|A|medium?|3", "2|B|medium?|4", "3|C|medium?|5", "4|D|medium?|6", "5|E|medium?|7", "6-7|F|medium?|8"},
	},
	"phases outrank steps": {
		"### Step 0: Prepare\n\n### Phase 1: One\n\n### Phase Boundaries\n\n### Step 9: Clean up\n",
		[]string{"1|One|medium?|5"},
	},
	"outline numbers, ticks and roman numbers": {
		"### 4.1 Phase I: One\n### ✅ Phase II: Two\n### [x] Phase III: Three\n",
		[]string{"I|One|medium?|3", "II|Two|medium?|4", "III|Three|medium?|5"},
	},
	"a name in parentheses, and none": {
		"### Phase 1 (Core)\n### Phase 2\n",
		[]string{"1|Core|medium?|3", "2|Phase 2|medium?|4"},
	},
	"markup in names": {
		"### Phase 1: Use `a_b` in [the *docs*](x.md) &amp; \\_more\\_ <b>now</b>\n",
		[]string{"1|Use a_b in the docs & _more_ now|medium?|3"},
	},
	"deeper phases are part of a phase": {
		"### Phase 1: One\n#### Phase 1.1: Inner\n### Phase 2: Two\n",
		[]string{"1|One|medium?|3", "2|Two|medium?|5"},
	},
	"phases below milestones": {
		"### Milestone 1: M\n#### Phase 1: One\n### Milestone 2: N\n#### Phase 2: Two\n",
		[]string{"1|One|medium?|4", "2|Two|medium?|6"},
	},
	"bold paragraphs": {
		"**Phase 1 — One.** Text.\n\n**Phase 2:** Two of them\n\n**Phase 3 (future): Three**\n\n**Wrap-up:** x\n",
		[]string{"1|One|medium?|3", "2|Two of them|medium?|5", "3|Three|medium?|7"},
	},
	"bold lines of one paragraph": {
		"**Phase 1: One** — a\n**Phase 2** (b): Two\n**Phase 3**\n",
		[]string{"1|One|medium?|3", "2|Two|medium?|4", "3|Phase 3|medium?|5"},
	},
	"sentences that begin with a label are no phases": {
		"**Phase 1** creates it.\n\n**Phase 2** fills it.\n\n1. A\n2. B\n",
		[]string{"1|A|medium?|7", "2|B|medium?|8"},
	},
	"a name in parentheses before a remark": {
		"1. **Step 2** (path helper) — no deps, can go first\n2. **Step 1** (later) — State\n3. **Step 3** (2 days of work) — Rest\n4. **Step 4** (the rest): All\n",
		[]string{"2|path helper|medium?|3", "1|State|medium?|4", "3|Rest|medium?|5", "4|All|medium?|6"},
	},
	"what is said to be no phase": {
		"### Phase 1: A\n### Phase 2: B <!-- not a phase -->\n\n<!-- Not a phase: later -->\n### Phase 3: C\n### Phase 4: D\n\n<!-- not a phase -->\n\n### Phase 5: E\n",
		[]string{"1|A|medium?|3", "5|E|medium?|12"},
	},
	"comments between phases": {
		"### Phase 1: A\n\n<!-- not a phase -->\n\n### Phase 2: B\n\nText.\n<!-- not a phase -->\n### Phase 3: C\n\nText.\n\n<!-- not a phase -->\n\n### Phase 4: D\n<!-- complexity: low -->\n\n### Phase 5: E\n<!-- complexity: low -->\n<!-- not a phase -->\n",
		[]string{"2|B|medium?|7"},
	},
	"items that are said to be no phases": {
		"1. A\n2. B <!-- not a phase -->\n3. C\n   <!-- not a phase -->\n4. D\n",
		[]string{"1|A|medium?|3", "4|D|medium?|7"},
	},
	"labelled items beat their ordinals": {
		"1. Preparation\n2. **Phase 1 — One.** a\n3. [ ] **Phase 1b**: Two\n4. Phase 2: Three\n",
		[]string{"1|One|medium?|4", "1b|Two|medium?|5", "2|Three|medium?|6"},
	},
	"bullets": {
		"* **Wave 1** first things\n* **Wave 2 - Second**\n",
		[]string{"1|first things|medium?|3", "2|Second|medium?|4"},
	},
	"an ordered list": {
		"Intro.\n\n1. **Lead** — text\n2. Plain `code`;\n   more\n3. [ ] **Ticked**\n",
		[]string{"1|Lead|medium?|5", "2|Plain code; more|medium?|6", "3|Ticked|medium?|8"},
	},
	"an ordered list of ones counts": {
		"1. A\n1. B\n1. C\n",
		[]string{"1|A|medium?|3", "2|B|medium?|4", "3|C|medium?|5"},
	},
	"an ordered list keeps its numbers": {
		"2) A\n3) B\n7) C\n",
		[]string{"2|A|medium?|3", "3|B|medium?|4", "7|C|medium?|5"},
	},
	"an ordered list that is split by text goes on": {
		"1. A\n\n```sh\nx\n```\n\n2. B\n\nRisks:\n\n1. Not this\n",
		[]string{"1|A|medium?|3", "2|B|medium?|9"},
	},
	"nested lists are text": {
		"1. A\n   1. inner\n   2. inner\n2. B\n   - Phase 9: no\n",
		[]string{"1|A|medium?|3", "2|B|medium?|6"},
	},
	"items that start with a heading": {
		"1. ### A\n2. ### B\n",
		[]string{"1|A|medium?|3", "2|B|medium?|4"},
	},
	"a table": {
		"| Phase | Files | Description |\n|---|---|---|\n| **A1** | x | Do `a` |\n| A2 | y | Do b <!-- complexity: low --> |\n",
		[]string{"A1|Do a|medium?|5", "A2|Do b|low|6"},
	},
	"a table whose phase column holds both": {
		"| Step | Note |\n|---|---|\n| 1: One | x |\n| Phase 2 — Two | y |\n| 3 | Three |\n",
		[]string{"1|One|medium?|5", "2|Two|medium?|6", "3|Three|medium?|7"},
	},
	"a table whose phase column holds names": {
		"| # | Phase |\n|---|---|\n| 1 | One |\n| 2 | Two |\n",
		[]string{"1|One|medium?|5", "2|Two|medium?|6"},
	},
	"a table before a list": {
		"| Phase |\n|---|\n| One |\n| Two |\n\n1. Remark\n",
		[]string{"1|One|medium?|5", "2|Two|medium?|6"},
	},
	"headings outrank an overview": {
		"1. **Phase 1 — Short**\n\n| Phase |\n|---|\n| 1 |\n\n### Phase 1: Long\n",
		[]string{"1|Long|medium?|9"},
	},
}

func TestEachFormOfPhasesIsRead(t *testing.T) {
	for name, c := range phaseForms {
		t.Run(name, func(t *testing.T) {
			src := "## Implementation Order\n\n" + c.section
			if c.want == nil {
				src = "# Implementation Order\n\n" + c.section
				c.want = []string{"1|One|medium?|3", "2|Two|medium?|8"}
			}
			if diff := cmp.Diff(c.want, summary(mustParse(t, src))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEachSpellingOfTheSectionIsFound(t *testing.T) {
	for _, heading := range []string{
		"## Implementation Order", "#### IMPLEMENTATION ORDER", "## 7. Implementation Order", "## 7.2 Implementation order:",
		"## Section 7: Implementation Order", "## Recommended Implementation Order (phased)", "Implementation Order\n===",
		"## **Implementation Order**", "## Implementation phases", "## Implementation Plan (draft)", "## 3. Phases",
	} {
		s := mustParse(t, "# Title\n\n"+heading+"\n\n- **Phase 1: One**\n\n# Next\n\n- **Phase 2: Two**\n")
		if len(s.Phases) != 1 || s.Phases[0].Name != "One" {
			t.Errorf("%q: got %+v", heading, s.Phases)
		}
	}
}

func TestSectionsStandInForEachOther(t *testing.T) {
	list := "\n\n### Phase 1: One\n\n"
	for name, src := range map[string]string{
		"the proper section wins":               "## Phases\n\n### Phase 9: No\n\n## Implementation Order" + list,
		"an empty plan gives way to phases":     "## Implementation Plan\n\nProse.\n\n## Phases" + list,
		"phases inside a plan are not a second": "# Implementation Plan\n\n## Phases" + list,
		"top-level phases":                      "# Title\n\n## Phase 1: One\n\n## Notes\n",
		"a fenced example is no section":        "```markdown\n## Implementation Order\n### Phase 8: No\n```\n\n## Implementation Order" + list,
		"a quoted example is no section":        "> ## Implementation Order\n> ### Phase 8: No\n\n## Implementation Order" + list,
		"a commented section is no section":     "<!--\n## Implementation Order\n### Phase 8: No\n-->\n\n## Implementation Order" + list,
		"an indented example is no section":     "Text:\n\n    ## Implementation Order\n\n## Implementation Order" + list,
		"a heading that mentions the words":     "## On the Implementation Order\n\nText.\n\n## Implementation Order" + list,
		"front matter is no heading":            "---\ntitle: x\nimplementation order: y\n---\n\n## Implementation Order" + list,
	} {
		if got := summary(mustParse(t, src)); len(got) != 1 || !strings.HasPrefix(got[0], "1|One|") {
			t.Errorf("%s: got %v", name, got)
		}
	}
	titles := mustParse(t, "# Phase 1: A\n\n# Phase 2: B\n")
	if len(titles.Phases) != 2 {
		t.Errorf("top headings: got %v", summary(titles))
	}
}
