package plan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"autopilot/spec"
	"autopilot/spec/markdown"
	"autopilot/spec/plan"
)

const fullPlan = `# Plan: Rule Engine

**Date:** today | **Spec:** docs/changes/rules/proposal.md
**Phase:** 2

## Goal

Rules that run.

## Tasks

### Task 1: Schema of rules

**Depends on:** none | **Files:** a.go, ` + "`b_test.go`" + ` (new, small), c.go | **Owns:** rules/**, **/*.sql | **Validation:** ` + "`go test ./... | tee out`" + `

1. Write the ` + "`schema`" + `
   - in detail
2. [ ] Test it

### Task 2 — Choose storage [checkpoint:decision]

- **Depends on:** Task 1
- **Files:** none
- **Validation:** none (a choice)
- **Options:** SQLite | files

### Task 3: Engine

**Depends on:** Tasks 1-2
**Changes tests:** engine_test.go
**Files:**

- Create: ` + "`engine.go:10-20`" + `
- ` + "`x/`" + `

**Validation:** ` + "`go vet ./...` and `go test ./engine`" + `

- Do it
- [checkpoint:human-verify] Look at the page.

` + "```" + `
### Task 9: an example
[checkpoint:human-action]
` + "```" + `

## Summary

| Task | Gate |
|---|---|
| Task 2 | [checkpoint:decision] |
| Task 3 | [checkpoint:human-verify] |
`

