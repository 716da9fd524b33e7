package sites

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/plainfile"
	"autopilot/cmd/app"
	"autopilot/sessions/view"
)

// TestPartsOfAnAgentRun: what is there is shown, of a long text a part, and what is too large is named.
func TestPartsOfAnAgentRun(t *testing.T) {
	dir := t.TempDir()
	s := &Site{W: &app.Workspace{Session: dir}}
	seen := Sight{Session: view.Session{Phases: []view.Phase{{Position: 1, Tasks: []view.Task{{ID: "task-001", N: 1, Attempts: []view.Attempt{{N: 1, Dispatch: "d1", Output: "evidence/out.log"}}}}}}}}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const folder = "attempts/1/task-001/1/"
	write(folder+"prompt.md", "first "+strings.Repeat("x", 2*mostShown))
	write(folder+"reply.json", `{"v":1}`)
	write(folder+"transcript.jsonl", `{"message":{"role":"assistant","content":"I look.","calls":[{"name":"read_file","arguments":"{}"}]}}`+"\n"+`{"notice":"cut off"}`+"\n"+`{"mess`)
	write("evidence/out.log", "FAIL")
	big, err := os.Create(filepath.Join(dir, filepath.FromSlash(folder), "output.log"))
	if err == nil {
		err = big.Truncate(plainfile.Limit + 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = big.Close()

	run := s.Run(seen, "1", "task-001", "1")
	if run == nil || s.Run(seen, "1", "..", "1") != nil || s.Run(seen, "01", "task-001", "1") != nil {
		t.Fatalf("the run is %+v", run)
	}
	parts, turns, err := s.Parts(*run)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Part{}
	for _, p := range parts {
		got[p.What] = p
	}
	if p := got["prompt"]; !p.Cut || len(p.Text) != mostShown || !strings.HasPrefix(p.Text, "first ") {
		t.Errorf("the prompt: cut %v, %d bytes", p.Cut, len(p.Text))
	}
	if got["reply"].Text != "{\n  \"v\": 1\n}" || got["checks"].Text != "FAIL" || !strings.HasPrefix(got["output"].Text, "Too large to show here: ") {
		t.Errorf("the parts are %+v", got)
	}
	if len(turns) != 2 || turns[0].Text != "I look.\n→ read_file {}" || turns[0].First != "I look." || turns[1].Who != "autopilot" {
		t.Errorf("the turns are %+v", turns)
	}
	if _, err := s.Record(*run, "../../state"); err == nil {
		t.Error("a name that is no record's is read")
	}
}

// TestCommentsGoWithOneAnswer: they are kept in order, one can be taken back, and those on an earlier question go.
func TestCommentsGoWithOneAnswer(t *testing.T) {
	s := &Site{}
	for _, text := range []string{"one", "two\nlines", "three"} {
		s.AddComment(Comment{Gate: "g1", Place: "a.go:" + text[:1], Text: text})
	}
	s.DropComment("g1", 0)
	s.DropComment("g1", 7)
	if got := WithComments(s.CommentsOn("g1"), "all"); got != "a.go:t: two\n  lines\na.go:t: three\nall" {
		t.Errorf("the reason is %q", got)
	}
	if s.AddComment(Comment{Gate: "g2", Place: "b.go:1"}) || !s.AddComment(Comment{Gate: "g2", Place: "b.go:1", Text: "late"}) || len(s.CommentsOn("g1")) != 0 {
		t.Errorf("the comments are %+v", s.comments)
	}
	for range MostComments {
		s.AddComment(Comment{Gate: "g2", Place: "b.go:1", Text: "more"})
	}
	if n := len(s.CommentsOn("g2")); n != MostComments {
		t.Errorf("%d comments are kept", n)
	}
}
