package cmd_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
)

// TestACommentReachesTheAgent: what a person writes at a line of a plan or a diff goes with the answer that has agents work on, and
// stands in the prompt of the next one with its file and line.
func TestACommentReachesTheAgent(t *testing.T) {
	t.Parallel()
	p := newStoryPlace(t, "serve", "comments.txtar")
	if got := p.command(console.Host{}, "docs/spec.md", "--backend", "mine", "--fast", "--review-plans", "--non-interactive"); got.code != 3 {
		t.Fatalf("no question is open: exit code %d:\n%s", got.code, got.text)
	}
	b := p.serve(t)
	b.get(t, b.invitation)
	page := "/s/" + b.only(t)
	key := b.formKey(t, page).Get("form")
	plan := p.state(t).Phases[0].PlanPath
	comment := func(kind, phase, place, text string) (int, string) {
		return b.post(t, page+"/comments", url.Values{"form": {key}, "gate": {p.state(t).Gate.ID}, "kind": {kind}, "phase": {phase}, "place": {place}, "text": {text}})
	}
	answer := func(option string, more ...string) {
		t.Helper()
		form := url.Values{"form": {key}, "gate": {p.state(t).Gate.ID}, "option": {option}, "reason": {strings.Join(more, "\n")}}
		if code, text := b.post(t, page+"/answer", form); code != http.StatusOK || !strings.Contains(text, "Answered: ") {
			t.Fatalf("%s: %d\n%s", option, code, text)
		}
		p.command(console.Host{}, "docs/spec.md", "--backend", "mine", "--non-interactive")
	}
	prompt := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(p.session(), "attempts", filepath.FromSlash(path), "prompt.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}

	if _, text, _ := b.get(t, page+"/plan/1?"+url.Values{"at": {plan + ":3"}}.Encode()); !strings.Contains(text, "Comment on "+plan+":3") {
		t.Errorf("the plan takes no comment:\n%s", text)
	}
	if code, text := comment("plan", "1", plan+":3", "Two tasks <i>are</i> better.\nAt least."); code != http.StatusOK || !strings.Contains(text, "Two tasks &lt;i&gt;are") || !strings.Contains(text, "1 comment goes") {
		t.Errorf("the comment: %d\n%s", code, text)
	}
	comment("plan", "1", plan+":4", "Drop this one.")
	drop := url.Values{"form": {key}, "gate": {p.state(t).Gate.ID}, "drop": {"1"}, "reason": {"half a thought"}}
	if _, text := b.post(t, page+"/answer", drop); strings.Contains(text, "Drop this one.") || !strings.Contains(text, "half a thought") || !regexp.MustCompile(`value="revise" required checked`).MatchString(text) {
		t.Errorf("after a comment is removed:\n%s", text)
	}
	if code, _ := comment("plan", "1", plan+":3", " "); code != http.StatusUnprocessableEntity {
		t.Errorf("a comment without a text: %d", code)
	}
	answer("revise", "And be quick.")
	if text := prompt("1/planner/2"); !strings.Contains(text, "> "+plan+":3: Two tasks <i>are</i> better.\n>   At least.\n> And be quick.") {
		t.Errorf("the planner hears nothing of it:\n%s", text)
	}

	answer("yes")
	if s := p.state(t); s.Gate == nil || s.Gate.Kind != machine.GateReviewBlocking {
		t.Fatalf("the review asks nothing: %+v", s.Gate)
	}
	beside := regexp.MustCompile(`(?s)return 100.*?<div class="beside open".*?F\d critical: limit.go:4: It is the same for &lt;b&gt;all.*?See the spec.*?&#43;}`)
	until(t, func() bool { // the finding is at its line; what is shown may be a second old
		_, text, _ := b.get(t, page+"/diff?phase=1")
		return beside.MatchString(text)
	})
	if code, _ := b.post(t, page+"/comments", url.Values{"form": {key}, "gate": {"g1"}, "place": {"limit.go:4"}, "text": {"late"}}); code != http.StatusConflict {
		t.Errorf("a comment on an answered question: %d", code)
	}
	comment("diff", "1", "limit.go:4", "Ask the store.")
	answer("fix")
	if text := prompt("1/task-002/1"); !strings.Contains(text, "> limit.go:4: Ask the store.") {
		t.Errorf("the executor hears nothing of it:\n%s", text)
	}
}

// TestServeShowsWhatAgentsDid: a task with its attempts and checks, and of each agent run what it was told and said; records are
// found by what the session made, and nothing else is.
func TestServeShowsWhatAgentsDid(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if got := p.command(console.Host{}, p.sameCommand("--yes", "--non-interactive")...); got.code != 3 {
		t.Fatalf("no question is open: exit code %d:\n%s", got.code, got.text)
	}
	b := p.serve(t)
	b.get(t, b.invitation)
	id := b.only(t)
	page, api := "/s/"+id, "/api/v1/sessions/"+id
	for path, want := range map[string]struct {
		code int
		says string
	}{
		page:                                      {http.StatusOK, `<svg class="chart"`},
		page + "/task/1/1":                        {http.StatusOK, "Attempt 1 of"},
		page + "/task/1/9":                        {http.StatusNotFound, "no such task"},
		page + "/task/x/1":                        {http.StatusNotFound, "no such task"},
		page + "/runs":                            {http.StatusOK, page + "/attempts/1/task-001/1"},
		page + "/attempts/1/task-001/1":           {http.StatusOK, "Transcript"},
		page + "/attempts/1/planner/1":            {http.StatusOK, "Prompt"},
		page + "/attempts/1/planner/7":            {http.StatusNotFound, "no such agent run"},
		page + "/attempts/1/..%2f1/1":             {http.StatusNotFound, ""},
		page + "/attempts/1/%2e%2e/1":             {http.StatusNotFound, ""},
		api + "/attempts/1/task-001/1/prompt":     {http.StatusOK, "The task"},
		api + "/attempts/1/task-001/1/reply":      {http.StatusOK, `"status"`},
		api + "/attempts/1/task-001/1/transcript": {http.StatusOK, `"message"`},
		api + "/attempts/1/task-001/1/..%2f..":    {http.StatusNotFound, ""},
		api + "/attempts/1/task-001/1/audit":      {http.StatusNotFound, "no such record"},
		api + "/diff":                             {http.StatusOK, `"added":`},
		api + "/diff?phase=x":                     {http.StatusNotFound, "phase"},
	} {
		if code, text, _ := b.get(t, path); code != want.code || !strings.Contains(text, want.says) {
			t.Errorf("%s: %d, want %d and %q\n%s", path, code, want.code, want.says, text)
		}
	}
	ranged := func(r *http.Request) { r.Header.Set("Range", "bytes=0-9") }
	if code, text, _ := b.get(t, api+"/attempts/1/task-001/1/prompt", ranged); code != http.StatusPartialContent || len(text) != 10 {
		t.Errorf("a range: %d %q", code, text)
	}
}
