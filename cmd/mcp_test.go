package cmd_test

import (
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"autopilot/cmd"
	"autopilot/cmd/console"
	"autopilot/sessions/storage"
)

// mcpClient is a client whose server is the program's own main in this process.
type mcpClient struct {
	*mcp.ClientSession
	input *io.PipeWriter
	said  *listener
	ended chan int
}

func (p *place) mcp(t *testing.T, args ...string) *mcpClient {
	t.Helper()
	in, input := io.Pipe()
	output, out := io.Pipe()
	c := &mcpClient{input: input, said: newListener(), ended: make(chan int, 1)}
	go func() {
		c.ended <- cmd.Main(append([]string{"mcp"}, args...), console.Host{
			In: in, Out: out, Err: c.said, Dir: p.repo, Environ: p.env, Now: time.Now, Disk: storage.PassingDisk{},
		})
		_ = out.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: output, Writer: input}, nil)
	if err != nil {
		t.Fatalf("connecting: %v\n%s", err, c.said)
	}
	c.ClientSession = session
	t.Cleanup(func() { _ = session.Close() })
	return c
}

// call gives the text of a tool's result, and whether it is an error.
func (c *mcpClient) call(t *testing.T, tool string, arguments map[string]any) (string, bool) {
	t.Helper()
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s gave %d pieces", tool, len(result.Content))
	}
	return result.Content[0].(*mcp.TextContent).Text, result.IsError
}

// read calls a tool and decodes what it gives.
func (c *mcpClient) read(t *testing.T, tool string, arguments map[string]any, into any) {
	t.Helper()
	text, wrong := c.call(t, tool, arguments)
	if wrong {
		t.Fatalf("%s %v: %s", tool, arguments, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v:\n%s", tool, err, text)
	}
}

// refused wants an error with these words for each call.
func (c *mcpClient) refused(t *testing.T, tool string, calls map[string]map[string]any) {
	t.Helper()
	for want, arguments := range calls {
		if text, wrong := c.call(t, tool, arguments); !wrong || !strings.Contains(text, want) {
			t.Errorf("%s %v: error %t: %s\nwant %q", tool, arguments, wrong, text, want)
		}
	}
}

// planToApprove is a session that waits for a yes to its plan.
func planToApprove(t *testing.T) *question {
	t.Helper()
	return newQuestion(t, arrival{flags: "--review-plans", turns: []string{planned(oneTask), executes, verifies, reviews}})
}

func TestMCPServesASessionAndTakesNoAnswer(t *testing.T) {
	t.Parallel()
	q := planToApprove(t)
	gate := q.state(t).Gate.ID
	before := q.journal(t)
	c := q.mcp(t)
	var names []string
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s is not marked as one that only reads", tool.Name)
		}
	}
	if want := []string{"events", "gates", "log", "plan", "sessions", "status", "why"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %v, want %v", names, want)
	}
	var status struct {
		State string
		Gate  struct{ ID string }
	}
	if c.read(t, "status", nil, &status); status.State != "APPROVE_PLAN" || status.Gate.ID != gate {
		t.Errorf("the status is %+v", status)
	}
	var gates struct {
		Gates []struct {
			Spec string
			Gate struct {
				Kind    string
				Options []struct{ Name string }
			}
		}
		AnswersAllowed bool
	}
	c.read(t, "gates", nil, &gates)
	if len(gates.Gates) != 1 || gates.Gates[0].Gate.Kind != "approve_plan" || gates.Gates[0].Gate.Options[0].Name != "yes" || gates.AnswersAllowed {
		t.Errorf("the gates are %+v", gates)
	}
	var list []struct{ Spec, Gate string }
	if c.read(t, "sessions", nil, &list); len(list) != 1 || list[0].Spec != "docs/spec.md" || list[0].Gate != "approve_plan" {
		t.Errorf("the sessions are %+v", list)
	}
	for tool, want := range map[string]string{"plan": oneTask, "why": "waiting for you: approve the plan", "log": "? Approve the plan"} {
		if text, wrong := c.call(t, tool, map[string]any{"spec": "docs/spec.md"}); wrong || !strings.Contains(text, want) {
			t.Errorf("%s: error %t: %s", tool, wrong, text)
		}
	}
	c.refused(t, "answer", map[string]map[string]any{"autopilot mcp --allow-answers": {"gate": gate, "option": "yes"}})
	for _, phase := range []any{1, "1"} {
		if text, wrong := c.call(t, "plan", map[string]any{"phase": phase}); wrong || !strings.Contains(text, oneTask) {
			t.Errorf("the plan of phase %#v: error %t: %s", phase, wrong, text)
		}
	}
	c.refused(t, "plan", map[string]map[string]any{"has no phase 7": {"phase": "7"}})
	c.refused(t, "plan", map[string]map[string]any{"has no phase 8": {"phase": 8}})
	c.refused(t, "status", map[string]map[string]any{
		"no session for docs/other.md": {"spec": "docs/other.md"},
		"outside of the repository":    {"spec": "../docs/spec.md"},
		"spce":                         {"spce": "docs/spec.md"},
	})
	if got := q.journal(t); got != before {
		t.Errorf("the journal grew:\n%s", got)
	}
	_ = c.input.Close()
	if code := <-c.ended; code != 0 {
		t.Errorf("it ended with %d:\n%s", code, c.said)
	}
}

