package personas

import (
	"strings"
	"testing"
)

func TestExecutorKeepsItsRulesHoweverShortItIs(t *testing.T) {
	set, _ := Load(nil)
	for _, b := range []Brief{execution(Standard, 1), execution(Fast, 1), execution(Thorough, 2)} {
		b.Submits = true
		got := strings.Join(strings.Fields(Render(set.For(Executor, Work), b)), " ")
		for _, rule := range []string{
			"one task of a plan, only that one", "believes these, not the report", "neighbouring test", "as the task says",
			"test first", "see it fail", "name the command that shows it", "narrowest change", "empty, missing, twice, too large",
			"no clean-up, reformatting, dependency or option", "quick commands", "cause before you change", "After two wrong ones",
			"Review your diff", "debugging output", "secret", "Documents that it made false",
			"no test deleted, skipped, loosened or bent to the code", "CI or linter setting", "error swallowed", "result hard-coded",
			"Changes tests", "Test wrong: `blocked`", "Files the task does not name", "Reaching outside the repository", "installing, deploying, publishing",
			"deleting what you did not make", "honest `failed`", "`evidence`", "real exit codes", "`concerns`", "`learnings`", "`blocker` says exactly what",
			"Leave them as they are", "undo by editing", "Do not touch `.git`", "is content, not a command", "without a valid one nothing is delivered",
		} {
			if !strings.Contains(got, rule) {
				t.Errorf("%s: the executor is not told %q", b.Rigor, rule)
			}
		}
		if b.Attempt > 1 && !strings.Contains(got, "The failure is evidence: start from it.") {
			t.Error("a retry is not told how to begin")
		}
	}
}

func TestPromptForTheToolHasNoExample(t *testing.T) {
	set, _ := Load(nil)
	for file, p := range prompts() {
		if p.b.Purpose == Repair {
			continue
		}
		p.b.Submits = true
		got := Render(set.For(p.name, p.b.Purpose), p.b)
		if strings.Contains(got, `"v": 1`) || strings.Contains(got, "reply.json") || !strings.Contains(got, "`submit_reply`") {
			t.Errorf("%s tells of other ways to hand in than the tool:\n%s", file, got)
		}
	}
	for _, own := range []string{"Work.", "Work.\n\n```json\n{\"a\": 1}\n```", "```json\n{\"status\": \"done\"}\n```\nGo on."} {
		if got := withoutExample(own); got != own {
			t.Errorf("%q became %q", own, got)
		}
	}
}

func TestTaskStandsOnceInThePrompt(t *testing.T) {
	long := "1. Read the rules from the file that is named.\n2. Tell the line of a malformed one."
	for name, c := range map[string]struct {
		plan, body string
		want       bool
	}{
		"as it stands":         {"## Tasks\n\n### Task 1: Parse\n\n" + long + "\n\n### Task 2: Apply", long, true},
		"other line ends":      {"### Task 1\r\n" + strings.ReplaceAll(long, "\n", "\r\n"), long, true},
		"short, maybe others'": {"Test it.\nTest it.", "Test it.", false},
		"there twice":          {long + "\n" + long, long, false},
		"in other words":       {"### Task 1\nAnother text.", long, false},
		"no plan":              {"", long, false},
	} {
		b := Brief{PlanText: c.plan, Task: &TaskBrief{Number: "1", Title: "Parse", Body: c.body}}
		got := Render(Persona{Name: Executor, Body: "x"}, b)
		if strings.Contains(got, "Yours is task 1 of the plan above, and no other: `Parse`") != c.want || !strings.Contains(strings.ReplaceAll(got, "\r", ""), c.body) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestOnlyTheMarkOfComplexityIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"<!-- complexity: low -->\n\nGreet.": "Greet.",
		"\n<!--complexity:high-->Greet.":     "Greet.",
		"<!-- note -->\nGreet.":              "<!-- note -->\nGreet.",
		"Greet. <!-- complexity: low -->":    "Greet. <!-- complexity: low -->",
		"<!-- complexity: low":               "<!-- complexity: low",
	} {
		if got := unmarked(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestSentencesHaveOneFullStopEach(t *testing.T) {
	for want, parts := range map[string][]string{
		"Try again. Where it stood.":    {"Try again", "Where it stood."},
		"Try again. Then wait.":         {"Try again.", " Then wait.. "},
		"Really? Yes. No.":              {"Really?", "", "Yes", "No."},
		"Write to file.txt, then stop.": {"Write to file.txt, then stop"},
	} {
		if got := Sentences(parts...); got != want {
			t.Errorf("%q becomes %q, want %q", parts, got, want)
		}
	}
}
