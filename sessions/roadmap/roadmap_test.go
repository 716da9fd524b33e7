package roadmap

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const csvSpec = "docs/changes/csv/proposal.md"

var syncTime = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// roadmapVariants are forms of roadmaps: what a feature of csvSpec becomes when it is done, or why it stays as it is.
// started is what it becomes at in-progress, where that differs from the old text.
var roadmapVariants = map[string]struct {
	text, old, started, done, why string
}{
	"list under a heading": {
		text: "# Roadmap\n\n## MVP\n\n### CSV\n\n- **Status:** planned\n- **Spec:** docs/changes/csv/proposal.md\n- **Summary:** —\n",
		old:  "planned", started: "in-progress", done: "done",
	},
	"spec before status": {
		text: "### CSV\n- **Spec:** docs/changes/csv/proposal.md\n- **Status:** backlog\n", old: "backlog", started: "in-progress", done: "done",
	},
	"no line end at the end": {text: "### CSV\n- **Spec:** docs/changes/csv/proposal.md\n- **Status:** planned", old: "planned", started: "in-progress", done: "done"},
	"CRLF and blanks at the ends": {
		text: "### CSV\r\n\r\n- **Status:** planned  \r\n- **Spec:** docs/changes/csv/proposal.md  \r\n", old: "planned", started: "in-progress", done: "done",
	},
	"a byte order mark":     {text: "\ufeff### CSV\n- **Status:** planned\n- **Spec:** docs/changes/csv/proposal.md\n", old: "planned", started: "in-progress", done: "done"},
	"colon behind the bold": {text: "### CSV\n* **Status**: Planned\n* **Spec**: `docs/changes/csv/proposal.md`\n", old: "Planned", started: "In Progress", done: "Done"},
	"plain keys":            {text: "## CSV\n- Status: todo\n- Spec: ./docs/changes/csv/proposal.md\n", old: "todo", started: "in-progress", done: "done"},
	"bold paragraphs":       {text: "## CSV\n\n**Status:** TODO\n**Spec:** [text](changes/csv/proposal.md)\n", old: "TODO", started: "IN PROGRESS", done: "DONE"},
	"a link from the root":  {text: "### CSV\n- **Status:** planned\n- **Spec:** [docs/changes/csv/proposal.md](/docs/changes/csv/proposal.md#goal)\n", old: "planned", started: "in-progress", done: "done"},
	"a link to the host": {
		text: "### CSV\n- **Status:** planned\n- **Spec:** https://github.com/o/r/blob/main/docs/changes/csv/proposal.md\n", old: "planned", started: "in-progress", done: "done",
	},
	"the file's own words": {
		text: "### A\n- **Status:** ✅ Shipped\n- **Spec:** a.md\n### B\n- **Status:** 🚧 Doing\n- **Spec:** b.md\n### CSV\n- **Status:** ⏳ Planned\n- **Spec:** docs/changes/csv/proposal.md\n",
		old:  "⏳ Planned", started: "🚧 Doing", done: "✅ Shipped",
	},
	"the separator of another status": {
		text: "### A\n- **Status:** not_started\n- **Spec:** a.md\n### CSV\n- **Status:** planned\n- **Spec:** docs/changes/csv/proposal.md\n",
		old:  " planned", started: " in_progress", done: " done",
	},
	"a note behind the status": {
		text: "### CSV\n- **Status:** `planned` (for the autumn)\n- **Spec:** docs/changes/csv/proposal.md\n", old: "`planned` (", started: "`in-progress` (", done: "`done` (",
	},
	"no status yet":                {text: "### CSV\n- **Status:**\n- **Spec:** docs/changes/csv/proposal.md\n", old: "Status:**", started: "Status:** in-progress", done: "Status:** done"},
	"no status yet in a paragraph": {text: "## CSV\n\n**Status:**\n**Spec:** docs/changes/csv/proposal.md\n", old: "Status:**", started: "Status:** in-progress", done: "Status:** done"},
	"the lines of an item":         {text: "# Roadmap\n\n- CSV\n  **Status:** planned\n  **Spec:** docs/changes/csv/proposal.md\n- B\n", old: "planned", started: "in-progress", done: "done"},
	"a dash as status":             {text: "### CSV\n- **Status:** —\n- **Spec:** docs/changes/csv/proposal.md\n", old: "—", started: "in-progress", done: "done"},
	"under way": {
		text: "### CSV\n- **Status:** In Progress\n- **Spec:** docs/changes/csv/proposal.md\n", old: "In Progress", started: "In Progress", done: "Done",
	},
	"blocked gives way to done only": {text: "### CSV\n- **Status:** blocked\n- **Spec:** docs/changes/csv/proposal.md\n", old: "blocked", started: "blocked", done: "done"},
	"done stays":                     {text: "### CSV\n- **Status:** done\n- **Spec:** docs/changes/csv/proposal.md\n", old: "done", started: "done", done: "done"},
	"dropped stays":                  {text: "### CSV\n- **Status:** Cancelled\n- **Spec:** docs/changes/csv/proposal.md\n", old: "Cancelled", started: "Cancelled", done: "Cancelled"},
	"nested lists": {
		text: "## MVP\n\n- CSV\n  - Status: planned\n  - Spec: docs/changes/csv/proposal.md\n- Other\n  - Status: open\n  - Spec: docs/other.md\n",
		old:  "planned", started: "in-progress", done: "done",
	},
	"bold lines between lists": {
		text: "**Other**\n\n- Status: open\n- Spec: docs/other.md\n\n**CSV**\n\n- Status: planned\n- Spec: docs/changes/csv/proposal.md\n",
		old:  "planned", started: "in-progress", done: "done",
	},
	"underlined headings": {
		text: "Other\n-----\n- Status: open\n- Spec: docs/other.md\n\nCSV\n---\n- Status: planned\n- Spec: docs/changes/csv/proposal.md\n",
		old:  "planned", started: "in-progress", done: "done",
	},
	"a list below a field": {
		text: "### CSV\n- **Status:** planned\n- **Blockers:**\n  - **Status:** open\n- **Spec:** docs/changes/csv/proposal.md\n", old: "planned", started: "in-progress", done: "done",
	},
	"examples in fences and comments": {
		text: "# Form\n\n```md\n### X\n- **Status:** planned\n- **Spec:** docs/changes/csv/proposal.md\n```\n\n<!--\n### Y\n- **Status:** planned\n- **Spec:** docs/changes/csv/proposal.md\n-->\n\n    - **Status:** planned\n    - **Spec:** docs/changes/csv/proposal.md\n\n> - **Status:** planned\n> - **Spec:** docs/changes/csv/proposal.md\n\n### CSV\n- **Status:** open\n- **Spec:** docs/changes/csv/proposal.md\n",
		old:  "open", started: "in-progress", done: "done",
	},
	"front matter": {
		text: "---\nproject: x\nlast_synced: 2026-01-01T00:00:00.000Z\n---\n### CSV\n- **Status:** planned\n- **Spec:** docs/changes/csv/proposal.md\n",
		old:  "2026-01-01T00:00:00.000Z\n---\n### CSV\n- **Status:** planned", started: "2026-03-04T05:06:07.000Z\n---\n### CSV\n- **Status:** in-progress",
		done: "2026-03-04T05:06:07.000Z\n---\n### CSV\n- **Status:** done",
	},
	"front matter with a quoted day": {
		text: "---\nlast_synced: '2026-01-01'\n---\n### CSV\n- **Status:** planned\n- **Spec:** docs/changes/csv/proposal.md\n",
		old:  "2026-01-01'\n---\n### CSV\n- **Status:** planned", started: "2026-03-04'\n---\n### CSV\n- **Status:** in-progress", done: "2026-03-04'\n---\n### CSV\n- **Status:** done",
	},
	"a table": {
		text: "| Feature | Spec | Status |\n|---|---|---|\n| CSV | docs/changes/csv/proposal.md | planned |\n| B | b.md | in progress |\n",
		old:  "planned", started: "in progress", done: "done",
	},
	"a table that keeps its bars in line": {
		text: "| Status      | Spec                         |\n|:------------|:-----------------------------|\n| Planned     | docs/changes/csv/proposal.md |\n",
		old:  "| Planned     |", started: "| In Progress |", done: "| Done        |",
	},
	"a table without outer bars": {text: "Spec | Status\n--- | ---\n`docs/changes/csv/proposal.md` | **Not Started**\n", old: "**Not Started**", started: "**In Progress**", done: "**Done**"},
	"a table with an escaped bar and an empty cell": {
		text: "| Feature | Status | Spec |\n|-|-|-|\n| a \\| b | | [CSV](changes/csv/proposal.md) |\n", old: "b | |", started: "b | in-progress |", done: "b | done |",
	},
	"a table and a list of one feature": {
		text: "| Spec | Status |\n|-|-|\n| docs/changes/csv/proposal.md | planned |\n\n### CSV\n- **Status:** done\n- **Spec:** docs/changes/csv/proposal.md\n",
		old:  "| planned |", started: "| in-progress |", done: "| done |",
	},

	"no such feature":         {text: "### B\n- **Status:** planned\n- **Spec:** docs/b.md\n", why: "no feature names " + csvSpec},
	"only prose":              {text: "CSV is next: docs/changes/csv/proposal.md, Status: planned\n", why: "no feature names"},
	"a fence that stays open": {text: "```\n### CSV\n- **Status:** planned\n- **Spec:** docs/changes/csv/proposal.md\n", why: "no feature names"},
	"a status of one's own": {
		text: "### CSV\n- **Status:** done when the tests pass\n- **Spec:** docs/changes/csv/proposal.md\n", why: `line 2: the feature of ` + csvSpec + ` cannot be updated: its status "done when the tests pass" is not understood`,
	},
	"a picture as status":    {text: "| Spec | Status |\n|-|-|\n| docs/changes/csv/proposal.md | 🔴 |\n", why: "line 3"},
	"no status":              {text: "### CSV\n- **Spec:** docs/changes/csv/proposal.md\n", why: "it has no status"},
	"two statuses":           {text: "### CSV\n- **Status:** planned\n- **Status:** done\n- **Spec:** docs/changes/csv/proposal.md\n", why: "several statuses"},
	"two specs fields":       {text: "### CSV\n- **Status:** planned\n- **Spec:** docs/changes/csv/proposal.md\n- **Spec:** b.md\n", why: "several specs fields"},
	"a table without status": {text: "| Feature | Spec |\n|-|-|\n| CSV | docs/changes/csv/proposal.md |\n", why: "no column Status"},
	"two columns of status":  {text: "| Status | State | Spec |\n|-|-|-|\n| planned | open | docs/changes/csv/proposal.md |\n", why: "several columns Status"},
	"a short row":            {text: "| Spec | Status |\n|-|-|\n| docs/changes/csv/proposal.md |\n", why: "no cell for the status"},
}

