package cmd_test

import (
	"net/http"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
)

// TestWhatAgentsWriteIsText: on no page does anything that an agent, a spec or a command wrote become markup.
func TestWhatAgentsWriteIsText(t *testing.T) {
	t.Parallel()
	p := newStoryPlace(t, "serve", "hostile.txtar")
	p.command(console.Host{}, "docs/spec.md", "--backend", "mine", "--fast", "--non-interactive")
	if s := p.state(t); s.Gate == nil || s.Gate.Kind != machine.GateReviewBlocking {
		t.Fatalf("the review asks nothing: %+v", s.Gate)
	}
	b, page := p.shownAt(t)
	said := 0
	for _, path := range []string{
		"/", page, page + "/plan/1", page + "/diff", page + "/diff?phase=%3Cscript%3Ealert(7)", page + "/task/1/1", page + "/runs", page + "/report",
		page + "/attempts/1/planner/1", page + "/attempts/1/task-001/1", page + "/attempts/1/reviewer/1", page + "/%3Cscript%3Ealert(8)",
	} {
		code, text, header := b.get(t, path)
		said += strings.Count(text, "&lt;script&gt;alert")
		if strings.Contains(text, "<script>") || strings.Contains(text, "<script>alert") || code >= http.StatusInternalServerError {
			t.Errorf("%s: %d\n%s", path, code, text)
		}
		if kind := header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %s, %v", path, kind, header)
		}
	}
	if said < 20 {
		t.Errorf("the pages show only %d of the texts", said)
	}
	for _, path := range []string{"prompt", "reply", "output"} {
		if _, _, header := b.get(t, "/api/v1"+strings.Replace(page, "/s/", "/sessions/", 1)+"/attempts/1/task-001/1/"+path); header.Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%s: %v", path, header)
		}
	}
}
