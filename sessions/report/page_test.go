package report

import (
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/timeline"
	"autopilot/sessions/view"
)

func pageOf(t *testing.T, f Facts) string {
	t.Helper()
	page, err := Page(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

var styled = regexp.MustCompile(`(?s)sha256-.*?=|<style>.*</style>`)

func TestPageOfASession(t *testing.T) {
	golden(t, "page.html", styled.ReplaceAllString(pageOf(t, sample()), "STYLE"))
}

// section is the text of a section without its tags.
func section(t *testing.T, page, id string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `<section id="`+id+`"`)
	if !ok {
		t.Fatalf("there is no section %s", id)
	}
	text, _, _ := strings.Cut(rest, "</section>")
	_, text, _ = strings.Cut(text, ">")
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, " "))
}

var numeral = regexp.MustCompile(`\d+(?:[:,.]\d+)*`)

// TestEachNumberIsTheViews: the summary and the cost say no number that the view does not have, and the other forms say the
// same numbers.
func TestEachNumberIsTheViews(t *testing.T) {
	f := sample()
	s := f.Session
	known := []string{view.Grouped(len(s.Criteria)), view.Grouped(len(s.Phases[1].Checks)), view.Grouped(len(s.Phases)), view.Grouped(len(s.Commits)), "3", "4", "1,204", "188", "20"}
	for _, n := range []float64{s.Clock.Work, s.Clock.You, s.Clock.Limits, s.Clock.Wall} {
		known = append(known, words.Seconds(n))
	}
	for _, u := range []machine.Usage{s.Usage} {
		known = append(known, strings.TrimPrefix(view.Dollars(u.CostUSD), "$"), view.Grouped(u.Dispatches), view.Grouped(tokens(u)))
	}
	summary := section(t, pageOf(t, f), "summary")
	for _, n := range numeral.FindAllString(summary, -1) {
		if !slices.Contains(known, n) {
			t.Errorf("the summary says %s, which the view doesn't: %s", n, summary)
		}
	}
	for name, text := range map[string]string{"the terminal": Text(f, 140), "summary.md": Markdown(f), "the pull request": PullRequest(f, "")} {
		for _, want := range []string{f.cost(), f.time(), view.Grouped(len(s.Phases)) + " phases", "3 tasks", "1 retry"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
	costs := section(t, pageOf(t, f), "cost")
	for _, p := range s.Phases {
		for _, want := range []string{view.Grouped(p.Spent.Dispatches), view.Grouped(tokens(p.Spent.Usage)), words.Seconds(p.Spent.Seconds), view.Dollars(p.Spent.CostUSD)} {
			if !strings.Contains(costs, want) {
				t.Errorf("the cost of phase %s lacks %s", p.Number, want)
			}
		}
	}
}

// hostile is what an agent may write to act on who reads it.
const hostile = "<script>alert(1)</script> ](javascript:alert(2)) @octocat closes #17 GH-4 https://example.com `x` | <img src=x onerror=y> \u202e\x1b[31m"

// infected is a session in which each text of an agent acts.
func infected() Facts {
	f := sample()
	s := &f.Session
	s.Title, s.Spec, s.Branch = hostile, "docs/a`|b.md", "autopilot/<b>"
	s.Phases[0].Name, s.Phases[0].Concerns = hostile, []string{hostile}
	task := &s.Phases[0].Tasks[1]
	task.Title, task.Files, task.Summary, task.Attempts[0].Error, task.Attempts[0].Summary = hostile, []string{hostile}, hostile, hostile, hostile
	s.Findings[1].Title, s.Findings[1].File, s.Findings[1].Rationale, s.Findings[1].Severity = hostile, hostile, hostile, machine.Important
	s.Criteria[0].Text, s.Criteria[0].Evidence = hostile, hostile
	s.Decisions[0].Reason, s.Commits[0].Subject, s.Assumptions = hostile, hostile, []string{hostile}
	s.Phases[0].Checks, s.Phases[1].Checks = nil, []machine.Check{{Command: hostile, Outcome: machine.CheckPassed, FailedTests: []string{hostile}}}
	s.Flakes = []machine.Flake{{Test: hostile, Times: 1}}
	f.Plans["docs/plans/count-plan.md"], f.Outputs["evidence/002-task-002.log"] = hostile, hostile
	f.Altered = []string{hostile}
	f.Record.Spans[0].What = hostile
	return f
}

func TestNothingThatAnAgentWroteActs(t *testing.T) {
	page := pageOf(t, infected())
	for _, bad := range []string{"<script", "<img", "javascript:alert(2)\"", "onerror=y>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if n := strings.Count(page, "href="); n != strings.Count(page, `href="#`) {
		t.Error("the page links elsewhere")
	}
	body := PullRequest(infected(), "")
	for name, text := range map[string]string{"summary.md": Markdown(infected()), "the pull request": body} {
		text = coded.ReplaceAllString(text, "")
		for _, bad := range []string{"<script", "<img", "](javascript", "\x1b", "\u202e"} {
			if strings.Contains(strings.ReplaceAll(text, `\](`, ""), bad) {
				t.Errorf("%s has %q:\n%s", name, bad, text)
			}
		}
	}
	for _, bad := range []string{"@octocat", "#17", "GH-4", "://"} {
		if strings.Contains(coded.ReplaceAllString(body, ""), bad) {
			t.Errorf("the pull request acts on %q:\n%s", bad, body)
		}
	}
}

// coded is code of Markdown, in which nothing acts.
var coded = regexp.MustCompile("`` .*? ``|`[^`\n]+`")

// TestPageIsValid wants html-validate, which .ci/tools installs. How long a title is good is no question of validity.
func TestPageIsValid(t *testing.T) {
	tool, err := filepath.Abs("../../.tools/js/node_modules/.bin/html-validate")
	if _, missing := os.Stat(tool); err != nil || missing != nil {
		t.Skip("html-validate is not installed")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(pageOf(t, infected())), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), tool, "--preset", "recommended", "--rule", "long-title:off", path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestPageLoadsNothing(t *testing.T) {
	page := pageOf(t, sample())
	if !strings.Contains(page, "default-src &#39;none&#39;; style-src &#39;sha256-") {
		t.Error("the policy is missing")
	}
	for _, bad := range []string{"http://", "https://", "src=", "@import", "url(", "style="} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

func TestSizeOfLongSessionsIsBounded(t *testing.T) {
	f := sample()
	for i := range 400 {
		task := f.Session.Phases[0].Tasks[1]
		task.N, task.ID = i+3, machine.TaskID(i+3)
		f.Session.Phases[0].Tasks = append(f.Session.Phases[0].Tasks, task)
		for range 10 {
			f.Record.Spans = append(f.Record.Spans, timeline.Span{Lane: "Executor", Start: at(float64(500 + i)), End: at(float64(501 + i)), Class: "ok", What: "executor", Phase: 1, Task: task.ID, Attempt: 1})
		}
		f.Outputs["evidence/"+strconv.Itoa(i)] = strings.Repeat("x", 1000)
	}
	if n := len(pageOf(t, f)); n > 1<<20 {
		t.Errorf("the page has %d bytes", n)
	}
	if n := strings.Count(PullRequest(f, "#1"), "\n"); n > mostBody {
		t.Errorf("the body has %d lines", n)
	}
}

func TestRunningSessionIsReportedSoFar(t *testing.T) {
	f := sample()
	f.Session.State, f.Session.Running, f.Session.Headline, f.Session.Next, f.CanPR = machine.Execute, true, "Task 2 of 5 · Parse the rules", "autopilot watch docs/limits.md", false
	f.Session.Phases[1].Outcome, f.Session.Phases[1].Status = "", machine.PhaseInProgress
	f.Session.Phases[1].Tasks[0].Mark = view.Active
	text := Text(f, 80)
	for _, want := range []string{"So far · Rate limits", "1 of 2 phases, 2 tasks", "autopilot watch docs/limits.md"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	if page := pageOf(t, f); !strings.Contains(page, "Task 2 of 5") || !strings.Contains(page, "while the session is not done") {
		t.Error("the page doesn't say that it goes on")
	}
}
