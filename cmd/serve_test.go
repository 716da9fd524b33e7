package cmd_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// browser is one that autopilot serve let in, or not yet.
type browser struct {
	http.Client
	base, invitation string
	end              func() error // of the server
}

// serve starts autopilot serve in the place, and gives a browser before its door.
func (p *place) serve(t *testing.T, args ...string) *browser {
	t.Helper()
	c := exec.CommandContext(t.Context(), "autopilot", append([]string{"serve"}, args...)...)
	c.Dir, c.Env, c.Stderr = p.repo, p.env, os.Stderr
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Wait() })
	jar, _ := cookiejar.New(nil)
	b := &browser{Client: http.Client{Jar: jar, Timeout: time.Minute}, end: c.Cancel}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if base, token, found := strings.Cut(strings.TrimSpace(lines.Text()), "/enter?token="); found {
			b.base, b.invitation = base, "/enter?token="+token
			return b
		}
	}
	t.Fatal("autopilot serve printed no address")
	return nil
}

// get gives status, text and headers of an address.
func (b *browser) get(t *testing.T, path string, with ...func(*http.Request)) (int, string, http.Header) {
	t.Helper()
	return b.ask(t, http.MethodGet, path, nil, with...)
}

// ask sends a form, if there is one, and gives what the page that follows has.
func (b *browser) ask(t *testing.T, method, path string, form url.Values, with ...func(*http.Request)) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, b.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, do := range with {
		do(r)
	}
	answer, err := b.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

// only is the id of the one session.
func (b *browser) only(t *testing.T) string {
	t.Helper()
	_, text, _ := b.get(t, "/api/v1/sessions")
	var all struct {
		Sessions []struct{ ID, Spec, Headline string }
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil || len(all.Sessions) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	return all.Sessions[0].ID
}

// TestServeLetsInWhoIsInvited: the printed address lets one browser in, once. Everybody else gets nothing but how to get in.
func TestServeLetsInWhoIsInvited(t *testing.T) {
	t.Parallel()
	p := newEmptyPlace(t)
	p.env = append(p.env, "SOME_API_KEY=hush-hush-4711")
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(strings.Replace(goodSpec, "Manners", "Manners 1 < 2 <script>alert(1)</script> hush-hush-4711", 1)))
	p.begin(t)
	p.stopBeforeThePlan(t)
	b := p.serve(t)
	id := func() string { return b.only(t) }
	for _, path := range []string{"/", "/s/x", "/api/v1/sessions", "/api/v1/events?session=x", "/live.js", "/enter", "/enter?token=x", "/nowhere"} {
		if code, text, _ := b.get(t, path); code != http.StatusUnauthorized || strings.Contains(text, "Manners") {
			t.Errorf("%s, not invited: %d\n%s", path, code, text)
		}
	}
	if code, text, _ := b.get(t, b.invitation); code != http.StatusOK || !strings.Contains(text, "Manners") {
		t.Fatalf("the invitation: %d\n%s", code, text)
	}
	code, text, header := b.get(t, "/s/"+id())
	if code != http.StatusOK || strings.Contains(text, "<script>alert") || strings.Contains(text, "hush-hush") || !strings.Contains(text, "Manners 1 &lt; 2") {
		t.Errorf("the session's page: %d\n%s", code, text)
	}
	if !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") || header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers: %v", header)
	}
	if code, text, header = b.get(t, "/s/"+id()+"/report"); code != http.StatusOK || !strings.Contains(text, "autopilot report") || header.Get("Content-Security-Policy") != "" {
		t.Errorf("the report: %d, %v\n%s", code, header, text)
	}
	for path, want := range map[string]int{
		"/s/../../../../etc/passwd": http.StatusNotFound, "/s/..%2f..%2fautopilot.yaml": http.StatusNotFound, "/s/spec": http.StatusNotFound,
		"/pages/layout.tmpl": http.StatusNotFound, "/api/v1/sessions/docs%2Fspec.md": http.StatusNotFound, "/style.css": http.StatusOK, "/live.js": http.StatusOK,
		"/api/v1/sessions/" + id() + "/lines?after=x": http.StatusBadRequest,
	} {
		if code, text, _ := b.get(t, path); code != want {
			t.Errorf("%s: %d, want %d\n%s", path, code, want, text)
		}
	}
	if code, _, _ := b.get(t, "/", func(r *http.Request) { r.Host = "evil.example:80" }); code != http.StatusMisdirectedRequest {
		t.Errorf("a foreign host: %d", code)
	}
	b.Jar, _ = cookiejar.New(nil)
	if code, _, _ := b.get(t, b.invitation); code != http.StatusUnauthorized {
		t.Errorf("the invitation a second time: %d", code)
	}
}