func TestRoadmapsOfAllFormsAreRaisedAndElseKept(t *testing.T) {
	for name, v := range roadmapVariants {
		t.Run(name, func(t *testing.T) {
			road := parsedRoadmap(t, v.text)
			for to, want := range map[RoadmapStatus]string{Planned: v.old, InProgress: v.started, Finished: v.done} {
				got, changes, problems := road.Raise(map[string]RoadmapStatus{csvSpec: to}, syncTime)
				if v.why != "" {
					if len(problems) != 1 || !strings.Contains(problems[0].Error(), v.why) {
						t.Errorf("the problems are %v, not %q", problems, v.why)
					}
					want = v.old
				} else if len(problems) > 0 {
					t.Errorf("there are problems: %v", problems)
				}
				wanted := lastReplaced(v.text, v.old, want)
				if diff := cmp.Diff(wanted, string(got)); diff != "" {
					t.Errorf("raised to %d (-want +got):\n%s", to, diff)
				}
				if (len(changes) > 0) != (wanted != v.text) {
					t.Errorf("raised to %d, the changes are %+v", to, changes)
				}
				again, changes, _ := parsedRoadmap(t, string(got)).Raise(map[string]RoadmapStatus{csvSpec: to}, syncTime.Add(time.Hour))
				if string(again) != string(got) || len(changes) > 0 {
					t.Errorf("raised to %d a second time, it changes again: %+v", to, changes)
				}
				low, _, _ := parsedRoadmap(t, string(got)).Raise(map[string]RoadmapStatus{csvSpec: Planned}, syncTime)
				if string(low) != string(got) {
					t.Error("a status was lowered")
				}
			}
		})
	}
	if len(roadmapVariants) < 30 {
		t.Errorf("there are %d variants only", len(roadmapVariants))
	}
}