func TestMCPEventsComeInPagesWithoutGaps(t *testing.T) {
	t.Parallel()
	q := planToApprove(t)
	c := q.mcp(t, filepath.Join(q.repo, "docs", "spec.md"))
	type page struct {
		Events   []map[string]any
		Next     int64
		Revision int64
		More     bool
	}
	seen := int64(0)
	for more := true; more; {
		var p page
		c.read(t, "events", map[string]any{"after": seen, "limit": 3}, &p)
		if len(p.Events) == 0 || len(p.Events) > 3 || p.Revision != q.state(t).Revision {
			t.Fatalf("after %d: %+v", seen, p)
		}
		for _, e := range p.Events {
			if seen++; e["rev"] != float64(seen) || e["type"] == "" || e["crc"] != nil {
				t.Fatalf("event %d is %v", seen, e)
			}
		}
		if p.Next != seen {
			t.Fatalf("next is %d after %d", p.Next, seen)
		}
		more = p.More
	}
	if seen != q.state(t).Revision {
		t.Errorf("the last event is %d of %d", seen, q.state(t).Revision)
	}
	var end page
	if c.read(t, "events", map[string]any{"after": seen}, &end); len(end.Events) != 0 || end.Next != seen || end.More {
		t.Errorf("behind the last event: %+v", end)
	}
	c.refused(t, "status", map[string]map[string]any{"only docs/spec.md is served here": {"spec": "docs/other.md"}})
}

func TestMCPAnswersAsAutopilotAnswerDoes(t *testing.T) {
	t.Parallel()
	q := planToApprove(t)
	gate := q.state(t).Gate.ID
	c := q.mcp(t, "--allow-answers")
	c.refused(t, "answer", map[string]map[string]any{
		"is not the open question":       {"gate": "g1", "option": "yes"},
		"doesn't answer this question":   {"gate": gate, "option": "perhaps"},
		"revise needs a reason":          {"gate": gate, "option": "revise"},
		"missing properties: [\"gate\"]": {"option": "yes"},
	})
	if s := q.state(t); s.Gate == nil || len(s.Decisions) != 0 {
		t.Fatalf("something was decided: %+v", s.Decisions)
	}
	text, wrong := c.call(t, "answer", map[string]any{"gate": gate, "option": "yes", "comment": "It is small."})
	if wrong || !strings.Contains(text, "Answered: approve") {
		t.Fatalf("answer: error %t: %s", wrong, text)
	}
	d := q.state(t).Decisions
	if len(d) != 1 || d[0].By != "mcp" || d[0].Gate != gate || d[0].Reason != "It is small." {
		t.Errorf("the decisions are %+v", d)
	}
	c.refused(t, "answer", map[string]map[string]any{"was answered already: approve_plan: yes, by mcp": {"gate": gate, "option": "yes"}})
	c.refused(t, "answer", map[string]map[string]any{"no question is open": {"gate": "g999", "option": "yes"}})
	if end := q.runs(t, nil, "--yes"); end.code != 0 || q.state(t).CurrentState != "DONE" {
		t.Errorf("the run that went on ended with %d:\n%s", end.code, end.text)
	}
	if text, wrong := c.call(t, "gates", map[string]any{}); wrong || !strings.Contains(text, `"gates":[]`) {
		t.Errorf("gates: %s", text)
	}
	c.refused(t, "why", map[string]map[string]any{"no session is open": {}})
}

func TestMCPAnswerReachesALiveRun(t *testing.T) {
	t.Parallel()
	q := planToApprove(t)
	gate := q.state(t).Gate.ID
	c := q.mcp(t, "--allow-answers")
	run := q.asking(t)
	if text, wrong := c.call(t, "status", nil); wrong || !strings.Contains(text, gate) {
		t.Errorf("beside a run: error %t: %s", wrong, text)
	}
	c.refused(t, "answer", map[string]map[string]any{"is not the open question": {"gate": "g1", "option": "stop"}})
	text, wrong := c.call(t, "answer", map[string]any{"gate": gate, "option": "yes"})
	end := run.leave()
	goes, ended := "Answered: approve. The run continues.", "Answered: approve. The run took it and ended."
	if wrong || !strings.Contains(text, goes) && !strings.Contains(text, ended) { // by when the command looks
		t.Fatalf("answer: error %t: %s\nthe run:\n%s", wrong, text, end.text)
	}
	if d := q.state(t).Decisions; len(d) == 0 || d[0].By != "mcp" || d[0].Gate != gate {
		t.Errorf("the decisions are %+v", d)
	}
}

func TestMCPAsksWhichOfSeveralSessionsIsMeant(t *testing.T) {
	t.Parallel()
	q := planToApprove(t)
	copyTree(t, q.session(), filepath.Join(q.repo, ".harness", "sessions", "other"))
	c := q.mcp(t)
	c.refused(t, "status", map[string]map[string]any{"2 sessions are open; name one": {}})
	if text, wrong := c.call(t, "gates", nil); wrong || strings.Count(text, `"kind":"approve_plan"`) != 2 {
		t.Errorf("gates: %s", text)
	}
}

func TestMCPOutsideOfARepositorySaysWhatToDo(t *testing.T) {
	t.Parallel()
	p := newEmptyPlace(t)
	p.put(t, filepath.Join(p.repo, "a.txt"), nil)
	end := p.command(console.Host{}, "mcp")
	if end.code != 2 || !strings.Contains(end.text, "is not in a git repository") {
		t.Errorf("exit code %d:\n%s", end.code, end.text)
	}
}
