package cmd_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// chromium is a real browser, driven by testdata/browser/drive.mjs.
type chromium struct {
	mu   sync.Mutex // it plays one scenario at a time
	say  *json.Encoder
	hear *json.Decoder
}

// newChromium starts a browser that make browser installed.
func newChromium(t *testing.T) *chromium {
	t.Helper()
	if os.Getenv("BROWSER") != "1" {
		t.Skip("it is one of those that make browser plays")
	}
	tools, err := filepath.Abs("../.tools/js")
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "browser", "drive.mjs"))
	c.Env = append(os.Environ(), "BROWSER_TOOLS="+tools, "BROWSER_PROGRAM="+program)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Cancel = in.Close // it ends its browser, and then itself
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = io.Copy(io.Discard, out); _ = c.Wait() })
	return &chromium{say: json.NewEncoder(in), hear: json.NewDecoder(out)}
}

// stage is what a scenario gets: the address of autopilot serve, the cookie, and what else it wants.
type stage map[string]any

// on is the stage of a page, for a browser that was let in.
func (b *browser) on(t *testing.T, path string, more stage) stage {
	t.Helper()
	home, err := url.Parse(b.base)
	if err != nil {
		t.Fatal(err)
	}
	s := stage{"base": b.base, "path": path}
	for _, c := range b.Jar.Cookies(home) {
		s["cookie"] = map[string]string{"name": c.Name, "value": c.Value}
	}
	maps.Copy(s, more)
	return s
}

// plays has a scenario played; deeds are what it may have the test do.
func (c *chromium) plays(t *testing.T, scenario string, with stage, deeds map[string]func(string)) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var request any = map[string]any{"scenario": scenario, "with": with}
	for {
		if err := c.say.Encode(request); err != nil {
			t.Fatal(err)
		}
		var heard struct {
			Passed             bool
			Failed, Deed, With string
		}
		if err := c.hear.Decode(&heard); err != nil {
			t.Fatal(err)
		}
		if heard.Passed {
			return
		}
		if heard.Deed == "" {
			t.Fatal(heard.Failed)
		}
		deeds[heard.Deed](heard.With)
		request = map[string]bool{"did": true}
	}
}

// shownAt starts autopilot serve, and gives a browser that was let in with the address of the one session.
func (p *place) shownAt(t *testing.T, args ...string) (*browser, string) {
	t.Helper()
	b := p.serve(t, args...)
	b.get(t, b.invitation)
	return b, "/s/" + b.only(t)
}

// does is a command that has to succeed.
func (p *place) does(t *testing.T, args ...string) {
	t.Helper()
	if got := p.command(console.Host{}, args...); got.code != 0 {
		t.Errorf("autopilot %s: exit code %d:\n%s", strings.Join(args, " "), got.code, got.text)
	}
}

// waiting is the executor's dispatch, which begins once the test lets it.
func waiting(signal string) string {
	return strings.Replace(executes, "turns: [", "turns: [{calls: [run_command: {command: until test -e "+signal+"; do sleep 0.1; done}]}, ", 1)
}

// TestBrowserLetsOneIn: the printed address leads to the sessions, once.
func TestBrowserLetsOneIn(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	q := newQuestion(t, arrival{flags: "--review-plans", turns: []string{planned(oneTask)}})
	b := q.serve(t)
	c.plays(t, "enter", stage{"base": b.base, "invitation": b.invitation, "title": "Manners"}, nil)
}

// TestBrowserFollowsARun: an open page shows what a run does, from its question to its end.
func TestBrowserFollowsARun(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	const signal = "../let-go"
	q := newQuestion(t, arrival{flags: "--fast --review-plans", turns: []string{planned(oneTask), waiting(signal), reviews}})
	b, path := q.shownAt(t)
	ended := make(chan outcome, 1)
	c.plays(t, "follows", b.on(t, path, nil), map[string]func(string){
		"answer": func(string) { q.does(t, "answer", "docs/spec.md", "yes") },
		"run":    func(string) { go func() { ended <- q.runs(t, nil, "--non-interactive") }() },
		"let go": func(string) { q.put(t, filepath.Join(q.repo, signal), nil) },
	})
	if end := <-ended; end.code != 3 || q.state(t).CurrentState != machine.Done {
		t.Errorf("the run ended with exit code %d, and the session stands at %s:\n%s", end.code, where(q.state(t)), end.text)
	}
}