// TestServeShowsWhatGoesOn: the question with its commands; what follows from an answer comes by itself, and who lost the
// connection gets what it missed.
func TestServeShowsWhatGoesOn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if got := p.command(console.Host{}, p.sameCommand("--review-plans")...); got.code != 3 {
		t.Fatalf("no question is open: exit code %d:\n%s", got.code, got.text)
	}
	b := p.serve(t)
	b.get(t, b.invitation)
	id := b.only(t)
	if _, text, _ := b.get(t, "/s/"+id); !regexp.MustCompile(`(?s)<title>\(1\).*role="alert".*autopilot answer docs/spec.md`).MatchString(text) {
		t.Errorf("the page doesn't ask:\n%s", text)
	}
	var before view.Session
	if _, text, _ := b.get(t, "/api/v1/sessions/"+id); json.Unmarshal([]byte(text), &before) != nil || before.Gate == nil || before.Revision == 0 {
		t.Fatalf("the session: %s", text)
	}
	heard := b.listen(t, id, "")
	heard.until(t, "session")
	choice := before.Gate.Choices[0].Name
	if got := p.command(console.Host{}, "answer", "docs/spec.md", choice, "--reason", "as it is"); got.code != 0 {
		t.Fatalf("the answer: exit code %d:\n%s", got.code, got.text)
	}
	heard.until(t, "line")
	if gate := heard.until(t, "gate"); gate != "null" {
		t.Errorf("the question is still there: %s", gate)
	}
	heard.stop()
	missed := b.listen(t, id, "1").until(t, "line")
	if !strings.Contains(missed, `"rev":`) || strings.Contains(missed, `"rev":1,`) {
		t.Errorf("the first line after revision 1: %s", missed)
	}
	b.listen(t, id, "100000").until(t, "reset")
}

// post sends a form, and gives status and text of the page that follows.
func (b *browser) post(t *testing.T, path string, form url.Values, with ...func(*http.Request)) (int, string) {
	t.Helper()
	code, text, _ := b.ask(t, http.MethodPost, path, form, with...)
	return code, text
}

// TestServeTakesAnswers: only from its own page, only to the question that was seen, with its reason; then the session goes on
// with the flags of its last run.
func TestServeTakesAnswers(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if got := p.command(console.Host{}, p.sameCommand("--review-plans")...); got.code != 3 {
		t.Fatalf("no question is open: exit code %d:\n%s", got.code, got.text)
	}
	gate := p.state(t).Gate
	b := p.serve(t)
	b.get(t, b.invitation)
	page := "/s/" + b.only(t)
	_, text, _ := b.get(t, page)
	key := regexp.MustCompile(`name="form" value="([A-Z0-9]+)"`).FindStringSubmatch(text)
	if key == nil {
		t.Fatalf("the page has no form:\n%s", text)
	}
	form := func(gate, option, reason string) url.Values {
		return url.Values{"form": {key[1]}, "gate": {gate}, "option": {option}, "reason": {reason}, "go": {"1"}}
	}
	foreign := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }
	elsewhere := func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }
	without := form(gate.ID, "yes", "")
	without.Del("form")
	for name, c := range map[string]struct {
		form url.Values
		with []func(*http.Request)
		code int
		says string
	}{
		"no key":            {without, nil, http.StatusForbidden, "Load the page again"},
		"a foreign page":    {form(gate.ID, "yes", ""), []func(*http.Request){foreign}, http.StatusForbidden, "Load the page again"},
		"another origin":    {form(gate.ID, "yes", ""), []func(*http.Request){elsewhere}, http.StatusForbidden, "Load the page again"},
		"another question":  {form("g1000", "yes", ""), nil, http.StatusConflict, "is not the open question"},
		"no such option":    {form(gate.ID, "nonsense", ""), nil, http.StatusUnprocessableEntity, "choose an answer"},
		"no reason":         {form(gate.ID, "revise", " "), nil, http.StatusUnprocessableEntity, "revise needs a reason"},
		"more than is read": {form(gate.ID, "revise", strings.Repeat("x", 100_000)), nil, http.StatusRequestEntityTooLarge, "64 KiB"},
	} {
		if code, text := b.post(t, page+"/answer", c.form, c.with...); code != c.code || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d, want %d and %q\n%s", name, code, c.code, c.says, text)
		}
	}
	if now := p.state(t).Gate; now == nil || now.ID != gate.ID {
		t.Fatalf("something was answered: %+v", now)
	}
	if code, text := b.post(t, page+"/answer", form(gate.ID, "yes", "as it is")); code != http.StatusOK || !strings.Contains(text, "Answered: approve.") {
		t.Fatalf("approve: %d\n%s", code, text)
	}
	if d := p.state(t).Decisions; len(d) == 0 || d[len(d)-1].By != "human, web" || d[len(d)-1].Reason != "as it is" {
		t.Errorf("decisions: %+v", d)
	}
	until(t, func() bool {
		s := p.state(t)
		return s.Gate != nil && s.Gate.ID != gate.ID || s.CurrentState == machine.Done
	})
	if code, text := b.post(t, page+"/answer", form(gate.ID, "yes", "")); code != http.StatusConflict || !strings.Contains(text, "was answered already") {
		t.Errorf("the same answer again: %d\n%s", code, text)
	}
	until(t, func() bool { _, live := sessions.Holder(p.session()); return !live })
	if code, text := b.post(t, page+"/note", url.Values{"form": {key[1]}, "text": {"Keep it short."}}); code != http.StatusOK || !strings.Contains(text, "Saved.") {
		t.Errorf("a note: %d\n%s", code, text)
	}
	if code, text := b.post(t, page+"/pause", url.Values{"form": {key[1]}}); code != http.StatusUnprocessableEntity || !strings.Contains(text, "no run is live") {
		t.Errorf("a pause without a run: %d\n%s", code, text)
	}
	only := p.serve(t, "--read-only")
	only.get(t, only.invitation)
	if _, text, _ := only.get(t, page); strings.Contains(text, `action="/s/`) {
		t.Errorf("--read-only has forms:\n%s", text)
	}
	if code, _ := only.post(t, page+"/answer", form(gate.ID, "yes", "")); code == http.StatusOK {
		t.Error("--read-only takes answers")
	}
}

