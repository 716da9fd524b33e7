package spec_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/spec"
	"autopilot/spec/markdown"
)

const order = "## Implementation Order\n\n"

func TestComplexityIsReadWhereverItStands(t *testing.T) {
	for name, c := range map[string]struct {
		phase string
		want  spec.Complexity
	}{
		"on the heading":          {"### Phase 1: One <!-- complexity: low -->\n", spec.Low},
		"on an underlined one":    {"Phase 1: One <!-- complexity: low -->\n---\n", spec.Low},
		"below it":                {"### Phase 1: One\n<!-- complexity: high -->\nText\n", spec.High},
		"after a blank line":      {"### Phase 1: One\n\n<!--complexity:HIGH-->\n", spec.High},
		"at a paragraph's end":    {"### Phase 1: One\n\nText.\nMore. <!-- Complexity: Low -->\n", spec.Low},
		"on several lines":        {"### Phase 1: One\n\n<!--\n  complexity: low\n-->\n", spec.Low},
		"behind another comment":  {"### Phase 1: One\n\n<!-- a --><!-- complexity: low -->\n", spec.Low},
		"in a list":               {"### Phase 1: One\n\n- a\n  - b <!-- complexity: low -->\n", spec.Low},
		"inside other HTML":       {"### Phase 1: One\n\n<details>\n<!-- complexity: low -->\n</details>\n", spec.Low},
		"the first one counts":    {"### Phase 1: One\n\n<!-- complexity: low -->\n\n<!-- complexity: high -->\n", spec.Low},
		"on a list item":          {"1. **One** <!-- complexity: high -->\n", spec.High},
		"on a bold paragraph":     {"**Phase 1: One** <!-- complexity: high -->\n", spec.High},
		"not in a fence":          {"### Phase 1: One\n\n```\n<!-- complexity: low -->\n```\n", ""},
		"not in code":             {"### Phase 1: One\n\n`<!-- complexity: low -->`\n", ""},
		"not in indented code":    {"### Phase 1: One\n\n    <!-- complexity: low -->\n", ""},
		"not of another section":  {"### Phase 1: One\n\n### Notes\n\n<!-- complexity: low -->\n", ""},
		"not as a word":           {"### Phase 1: One (high)\n\ncomplexity: low\n", ""},
		"not from other comments": {"### Phase 1: One\n\n<!-- no complexity: low -->\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustParse(t, "# Implementation Order\n\n"+c.phase).Phases[0]
			want, explicit := c.want, c.want != ""
			if !explicit {
				want = spec.Medium
			}
			if p.Complexity != want || p.Explicit != explicit {
				t.Errorf("got %s %v, want %s %v", p.Complexity, p.Explicit, want, explicit)
			}
		})
	}
}

