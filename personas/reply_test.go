package personas

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReplyIsJudgedWithEveryProblemNamed(t *testing.T) {
	long := strings.Repeat("9", 900_000)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"empty":             {"  ", []string{"it is empty"}},
		"not JSON":          {"{\n\"v\": 1,\n}", []string{"line 3"}},
		"cut":               {`{"v": 1, "status": "do`, []string{"not JSON"}},
		"a list":            {`[]`, []string{"must be a JSON object"}},
		"two values":        {`{"v":1,"status":"done","summary":"x"} {}`, []string{"follows"}},
		"a key twice":       {"{\"v\":1,\"status\":\"failed\",\n\"summary\":\"x\",\n\"status\":\"done\"}", []string{`line 3: the key "status" stands twice`}},
		"in two cases":      {`{"v":1,"status":"failed","summary":"x","Status":"done"}`, []string{`the key "Status" stands twice`}},
		"twice within":      {`{"v":1,"status":"done","summary":"x","criteria":[{"text":"t","satisfied":false,"satisfied":true,"confidence":"high"}]}`, []string{`"satisfied" stands twice`}},
		"wrong kind":        {`{"v":1,"status":"done","summary":"x","concerns":"none"}`, []string{"concerns must be an array, not string"}},
		"wrong kind within": {`{"v":1,"status":"done","summary":"x","findings":[{"line":"12"}]}`, []string{"line must be a number"}},
		"nothing in it":     {`{}`, []string{`status is ""`, "summary is missing"}},
		"newer version":     {`{"v":2,"status":"done","summary":"x"}`, []string{"v is 2"}},
		"blocked by what":   {`{"v":1,"status":"blocked","summary":"x"}`, []string{"blocker does not say"}},
		"every part": {
			`{"v":1,"status":"maybe","summary":"x","findings":[{"severity":"awful","line":-1}],"evidence":[{"exitCode":0}],"criteria":[{"satisfied":true}]}`,
			[]string{`status is "maybe"`, "findings[0].severity", "findings[0].title", "findings[0].line", "evidence[0].command", "criteria[0].text", "criteria[0].confidence"},
		},
		"a long number":   {`{"v":1,"status":"done","summary":"x","findings":[{"line":` + long + `}]}`, []string{"line must be a number, not number 99999", "9…"}},
		"a long version":  {`{"v":` + long + `}`, []string{"v must be a number, not number 99999", "9…"}},
		"a long status":   {`{"v":1,"summary":"x","status":"` + long + `"}`, []string{`status is "99999`, `9…"; it must be`}},
		"long words":      {`{"v":1,"summary":"x","status":"` + strings.Repeat("word ", 1000) + `"}`, []string{`word…"; it must be`}},
		"a long severity": {`{"v":1,"status":"done","summary":"x","findings":[{"severity":"` + long + `","title":"t"}]}`, []string{`findings[0].severity is "999`, `9…"; it`}},
		"a long confidence": {
			`{"v":1,"status":"done","summary":"x","criteria":[{"confidence":"` + long + `","text":"t"}]}`, []string{`criteria[0].confidence is "999`, `9…"; it`},
		},
		"a long key twice": {`{"` + long[:400_000] + `":1,"` + long[:400_000] + `":2}`, []string{`the key "99999`, `9"… stands twice`}},
		"many problems":    {`{"v":1,"status":"done","summary":"x","evidence":[` + strings.Repeat(`{},`, 150) + `{}]}`, []string{"evidence[0].command", "and 131 more"}},
		"many findings": {
			`{"v":1,"status":"done","summary":"x","findings":[` + strings.Repeat(`{},`, 300_000) + `{}]}`, []string{"findings has 300001 entries, and at most 200 are taken"},
		},
		"too large": {`{"v":1,"summary":"` + strings.Repeat("x", maxReply) + `"}`, []string{"larger than"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseReply([]byte(c.text))
			var invalid *ReplyError
			if !errors.As(err, &invalid) {
				t.Fatalf("got %v, want a *ReplyError", err)
			}
			for _, want := range c.want {
				if !strings.Contains(invalid.Error(), want) {
					t.Errorf("%.2000q does not say %q", invalid.Error(), want)
				}
			}
			if len(invalid.Error()) > 3000 {
				t.Errorf("it is told in %d bytes", len(invalid.Error()))
			}
		})
	}
}