// TestBrowserAnswersEachQuestion: each kind of question is shown with its options, and each answer that needs no more than a
// reason leads to the same place as at a terminal.
func TestBrowserAnswersEachQuestion(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	for _, g := range gates {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			g.answeredIn(t, c)
		})
	}
}

// answeredIn gives the first answer on a phone, and the last one, with -full each other one, without script.
func (g gate) answeredIn(t *testing.T, c *chromium) {
	q := newQuestion(t, g.arrival)
	answers := slices.DeleteFunc(slices.Clone(g.answers), func(a said) bool {
		return q.offered(t, a.option) == nil
	})
	for i, a := range answers {
		scenario := "scriptless"
		if i == 0 {
			scenario = "question"
		}
		if *full || i == 0 || i == len(answers)-1 {
			t.Run(strings.ReplaceAll(a.name(), " ", "_"), func(t *testing.T) { q.answeredIn(t, c, a, scenario) })
		}
	}
}

// offered is the option of a name that the open question shows; nil: none.
func (q *question) offered(t *testing.T, name string) *machine.Option {
	t.Helper()
	all := q.state(t).Gate.Offered()
	at := slices.IndexFunc(all, func(o machine.Option) bool { return o.Name == name })
	if at < 0 {
		return nil
	}
	return &all[at]
}

// answeredIn gives one answer by the form.
func (q *question) answeredIn(t *testing.T, c *chromium, a said, scenario string) {
	q.again(t)
	if a.before != nil {
		a.before(t, q.place)
	}
	gate, before := q.state(t).Gate, len(q.state(t).Decisions)
	o := q.offered(t, a.option)
	options := slices.DeleteFunc(view.Choices(*gate), func(c view.Choice) bool { return c.Name == machine.Stop }) // no run is alive to hear it
	b, path := q.shownAt(t)
	c.plays(t, scenario, b.on(t, path, stage{"name": t.Name(), "options": options, "option": a.option, "word": o.Word(), "reason": a.reason, "summary": a.summary, "phase": a.phase}), nil)
	s := q.state(t)
	if len(s.Decisions) <= before {
		t.Fatalf("nothing was decided: %s", where(s))
	}
	d := s.Decisions[before]
	if d.Gate != gate.ID || d.Decision != gate.Called()+": "+a.option || d.Reason != a.reason || d.By != "human, web" {
		t.Errorf("the decision is %+v", d)
	}
	if at := where(s); at != a.lands {
		t.Errorf("the session stands at %s, want %s", at, a.lands)
	}
}

// TestBrowserSaysWhyAnAnswerIsNotTaken: its reason is missing, or somebody else answered meanwhile, and then by whom.
func TestBrowserSaysWhyAnAnswerIsNotTaken(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	q := newQuestion(t, arrival{flags: "--review-plans", turns: []string{planned(oneTask)}})
	b, path := q.shownAt(t)
	c.plays(t, "withoutReason", b.on(t, path, stage{"option": "revise", "word": "revise"}), nil)
	if n := len(q.state(t).Decisions); n != 0 {
		t.Errorf("%d decisions without a reason", n)
	}
	c.plays(t, "elsewhere", b.on(t, path, stage{"option": "revise", "decision": "You approved the plan", "by": "by human at"}), map[string]func(string){
		"answer": func(string) { q.does(t, "answer", "docs/spec.md", "yes") },
	})
	if d := q.state(t).Decisions; len(d) != 1 || d[0].By != "human" {
		t.Errorf("the decisions are %+v", d)
	}
}

// TestBrowserKeepsWhatIsTyped: a page that follows takes nothing from under the hands of who answers.
func TestBrowserKeepsWhatIsTyped(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	q := newQuestion(t, arrival{flags: "--review-plans", turns: []string{planned(oneTask)}})
	other := newEmptyPlace(t)
	other.put(t, filepath.Join(other.repo, "docs", "spec.md"), []byte(strings.Replace(goodSpec, "complexity: low", "complexity: high", 1)))
	other.begin(t)
	b, path := q.shownAt(t, "--root", q.repo, "--root", other.repo)
	c.plays(t, "keepsTyping", b.on(t, path, nil), map[string]func(string){
		"note": func(text string) { q.does(t, "note", "docs/spec.md", text) },
		"another session": func(string) {
			if got := other.command(console.Host{}, "docs/spec.md", "--fast", "--non-interactive", "--replay", q.replay); got.code != 3 {
				t.Errorf("the other session asks nothing: exit code %d:\n%s", got.code, got.text)
			}
		},
	})
}