func TestBodiesEndWhereThePhaseEnds(t *testing.T) {
	for name, c := range map[string]struct {
		section string
		want    []string
	}{
		"headings": {
			"### Phase 1: One\n\nText `a`.\n\n#### Inner\n\n- [ ] x\n\n\n### Phase 2: Two\n### Notes\nno\n",
			[]string{"Text `a`.\n\n#### Inner\n\n- [ ] x", ""},
		},
		"underlined":                   {"Phase 1: One\n---\nText\n\nPhase 2: Two\n---\n\tcode\n", []string{"Text", "\tcode"}},
		"a list right below a heading": {"### Phase 1: One\n- a\n- b\n", []string{"- a\n- b"}},
		"bold": {
			"**Phase 1: One** — a\nb\n\n1. c\n\n**Phase 2:** Two\n\n### Notes\n\nno\n",
			[]string{"a\nb\n\n1. c", "Two"},
		},
		"items":     {"- **Phase 1 — One.** a\n  b\n- other\n- **Phase 2: Two**\n  - c\n\nno\n", []string{"a\n  b", "  - c"}},
		"ordered":   {"1. **One** — a\n2. B `b`\n   - c\n\nno\n", []string{"a", "B `b`\n   - c"}},
		"split":     {"1. A\n\n```\nx\n```\n\n2. B\n\nno\n", []string{"A\n\n```\nx\n```", "B"}},
		"table row": {"| Step | What |\n|--|--|\n| 1 | A |\n| 2 | B |\n", []string{"| Step | What |\n|--|--|\n| 1 | A |", "| Step | What |\n|--|--|\n| 2 | B |"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, p := range mustParse(t, "# Implementation Order\n\n"+c.section+"\n# Next\n\nmore\n").Phases {
				got = append(got, p.Body)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatCannotBeReadIsRefusedWithLineAndRemedy(t *testing.T) {
	for name, c := range map[string]struct {
		src     string
		line    int
		message string
	}{
		"empty":            {" \n\t\n", 1, "empty"},
		"only a mark":      {"\xef\xbb\xbf", 1, "empty"},
		"not UTF-8":        {"# A\n\nb\xff\n", 3, "UTF-8"},
		"too large":        {strings.Repeat("a", 5_000_001), 1, "5000001 bytes"},
		"no section":       {"# A\n\n## B\n", 1, `headings found: "A", "B"`},
		"no heading":       {"text\n", 1, "headings found: none"},
		"many headings":    {strings.Repeat("## x\n", 25), 1, "and 5 more"},
		"a plan":           {"# Widget Implementation Plan\n\n## Goal\n\n### Task 1: A\n", 5, `"Task 1: A" is a task`},
		"only mentioned":   {"# A\n\n## Notes on the Implementation Order\n\n### Phase 1: One\n", 3, "only mentions"},
		"no phases":        {"# A\n\n" + order + "### Notes\n", 3, "lists no phases"},
		"only a diagram":   {order + "```\nPhase 1 → Phase 2\n```\n\nProse.\n", 1, "lists no phases"},
		"only Phase words": {order + "### Phase Boundaries\n", 1, "lists no phases"},
		"two sections":     {order + "### Phase 1: A\n\n" + order + "### Phase 1: B\n", 5, "lines 1 and 5"},
		"equal numbers":    {order + "### Phase 1a: A\n### Phase 1A: B\n", 4, "phase 1A is also on line 3"},
		"no name":          {order + "1. A\n2.\n", 4, "no name"},
		"complexity":       {order + "### Phase 1: A\n\n<!-- complexity: tiny -->\n", 5, `"tiny" is not known`},
		"a draft plan":     {"## Implementation Plan\n\nProse.\n", 1, "lists no phases"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := spec.Parse([]byte(c.src))
			var parse *markdown.ParseError
			if !errors.As(err, &parse) {
				t.Fatalf("got %v", err)
			}
			p := parse.Problems[0]
			if len(parse.Problems) != 1 || p.Line != c.line || !strings.Contains(p.Message, c.message) || p.Hint == "" {
				t.Errorf("got %+v", parse.Problems)
			}
		})
	}
}

func TestAllProblemsAreNamedAtOnce(t *testing.T) {
	_, err := spec.Parse([]byte(order + "### Phase 1: A\n<!-- complexity: x -->\n### Phase 1: B\n<!-- complexity: y -->\n"))
	want := "line 4: the complexity \"x\" is not known (write low, medium or high)\n" +
		"line 5: phase 1 is also on line 3 (give each phase its own number)\n" +
		"line 6: the complexity \"y\" is not known (write low, medium or high)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if got := (markdown.Problem{Line: 2, Message: "m"}).String(); got != "line 2: m" {
		t.Errorf("got %q", got)
	}
}

func TestLineEndsAndByteOrderMarkDoNotMatter(t *testing.T) {
	src := "---\nstatus: draft\n---\n# T\n\nImplementation Order\n---\n\n### Phase 1: A\n\n<!--\ncomplexity: low\n-->\n\nText\n\n### Phase 2: B\n"
	want := mustParse(t, src)
	for name, other := range map[string]string{
		"windows": strings.ReplaceAll(src, "\n", "\r\n"),
		"old mac": strings.ReplaceAll(src, "\n", "\r"),
		"mark":    "\xef\xbb\xbf" + src,
		"no end":  strings.TrimRight(src, "\n"),
	} {
		got := mustParse(t, other)
		if got.SHA256 == want.SHA256 {
			t.Errorf("%s: the hash of the bytes is the same", name)
		}
		got.SHA256 = want.SHA256
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if want.Phases[0].Line != 9 || want.Status != "draft" || want.Title != "T" {
		t.Errorf("got %+v", want)
	}
}

func TestHashIgnoresWhatIsNoChange(t *testing.T) {
	base := "### Phase 1: One\n\nText.\n\n- [ ] a\n- [x] b\n"
	hash := func(phase string) string { return mustParse(t, order+phase).Phases[0].SHA256 }
	for name, same := range map[string]string{
		"boxes":      "### Phase 1: One\n\nText.\n\n- [x] a\n- [ ] b\n",
		"space":      "### Phase 1: One  \n\n\nText.\t\n\n- [ ] a\n- [x] b\n\n\n",
		"complexity": "### Phase 1: One <!-- complexity: low -->\n\n<!-- complexity: low -->\n\nText. <!-- complexity: high -->\n\n- [ ] a\n- [x] b\n",
		"no phase":   "### Phase 1: One\n\nText.\n\n- [ ] a\n- [x] b\n<!-- not a phase -->\n",
		"separator":  "### Phase 2 — One\n\nText.\n\n- [ ] a\n- [x] b\n",
	} {
		if hash(same) != hash(base) {
			t.Errorf("%s: counts as a change", name)
		}
	}
	for name, other := range map[string]string{
		"name":        "### Phase 1: Other\n\nText.\n\n- [ ] a\n- [x] b\n",
		"word":        "### Phase 1: One\n\nText!\n\n- [ ] a\n- [x] b\n",
		"indentation": "### Phase 1: One\n\nText.\n\n- [ ] a\n  - [x] b\n",
	} {
		if hash(other) == hash(base) {
			t.Errorf("%s: does not count as a change", name)
		}
	}
}

func TestTitleStatusAndCriteriaAreRead(t *testing.T) {
	phases := order + "1. A\n2. B\n"
	for name, c := range map[string]struct {
		src           string
		title, status string
		criteria      []string
	}{
		"plain": {
			"# My *spec*\n\n**Status:** Draft | **Date:** today\n\n## 3. Success Criteria\n\n- [ ] a `b`\n- c\n  - d\n\n### More\n\n1. e\n\n" + phases,
			"My spec", "Draft",
			[]string{"a b", "c d", "e"},
		},
		"front matter":  {"---\ntitle: \"T: x\"\nstatus: approved\nlist:\n  - a: b\n---\n" + phases, "T: x", "approved", nil},
		"quoted line":   {"# T\n\n> Status: proposed\n\n" + phases, "T", "proposed", nil},
		"among others":  {"# T\n\nDate: x\nStatus: done\n\n" + phases, "T", "done", nil},
		"too late":      {"# T\n\n## A\n\nStatus: done\n\n" + phases, "T", "", nil},
		"first heading": {"---\n\ntext\n\n---\n\n" + phases, "Implementation Order", "", nil},
		"fenced":        {"# T\n\n```\n## Success Criteria\n- no\n```\n\n## Success criteria\n\nText\n\n## Success Criteria\n\n- yes\n\n" + phases, "T", "", []string{"yes"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := mustParse(t, c.src)
			if s.Title != c.title || s.Status != c.status {
				t.Errorf("got %q, %q", s.Title, s.Status)
			}
			if diff := cmp.Diff(c.criteria, s.Criteria); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDoubtsAreSaidAndStopNothing(t *testing.T) {
	const good = "## Success Criteria\n\n- a\n\n" + order + "### Phase 1: A\n### Phase 2: B\n"
	for name, c := range map[string]struct {
		src     string
		line    int
		message string
	}{
		"draft":          {"Status: DRAFT\n\n" + good, 1, "status"},
		"no criteria":    {order + "1. A\n2. B\n", 1, "no success criteria"},
		"open fence":     {good + "\n```sh\nx\n### Phase 3: C\n", 10, "fence is not closed"},
		"empty fence":    {good + "\n~~~", 10, "fence is not closed"},
		"open comment":   {good + "\n<!-- x\n### Phase 3: C\n", 10, "comment is not closed"},
		"second comment": {good + "<!-- complexity: low -->\n\n<!-- complexity: high -->\n", 11, `"high" belongs to no phase`},
		"no colon":       {good + "<!-- complexity = high -->\n", 9, `"<!-- complexity = high -->" is not read`},
		"loose comment":  {good + "### Notes\n<!-- complexity: odd -->\n", 10, `"odd" belongs to no phase`},
	} {
		t.Run(name, func(t *testing.T) {
			w := mustParse(t, c.src).Warnings
			if len(w) != 1 || w[0].Line != c.line || !strings.Contains(w[0].Message, c.message) || w[0].Hint == "" {
				t.Errorf("got %+v", w)
			}
		})
	}
	for _, src := range []string{good, good + "<!-- complexity of the whole -->\n", good + "\n```sh\nx\n```\n", good + "\n~~~\nx\n~~~", good + "\n<!-- x\n-->\n"} {
		if w := mustParse(t, src).Warnings; len(w) != 0 {
			t.Errorf("got %+v for\n%s", w, src)
		}
	}
}

func TestLargeDocumentsAreReadToTheEnd(t *testing.T) {
	done := make(chan error, 1)
	go func() {
		for _, part := range []string{"**Phase 1:** a\n\n", "- [ ] **b** `c`\n\n", "1. d\n\ntext\n\n", "<!-- complexity: low -->\n\n"} {
			src := []byte(order + strings.Repeat(part, 400_000/len(part)) + "\n### Phase 1: A\n")
			if _, err := spec.Parse(src); err != nil {
				done <- err
			}
		}
		close(done)
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("400 kB take more than a minute: some step is not linear")
	}
}

func BenchmarkParseTwoThousandLines(b *testing.B) {
	src := []byte(order + strings.Repeat("1. **Name** text\n   - [ ] more `code`\n", 900) + "\n" + strings.Repeat("Text.\n\n", 100))
	for b.Loop() {
		if _, err := spec.Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}