// TestLongTextsOfAReplyAreShortened: they come to stand in questions, in the state and in prompts. No half of a secret does.
func TestLongTextsOfAReplyAreShortened(t *testing.T) {
	const secret = "Zq7vWx9kYj3mPb5n"
	long := strings.Repeat("x", maxReplyText-45) + secret + strings.Repeat("y", 900_000)
	reply := Reply{
		V: 1, Status: StatusBlocked, Summary: long, Blocker: long, PlanPath: long, Concerns: []string{long, "short"},
		Findings: []Finding{{Severity: Critical, File: long, Title: long, Rationale: long}}, Evidence: []Evidence{{Command: long, Note: long}},
		Criteria: []Criterion{{Text: long, Confidence: High, Evidence: long}}, Learnings: []Learning{{Outcome: "gotcha", Text: long}},
	}
	out, err := NewMask(nil, secret).Dispatch(t.Context(), player(func(Dispatch) Outcome { return Outcome{Kind: GotReply, Reply: &reply} }), Dispatch{})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(out.Reply)
	if err != nil || len(raw) > 13*maxReplyText || strings.Count(string(raw), "… (shortened; it had ") != 12 || strings.Contains(string(raw), secret[:4]) {
		t.Errorf("%d bytes, %v: %.200s", len(raw), err, raw)
	}
	if got := out.Reply; got.Concerns[1] != "short" || got.Status != StatusBlocked || got.Findings[0].Severity != Critical || len(reply.Blocker) != len(long) || len(reply.Concerns[0]) != len(long) {
		t.Errorf("%.200s", raw)
	}
	if again, err := ParseReply(raw); err != nil || !cmp.Equal(&again, out.Reply) {
		t.Errorf("it comes back otherwise: %v", err)
	}
}