// lastReplaced puts want in the place of the last old.
func lastReplaced(text, old, want string) string {
	i := strings.LastIndex(text, old)
	if first := strings.Index(text, old); strings.Contains(text[first:], "docs/other.md") {
		i = first // where another feature follows
	}
	if strings.Contains(text, "| planned |\n\n### CSV") {
		i = strings.Index(text, old)
	}
	return text[:i] + want + text[i+len(old):]
}

func parsedRoadmap(t *testing.T, text string) *Roadmap {
	t.Helper()
	road, err := ParseRoadmap([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return road
}

func TestFeatureOfSeveralSpecsIsDoneWithTheLast(t *testing.T) {
	text := "### A\n- **Status:** planned\n- **Spec:** [one](a.md), [two](b.md)\n"
	for name, c := range map[string]struct {
		reached map[string]RoadmapStatus
		want    string
	}{
		"one of them under way":       {map[string]RoadmapStatus{"docs/a.md": InProgress}, "in-progress"},
		"one of them done":            {map[string]RoadmapStatus{"docs/b.md": Finished}, "in-progress"},
		"one done, the other one not": {map[string]RoadmapStatus{"docs/b.md": Finished, "docs/a.md": InProgress}, "in-progress"},
		"both of them done":           {map[string]RoadmapStatus{"docs/b.md": Finished, "docs/a.md": Finished}, "done"},
		"none of them known":          {map[string]RoadmapStatus{"docs/c.md": Finished}, "planned"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, _ := parsedRoadmap(t, text).Raise(c.reached, syncTime)
			if !strings.Contains(string(got), "Status:** "+c.want+"\n") {
				t.Errorf("it is not %s:\n%s", c.want, got)
			}
		})
	}
}

func TestPathWithBlanksIsFound(t *testing.T) {
	road := parsedRoadmap(t, "### A\n- **Status:** planned\n- **Spec:** docs/my spec.md\n### B\n- **Status:** planned\n- **Spec:** [b](<a b.md>)\n")
	for _, spec := range []string{"docs/my spec.md", "docs/a b.md"} {
		if rows := road.Rows(spec); len(rows) != 1 {
			t.Errorf("%s has the rows %v", spec, rows)
		}
	}
}

func TestIssueIsTakenWhereOneIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"an external id":       {"### A\n- **Status:** planned\n- **Spec:** a.md\n- **External-ID:** github:o/r#12\n", "o/r#12"},
		"a number":             {"### A\n- **Status:** planned\n- **Spec:** a.md\n- **Issue:** #12\n", "#12"},
		"a link":               {"### A\n- Status: planned\n- Spec: a.md\n- GitHub: [#12](https://github.com/o/r/issues/12)\n", "o/r#12"},
		"in the heading":       {"### A (#12)\n- **Status:** planned\n- **Spec:** a.md\n- **Summary:** see PR #13\n", "#12"},
		"a column":             {"| Feature | GitHub | Status | Spec |\n|-|-|-|-|\n| A (#3) | [#12](https://github.com/o/r/issues/12) | planned | a.md |\n", "o/r#12"},
		"in a cell":            {"| Feature | Status | Spec |\n|-|-|-|\n| A (#3) | planned | a.md |\n", "#3"},
		"none":                 {"### A\n- **Status:** planned\n- **Spec:** a.md\n- **External-ID:** —\n", ""},
		"several":              {"### A\n- **Status:** planned\n- **Spec:** a.md\n- **Issues:** #12, #13\n", ""},
		"of two repositories":  {"### A\n- **Status:** planned\n- **Spec:** a.md\n- **Issues:** o/r#12, o/s#12\n", ""},
		"two rows, two issues": {"### A (#1)\n- **Status:** planned\n- **Spec:** a.md\n### B (#2)\n- **Status:** planned\n- **Spec:** a.md\n", ""},
		"a pull request":       {"### A\n- **Status:** planned\n- **Spec:** a.md\n- **GitHub:** https://github.com/o/r/pull/12\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := parsedRoadmap(t, c.text).Issue("docs/a.md"); got != c.want {
				t.Errorf("the issue is %q, not %q", got, c.want)
			}
		})
	}
}