// stream is what a browser hears.
type stream struct {
	lines *bufio.Scanner
	stop  context.CancelFunc
}

func (b *browser) listen(t *testing.T, id, last string) *stream {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+"/api/v1/events?session="+id, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := b.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	return &stream{lines, stop}
}

// until gives the data of the next event of a name.
func (s *stream) until(t *testing.T, event string) string {
	t.Helper()
	for s.lines.Scan() {
		if s.lines.Text() != "event: "+event {
			continue
		}
		for s.lines.Scan() {
			if data, found := strings.CutPrefix(s.lines.Text(), "data: "); found {
				return data
			}
		}
	}
	t.Fatalf("no event %s came: %v", event, s.lines.Err())
	return ""
}

// TestServeTakesAnswersAsJSON: what was decided comes back, and who comes too late is told why, and what to do.
func TestServeTakesAnswersAsJSON(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if got := p.command(console.Host{}, p.sameCommand("--review-plans")...); got.code != 3 {
		t.Fatalf("no question is open: exit code %d:\n%s", got.code, got.text)
	}
	b, page := p.let(t)
	gate := p.state(t).Gate.ID
	for _, c := range []struct {
		body string
		code int
		says string
	}{
		{`{"gate":`, http.StatusBadRequest, `"code":"bad_request"`},
		{`{"gate":"` + gate + `","option":"revise"}`, http.StatusUnprocessableEntity, `"message":"revise needs a reason"`},
		{`{"gate":"` + gate + `","option":"skip","reason":"not now"}`, http.StatusOK, `"decision":"approve_plan: skip","reason":"not now","by":"human, web"`},
		{`{"gate":"` + gate + `","option":"yes"}`, http.StatusConflict, `was answered already: approve_plan: skip`},
		{`{"gate":"g1000","option":"yes"}`, http.StatusConflict, `"hint":"Continue with: autopilot docs/spec.md"`},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.base+"/api/v1/sessions/"+strings.TrimPrefix(page, "/s/")+"/answers", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+b.cookie(t).Value)
		answer, err := b.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if _ = answer.Body.Close(); err != nil || answer.StatusCode != c.code || !strings.Contains(string(text), c.says) {
			t.Errorf("%s: %s, want %d and %s\n%s (%v)", c.body, answer.Status, c.code, c.says, text, err)
		}
	}
}

// TestServeShowsPlanAndDiff: both are a link away from the question, which is beside them too, and a phase that is not there is named.
func TestServeShowsPlanAndDiff(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if got := p.command(console.Host{}, p.sameCommand("--review-plans")...); got.code != 3 {
		t.Fatalf("no question is open: exit code %d:\n%s", got.code, got.text)
	}
	b := p.serve(t)
	b.get(t, b.invitation)
	page := "/s/" + b.only(t)
	for path, want := range map[string]struct {
		code int
		says string
	}{
		"":                     {http.StatusOK, page + "/plan/1"},
		"/plan/1":              {http.StatusOK, `<legend>Your answer</legend>`},
		"/plan/0":              {http.StatusNotFound, "no such phase"},
		"/plan/x":              {http.StatusNotFound, "no such phase"},
		"/plan/2":              {http.StatusNotFound, "phase"},
		"/diff":                {http.StatusOK, `href="` + page + `"`},
		"/diff?phase=nonsense": {http.StatusNotFound, "phase"},
	} {
		if code, text, _ := b.get(t, page+path); code != want.code || !strings.Contains(text, want.says) {
			t.Errorf("%s: %d, want %d and %q\n%s", path, code, want.code, want.says, text)
		}
	}
}