func TestSynonymsAreTaken(t *testing.T) {
	r, err := ParseReply([]byte("\ufeff" + `{"status":"Completed","summary":" x ","concerns":["", "a"],
		"findings":[{"severity":"BLOCKING","title":"a"},{"severity":"warning","title":"b"},{"severity":"note","title":"c"}],
		"criteria":[{"text":"t","satisfied":true,"confidence":"High"}],
		"learnings":[{"outcome":"gotcha","text":""}],"unknown":{"kept":"out"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Reply{
		V: 1, Status: StatusDone, Summary: "x", Concerns: []string{"a"}, Learnings: []Learning{},
		Findings: []Finding{{Severity: Critical, Title: "a"}, {Severity: Important, Title: "b"}, {Severity: Suggestion, Title: "c"}},
		Criteria: []Criterion{{Text: "t", Satisfied: true, Confidence: High}}, Unknown: []string{"unknown"},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownFieldsAreNamed(t *testing.T) {
	r, err := ParseReply([]byte(`{"status":"done","summary":"x","Concerns":null,"notes":"n","old":null,
		"findings":[{"severity":"note","title":"a","why":"b"},{"severity":"note","title":"c","why":"d"}],"evidence":[{"command":"c","exitcode":1}]}`))
	if diff := cmp.Diff([]string{"findings.why", "notes"}, r.Unknown); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err = ParseReply([]byte(`{"status":"done","sumary":"x"}`)); err == nil || !strings.Contains(err.Error(), "summary is missing; sumary is not a field") {
		t.Errorf("what is misspelt is not named: %v", err)
	}
}

func TestWhoIsDoneOwes(t *testing.T) {
	planner := Persona{Name: Planner, Owes: []string{"summary", "planPath"}}
	if err := planner.CheckOwed(Reply{Status: StatusDone, Summary: "x"}); err == nil || !strings.Contains(err.Error(), "planPath is missing") {
		t.Errorf("a plan without a path: %v", err)
	}
	if err := planner.CheckOwed(Reply{Status: StatusDone, Summary: "x", PlanPath: "p.md"}); err != nil {
		t.Error(err)
	}
	if err := planner.CheckOwed(Reply{Status: StatusBlocked}); err != nil {
		t.Errorf("who is blocked owes only the reason: %v", err)
	}
	all := Persona{Owes: owedNames()}
	var invalid *ReplyError
	if err := all.CheckOwed(Reply{Status: StatusDone}); !errors.As(err, &invalid) || len(invalid.Problems) != len(owed) {
		t.Errorf("not every field is missed: %v", err)
	}
}

func TestLastReplyOfAMessageCounts(t *testing.T) {
	reply := `{"v":1,"status":"done","summary":"second"}`
	for name, c := range map[string]struct{ text, want string }{
		"the whole message":   {reply, "second"},
		"fenced":              {"I did it.\n\n```json\n" + reply + "\n```\nBye.", "second"},
		"the last of two":     {"```json\n{\"v\":1,\"status\":\"failed\",\"summary\":\"first\"}\n```\n~~~\n" + reply + "\n~~~\n", "second"},
		"before other JSON":   {"```json\n" + reply + "\n```\n```json\n{\"name\":\"x\"}\n```", "second"},
		"in a longer fence":   {"````md\n```\n" + "not it\n```\n````\n```\n" + reply + "\n```", "second"},
		"a fence left open":   {"```json\n" + reply, "second"},
		"indented in a list":  {"- so:\n  ```json\n  " + reply + "\n  ```", "second"},
		"only words":          {"All done, all tests pass.", ""},
		"only other JSON":     {"```json\n{\"name\":\"x\"}\n```", ""},
		"a question":          {"Shall I go on?", ""},
		"status in the prose": {`The "status" is fine and so is the "summary".`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := FromMessage(c.text)
			if c.want == "" {
				if !errors.Is(err, ErrNoReply) {
					t.Errorf("got %+v, %v, want ErrNoReply", r, err)
				}
				return
			}
			if err != nil || r.Summary != c.want {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
}

func TestSlipInAReplyIsNoMissingReply(t *testing.T) {
	_, err := FromMessage("```json\n{\"v\":1, \"status\": \"done\", \"summary\": \"x\",}\n```")
	if _, ok := errors.AsType[*ReplyError](err); !ok {
		t.Errorf("got %v, want a *ReplyError that can go back", err)
	}
}

func TestOlderHandoffIsReadLeniently(t *testing.T) {
	r, err := FromHandoff([]byte(`{"fromSkill":"x-planning","phase":"PLAN","summary":"Planned.",
		"pending":["Task 1", {"task":"Task 2"}], "concerns":"one text", "artifacts":["src/a.go","docs/plans/2026-01-02-x-plan.md"],
		"decisions":[{"what":"SQLite","why":"one file"}, "no cache", null, 7], "blockers":[],
		"findings":[{"severity":"warning","message":"slow"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Reply{
		V: 1, Status: StatusDone, Summary: "Planned.\n\nPending:\n- Task 1\n- Task 2", PlanPath: "docs/plans/2026-01-02-x-plan.md",
		Concerns: []string{"one text"}, Findings: []Finding{{Severity: Important, Title: "slow"}},
		Learnings: []Learning{{"decision", "SQLite (one file)"}, {"decision", "no cache"}, {"decision", "7"}},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
}

func TestHandoffWithBlockersIsBlocked(t *testing.T) {
	r, err := FromHandoff([]byte(`{"summary":"Stuck.","blockers":[{"description":"no key"},{"odd":1}]}`))
	if err != nil || r.Status != StatusBlocked || r.Blocker != `no key; {"odd":1}` {
		t.Errorf("got %+v, %v", r, err)
	}
	for _, bad := range []string{`{"summary":""}`, `nonsense`, `{"summary":3}`} {
		var invalid *ReplyError
		if _, err := FromHandoff([]byte(bad)); !errors.As(err, &invalid) {
			t.Errorf("%s: got %v, want a *ReplyError", bad, err)
		}
	}
}

func TestReplySurvivesItsJSON(t *testing.T) {
	var want Reply
	if err := json.Unmarshal([]byte(replyExample), &want); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseReply(raw)
	if err != nil || !cmp.Equal(want, got) {
		t.Errorf("%v %s", err, cmp.Diff(want, got))
	}
}

func TestErrorsSayWhatToDoNext(t *testing.T) {
	for _, err := range []error{&LimitError{Detail: "slow"}, &AuthError{Detail: "401"}, &EndError{Kind: Crashed, Detail: "oops"}} {
		if !slices.ContainsFunc([]string{"run the same command", "check the API key", "crashed"}, func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Errorf("%v", err)
		}
	}
}

func TestKeysAndUsageReadWell(t *testing.T) {
	if got := (Key{Persona: "executor", Phase: 1, Task: "task-002", Attempt: 3}).String(); got != "executor phase 1 task-002 attempt 3" {
		t.Error(got)
	}
	if got := (Key{Persona: "reviewer", Attempt: 1}).String(); got != "reviewer attempt 1" {
		t.Error(got)
	}
	sum := Usage{1, 2, 3, 0.5}.Add(Usage{10, 20, 30, 0.25})
	if sum != (Usage{11, 22, 33, 0.75}) {
		t.Error(sum)
	}
	beats := 0
	Beat(WithBeat(t.Context(), func() { beats++ }))
	Beat(t.Context()) // nobody listens
	if beats != 1 {
		t.Errorf("%d beats", beats)
	}
}