// TestBrowserSaysThatItIsStale: who looks at a page that no longer follows reads that, and that runs go on.
func TestBrowserSaysThatItIsStale(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	q := newQuestion(t, arrival{flags: "--review-plans", turns: []string{planned(oneTask)}})
	b, path := q.shownAt(t)
	c.plays(t, "stale", b.on(t, path, nil), map[string]func(string){
		"note": func(text string) { q.does(t, "note", "docs/spec.md", text) },
		"end": func(string) {
			if err := b.end(); err != nil {
				t.Error(err)
			}
		},
	})
}

// TestBrowserTakesComments: what is written at a line of the plan goes with the answer, with script and without.
func TestBrowserTakesComments(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	q := newQuestion(t, arrival{flags: "--review-plans", turns: []string{planned(oneTask)}})
	for _, script := range []bool{true, false} {
		q.again(t)
		b, path := q.shownAt(t)
		place := q.state(t).Phases[0].PlanPath + ":3"
		c.plays(t, "comments", b.on(t, path, stage{"place": place, "script": script, "view": "View the plan", "option": "revise"}), nil)
		if d := q.state(t).Decisions; len(d) != 1 || d[0].Reason != place+": Ask the store." {
			t.Errorf("script %v: the decisions are %+v", script, d)
		}
	}
}

// TestBrowserCommentReachesTheAgent: what is written at a line of the diff stands in the prompt of the agent that fixes it.
func TestBrowserCommentReachesTheAgent(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	p := newStoryPlace(t, "serve", "comments.txtar")
	p.command(console.Host{}, "docs/spec.md", "--backend", "mine", "--fast", "--non-interactive")
	b, path := p.shownAt(t)
	c.plays(t, "comments", b.on(t, path, stage{"place": "limit.go:4", "script": true, "view": "View the diff", "option": "fix"}), nil)
	p.command(console.Host{}, "docs/spec.md", "--backend", "mine", "--non-interactive")
	prompt, err := os.ReadFile(filepath.Join(p.session(), "attempts", "1", "task-002", "1", "prompt.md"))
	if err != nil || !strings.Contains(string(prompt), "> limit.go:4: Ask the store.") {
		t.Errorf("the executor hears nothing of it: %v\n%s", err, prompt)
	}
}

// TestBrowserIsDrivenByKeys: a session is read and answered without a mouse.
func TestBrowserIsDrivenByKeys(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	q := newQuestion(t, arrival{flags: "--fast", config: "validate: {commands: ['test -f good.txt || ! grep hello greet.txt']}\n", turns: []string{planned(oneTask), executes}})
	b, path := q.shownAt(t)
	c.plays(t, "keys", b.on(t, path, nil), nil)
}

// TestBrowserReadsEachPage: each page fits on each screen, and axe-core finds nothing grave in it, light and dark.
func TestBrowserReadsEachPage(t *testing.T) {
	t.Parallel()
	c := newChromium(t)
	long := strings.Repeat("a-name-without-a-space-", 8)
	asking := newQuestion(t, arrival{
		flags: "--fast", config: "validate: {commands: ['test -f good.txt || ! grep hello greet.txt']}\n",
		turns: []string{planned(oneTask), strings.Replace(executes, `"hello\n"`, `"hello `+long+`\n"`, 1)},
	})
	b, path := asking.shownAt(t)
	c.plays(t, "everyPage", b.on(t, "", stage{"pages": map[string]string{
		"overview": "/", "question": path, "plan": path + "/plan/1?at=" + url.QueryEscape(asking.state(t).Phases[0].PlanPath+":3"), "diff": path + "/diff", "not found": "/nowhere",
		"task": path + "/task/1/1", "agent runs": path + "/runs", "agent run": path + "/attempts/1/task-001/1",
	}}), nil)
	done := newQuestion(t, arrival{flags: "--fast", turns: []string{planned(oneTask), executes, reviews}})
	done.does(t, "answer", "docs/spec.md", "yes")
	done.does(t, done.sameCommand("--non-interactive")...)
	b, path = done.shownAt(t)
	c.plays(t, "everyPage", b.on(t, "", stage{"pages": map[string]string{"done": path, "diff of a phase": path + "/diff?phase=1"}}), nil)
}