func TestWhatIsNoTextIsNoRoadmap(t *testing.T) {
	for name, text := range map[string]string{"bytes": "\xff\xfe", "a zero": "a\x00", "too large": strings.Repeat("x", maxRoadmap+1)} {
		var bad *RoadmapError
		if _, err := ParseRoadmap([]byte(text)); !errors.As(err, &bad) || bad.Why == "" {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func FuzzRoadmap(f *testing.F) {
	for _, v := range roadmapVariants {
		f.Add(v.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		road, err := ParseRoadmap([]byte(text))
		if err != nil {
			t.Skip()
		}
		reached := map[string]RoadmapStatus{csvSpec: Finished}
		out, changes, _ := road.Raise(reached, syncTime)
		if len(changes) == 0 && string(out) != text {
			t.Fatal("the text changed without a change")
		}
		again, err := ParseRoadmap(out)
		if err != nil {
			t.Fatal(err)
		}
		if len(again.rows) != len(road.rows) {
			t.Fatalf("%d features became %d:\n%s", len(road.rows), len(again.rows), out)
		}
		if twice, changes, _ := again.Raise(reached, syncTime); len(changes) > 0 || string(twice) != string(out) {
			t.Fatalf("a second time it changes again: %+v\n%s", changes, out)
		}
	})
}