func mustPlan(t *testing.T, src string) *plan.Plan {
	t.Helper()
	p, err := plan.ParsePlan([]byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return p
}

func TestPlanIsRead(t *testing.T) {
	got := mustPlan(t, fullPlan)
	want := &plan.Plan{
		Title: "Rule Engine", Spec: "docs/changes/rules/proposal.md", Phase: "2", Goal: "Rules that run.",
		Titled: true,
		Tasks: []plan.Task{
			{
				Number: "1", Title: "Schema of rules", Files: []string{"a.go", "b_test.go", "c.go"}, Owns: []string{"rules/**", "**/*.sql"},
				Validation: "go test ./... | tee out", Steps: []string{"Write the schema", "Test it"}, Line: 12,
			},
			{Number: "2", Title: "Choose storage", DependsOn: []string{"1"}, FilesNone: true, ValidationNone: true, Line: 20},
			{
				Number: "3", Title: "Engine", DependsOn: []string{"1", "2"}, ChangesTests: []string{"engine_test.go"},
				Files: []string{"engine.go", "x/"}, Validation: "go vet ./... && go test ./engine",
				Steps: []string{"Do it", "[checkpoint:human-verify] Look at the page."}, Line: 27,
			},
		},
		Checkpoints: []plan.Checkpoint{
			{Task: "2", Kind: plan.Decision, Text: "Choose storage", Options: []string{"SQLite", "files"}, Line: 20},
			{Task: "3", Kind: plan.HumanVerify, Text: "Look at the page.", Line: 39},
		},
	}
	ignored := cmp.Options{cmpopts.IgnoreFields(plan.Plan{}, "SHA256"), cmpopts.IgnoreFields(plan.Task{}, "Body")}
	if diff := cmp.Diff(want, got, ignored, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if !strings.HasSuffix(got.Tasks[2].Body, "[checkpoint:human-action]\n```") {
		t.Errorf("body of task 3: %q", got.Tasks[2].Body)
	}
}

func TestTasksAreFoundAtAnyLevelAndSpelling(t *testing.T) {
	p := mustPlan(t, "# Task 1: the title\n\n## Task A1 — One\n\n#### Task 2.1: Two\n\n### Task List\n\n### Task 3 (later): Three\n\n### Task 4\n")
	var got []string
	for _, task := range p.Tasks {
		got = append(got, task.Number+" "+task.Title)
	}
	if diff := cmp.Diff([]string{"A1 One", "2.1 Two", "3 Three", "4 Task 4"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFieldsAreReadInTheirVariants(t *testing.T) {
	type fields struct {
		DependsOn, Files, Owns, ChangesTests []string
		FilesNone, ValidationNone            bool
		Validation                           string
	}
	for name, c := range map[string]struct {
		body string
		want fields
	}{
		"nothing":                {"Text.\n", fields{}},
		"colon behind the bold":  {"**Depends on**: Task 1, Task A2\n", fields{DependsOn: []string{"1", "A2"}}},
		"depends without bold":   {"Depends on: Task 1 (schema, types) and A2\n", fields{DependsOn: []string{"1", "A2"}}},
		"depends with titles":    {"**Dependencies:** Task A2: Second; #1\n", fields{DependsOn: []string{"1", "A2"}}},
		"depends as a range":     {"**Depends on:** 1–A2\n", fields{DependsOn: []string{"1", "A2"}}},
		"twice the same":         {"**Depends on:** 1, Task 1\n", fields{DependsOn: []string{"1"}}},
		"nothing to depend on":   {"**Depends on:** None.\n", fields{}},
		"a dash":                 {"**Files:** — | **Validation:** —\n", fields{FilesNone: true, ValidationNone: true}},
		"globs that look strong": {"**Owns:** **/*.go, a/__x__/*.py | **Files:** src/__init__.py\n", fields{Owns: []string{"**/*.go", "a/__x__/*.py"}, Files: []string{"src/__init__.py"}}},
		"files over lines":       {"**Files:** `a`,\n`b`,\nc\nText, more\n", fields{Files: []string{"a", "b", "c"}}},
		"files with remarks":     {"**Files:** `a` — new, ./b.go (old, big), app/(auth)/p.tsx and c.go\n", fields{Files: []string{"a", "b.go", "app/(auth)/p.tsx", "c.go"}}},
		"files in a nested list": {"- **Files:**\n  - Modify: a.go:3\n  - `b c.go`\n", fields{Files: []string{"a.go", "b c.go"}}},
		"files in a fence":       {"**Files:**\n\n```\na.go\n\nb.go\n```\n", fields{Files: []string{"a.go", "b.go"}}},
		"an unknown field":       {"**Files:** a.go | **Size:** 5 | **Owns:** b\n", fields{Files: []string{"a.go"}, Owns: []string{"b"}}},
		"a command in a fence":   {"**Validation:**\n\n```sh\ncd x\ngo test\n```\n", fields{Validation: "set -e\ncd x\ngo test"}},
		"one command in a fence": {"**Validation:**\n\n```sh\n# all\ngo test\n\n```\n", fields{Validation: "# all\ngo test"}},
		"a fence with set -e":    {"**Validation:**\n\n```sh\nset -e\ncd x\ngo test\n```\n", fields{Validation: "set -e\ncd x\ngo test"}},
		"a command over lines":   {"**Validation:** `go vet &&\n  go test` passes\n", fields{Validation: "go vet && go test"}},
		"a command with quotes":  {"**Validation:** ``echo `date` ``\n", fields{Validation: "echo `date`"}},
		"two validations":        {"**Validation:** `a`\n**Validation:** `b`\n", fields{Validation: "a && b"}},
		"waived and given":       {"**Validation:** none\n**Validation:** `b`\n**Files:** none\n**Files:** a\n", fields{Validation: "b", Files: []string{"a"}}},
		"none in back-quotes":    {"**Validation:** `none`\n", fields{ValidationNone: true}},
		"changed tests":          {"**Changes tests:** `a_test.go`, `b_test.go`\n", fields{ChangesTests: []string{"a_test.go", "b_test.go"}}},
		"not in a fence":         {"```\n**Files:** a\n```\n", fields{}},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustPlan(t, "## Task 1: x\n## Task A2: y\n## Task 3: z\n\n"+c.body)
			task := p.Tasks[2]
			got := fields{task.DependsOn, task.Files, task.Owns, task.ChangesTests, task.FilesNone, task.ValidationNone, task.Validation}
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStepsMayBeLabelled(t *testing.T) {
	p := mustPlan(t, "## Task 1: x\n\n**Step 1: Write a test**\n\nText.\n\n### Step 2: Run it\n")
	if diff := cmp.Diff([]string{"Write a test", "Run it"}, p.Tasks[0].Steps); diff != "" {
		t.Error(diff)
	}
}

func TestMalformedPlansAreRefusedByLine(t *testing.T) {
	const two = "## Task 1: x\n## Task 2: y\n"
	for name, c := range map[string]struct {
		src     string
		line    int
		message string
	}{
		"empty":            {"", 1, "empty"},
		"no task":          {"# Plan\n\n```\n## Task 1: x\n```\n", 1, "no task"},
		"no separator":     {two + "## Task 3 and more\n", 3, "without ': '"},
		"equal numbers":    {two + "## Task 1: z\n", 3, "task 1 is also on line 1"},
		"open back-quote":  {two + "\n**Validation:** `go test\n", 4, `back-quote of "validation"`},
		"open file":        {two + "**Files:** `a.go, b.go\n\nMore `code`.\n", 3, `back-quote of "files"`},
		"no value":         {two + "**Files:** | **Owns:** a\n", 3, `"files" has no value`},
		"no command":       {two + "**Validation:** run the tests\n", 3, "no command"},
		"empty command":    {two + "**Validation:** ` `\n", 3, "no command"},
		"several commands": {two + "**Validation:** `go test` prints what `go vet` does\n", 3, "several commands"},
		"outside":          {two + "**Files:** ../a.go\n", 3, "outside the repository"},
		"after a comma":    {two + "**Files:** a.go, /etc/x\n", 3, `"/etc/x" lies outside`},
		"absolute":         {two + "**Owns:** `/etc/*`\n", 3, "outside the repository"},
		"unknown kind":     {two + "\n[checkpoint:maybe] x\n", 4, `"maybe" is not known`},
		"loose mark":       {two + "\n# Notes\n\n[checkpoint:decision] x\n", 6, "names no task"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plan.ParsePlan([]byte(c.src))
			var parse *markdown.ParseError
			if !errors.As(err, &parse) {
				t.Fatalf("got %v", err)
			}
			p := parse.Problems[0]
			if p.Line != c.line || !strings.Contains(p.Message, c.message) || p.Hint == "" {
				t.Errorf("got %+v", parse.Problems)
			}
		})
	}
}

func TestCheckpointsAreCountedByTaskAndKind(t *testing.T) {
	for name, c := range map[string]struct {
		plan string
		want []plan.Checkpoint
	}{
		"a list below the words": {
			"## Task 1: x\n\n[checkpoint:decision] Which?\n\n- a `b`\n- c\n",
			[]plan.Checkpoint{{Task: "1", Kind: "decision", Text: "Which?", Options: []string{"a b", "c"}, Line: 3}},
		},
		"a nested list": {
			"## Task 1: x\n\n1. `[checkpoint: Decision]` Which?\n   - a\n   - b\n",
			[]plan.Checkpoint{{Task: "1", Kind: "decision", Text: "Which?", Options: []string{"a", "b"}, Line: 3}},
		},
		"no options": {
			"## Task 1: x [checkpoint:decision]\n\n**Options:** yes\n",
			[]plan.Checkpoint{{Task: "1", Kind: "decision", Text: "x", Options: []string{"yes"}, Line: 1}},
		},
		"two in a task are one": {
			"## Task 1: x\n\n[checkpoint:human-verify] a\n\n[checkpoint:human-verify] b\n\n[checkpoint:human-action] c\n",
			[]plan.Checkpoint{{Task: "1", Kind: "human-verify", Text: "a\nb", Line: 3}, {Task: "1", Kind: "human-action", Text: "c", Line: 7}},
		},
		"only named in a summary": {
			"## Task 1: x\n## Task 2: y\n# Checkpoints\n- Task 2 [checkpoint:human-verify]: look\n",
			[]plan.Checkpoint{{Task: "2", Kind: "human-verify", Text: "Task 2 : look", Line: 4}},
		},
		"between tasks": {
			"# T\n## Task 1: x\n## Gate [checkpoint:human-verify]\n## Gate\n[checkpoint:human-action]\n## Task 2: y\n",
			[]plan.Checkpoint{{Task: "1", Kind: "human-verify", Text: "Gate", Line: 3}, {Task: "2", Kind: "human-action", Line: 5}},
		},
		"explained above, counted below": {
			"Marks: [checkpoint:decision].\n\n## Task 1: x [checkpoint:human-verify]\n# Sum\n\nOne [checkpoint:human-verify].\n",
			[]plan.Checkpoint{{Task: "1", Kind: "human-verify", Text: "x", Line: 3}},
		},
		"not in fences and comments": {"## Task 1: x\n```\n[checkpoint:decision]\n```\n<!-- [checkpoint:decision] -->\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, mustPlan(t, c.plan).Checkpoints, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOptionsAreNoSteps(t *testing.T) {
	p := mustPlan(t, "## Task 1: x\n\n[checkpoint:decision] Which?\n\n- a\n- b\n\nThen:\n\n1. Do\n")
	if diff := cmp.Diff([]string{"Do"}, p.Tasks[0].Steps); diff != "" {
		t.Error(diff)
	}
}

func TestOptionsEndWhereTheStepsBegin(t *testing.T) {
	for name, list := range map[string]string{
		"numbers that start over": "1. a\n2. b\n1. Do\n2. Go\n",
		"and a blank line":        "1. a\n2. b\n\n1. Do\n2. Go\n",
		"and one between all":     "1. a\n\n2. b\n\n1. Do\n\n2. Go\n",
		"a blank line alone":      "- a\n- b\n\n- Do\n- Go\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := mustPlan(t, "## Task 1: x\n\n[checkpoint:decision] Which?\n\n"+list)
			if diff := cmp.Diff([]string{"a", "b"}, p.Checkpoints[0].Options); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"Do", "Go"}, p.Tasks[0].Steps); diff != "" {
				t.Error(diff)
			}
		})
	}
	for name, list := range map[string]string{"loose": "1. a\n\n2. b\n\n3. c\n", "ones": "1. a\n1. b\n1. c\n", "bullets": "- a\n- b\n- c\n"} {
		if p := mustPlan(t, "## Task 1: x\n\n[checkpoint:decision] Which?\n\n"+list); len(p.Checkpoints[0].Options) != 3 || len(p.Tasks[0].Steps) != 0 {
			t.Errorf("%s: options %q, steps %q", name, p.Checkpoints[0].Options, p.Tasks[0].Steps)
		}
	}
}

func TestPlanHashIsOfTheContent(t *testing.T) {
	base := mustPlan(t, fullPlan).SHA256
	for name, same := range map[string]string{
		"line ends": strings.ReplaceAll(fullPlan, "\n", "\r\n"),
		"ticks":     strings.ReplaceAll(fullPlan, "[ ]", "[x]"),
		"lines":     strings.Replace(fullPlan, "\n", "\n\n\n", 1),
		"space":     strings.ReplaceAll(fullPlan, "Rules that run.\n", "Rules that run.  \n"),
	} {
		if mustPlan(t, same).SHA256 != base {
			t.Errorf("%s count", name)
		}
	}
	for _, word := range []string{"Rules that", "Engine", "a.go", "tee out", "in detail", "Look at", "SQLite"} {
		if mustPlan(t, strings.Replace(fullPlan, word, "another", 1)).SHA256 == base {
			t.Errorf("%q does not count", word)
		}
	}
}

func TestPlansWithoutAPreambleAreRead(t *testing.T) {
	p := mustPlan(t, "# plan : X\n\n**Spec:** [the spec](../docs/spec.md)\n**Files:**\n\n**Goal:** Make *x*\n\n## Task 1: x\n")
	if p.Title != "X" || p.Spec != "../docs/spec.md" || p.Goal != "Make *x*" {
		t.Errorf("got %+v", p)
	}
	if p := mustPlan(t, "**Spec:** `a b.md`\n\n## Task 1: x\n\n## Goal\n\nno\n"); p.Spec != "a b.md" {
		t.Errorf("got %+v", p)
	}
}

func TestPlanFitsByNameOrByWhatItNames(t *testing.T) {
	phase := spec.Phase{Number: "2", Name: "Rule Engine"}
	const at = "docs/changes/rules/proposal.md"
	for name, c := range map[string]struct {
		file string
		plan plan.Plan
		want bool
	}{
		"file name":             {"docs/plans/2026-01-02-rule-engine-plan.md", plan.Plan{}, true},
		"part of a word":        {"docs/plans/overrule-engineer-plan.md", plan.Plan{}, false},
		"spec and number":       {"p.md", plan.Plan{Spec: "./" + at, Phase: "2"}, true},
		"spec and label":        {"p.md", plan.Plan{Spec: at, Phase: "Phase 2: Other words"}, true},
		"spec and number: name": {"p.md", plan.Plan{Spec: at, Phase: "2 — Other words"}, true},
		"spec and title":        {"p.md", plan.Plan{Spec: "../changes/rules/proposal.md", Title: "The rule engine of x"}, true},
		"spec of another":       {"p.md", plan.Plan{Spec: "docs/changes/other/proposal.md", Phase: "2"}, false},
		"another phase":         {"p.md", plan.Plan{Spec: at, Phase: "3", Title: "Phase 3: x"}, false},
		"spec alone":            {"p.md", plan.Plan{Spec: at, Title: "Plan"}, false},
		"phase alone":           {"p.md", plan.Plan{Title: "Rule Engine"}, false},
	} {
		if got := c.plan.Fits(c.file, at, phase); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if (&plan.Plan{Spec: at}).Fits("a.md", at, spec.Phase{Name: "!"}) {
		t.Error("a phase without number and words fits everything")
	}
}
