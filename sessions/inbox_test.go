package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
)

// waiting is a session whose gate g2 is open, with its inbox.
func waiting(t *testing.T) (s *Session, dir, inbox string) {
	t.Helper()
	dir = sessionDir(t)
	s = create(t, dir)
	apply(t, s, machine.Event{Type: machine.GateRaised})
	return s, dir, filepath.Join(dir, inboxName)
}

func theInbox(t *testing.T, s *Session) []InboxFile {
	t.Helper()
	files, err := s.Inbox()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestAPostedAnswerIsFoundAndTaken(t *testing.T) {
	s, dir, inbox := waiting(t)
	want := machine.Answer{Gate: "g2", Option: "yes", Reason: "fine", Phase: 1, By: "file"}
	if err := PostAnswer(dir, want); err != nil {
		t.Fatal(err)
	}
	if err := PostAnswer(dir, want); !errors.Is(err, ErrAnswerWaiting) {
		t.Errorf("a second answer: %v", err)
	}
	files := theInbox(t, s)
	if len(files) != 1 || files[0].Answer != want || files[0].Problem != "" || files[0].ModTime.IsZero() {
		t.Fatalf("inbox %+v", files)
	}
	for range 2 {
		if err := s.Remove(files[0]); err != nil {
			t.Error(err)
		}
	}
	if got := names(t, inbox); len(got) > 0 {
		t.Errorf("left in the inbox: %q", got)
	}
}

func TestWhatIsNoAnswerHasAProblem(t *testing.T) {
	s, _, inbox := waiting(t)
	if err := os.MkdirAll(filepath.Join(inbox, "g9.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, `{"option":"yes"}`, inbox, "g2.json")
	write(t, `{"gate":"g4","option":"yes"}`, inbox, "g3.json")
	write(t, `yes`, inbox, "g5.json")
	write(t, strings.Repeat(" ", maxAnswer+1), inbox, "g6.json")
	write(t, `{"option":"stop","option":"yes"}`, inbox, "g10.json")
	write(t, `{}`, inbox, "answer.json")
	write(t, `{}`, inbox, "g7.refused.json")
	write(t, `{}`, inbox, "g8-x.tmp")
	problems := map[string]string{
		"g2.json": "", "g3.json": "its name says gate g3", "g5.json": "it is not JSON", "g6.json": "larger than 64 KB",
		"g10.json": `the key "option" stands twice`, "g9.json": "not a plain file", "answer.json": "not that of a gate",
	}
	if os.Symlink(filepath.Join(inbox, "g2.json"), filepath.Join(inbox, "g1.json")) == nil {
		problems["g1.json"] = "not a plain file"
	}
	files := theInbox(t, s)
	if len(files) != len(problems) {
		t.Errorf("inbox %+v", files)
	}
	for _, f := range files {
		want := problems[filepath.Base(f.Path)]
		if !strings.Contains(f.Problem, want) || (want == "") != (f.Problem == "") {
			t.Errorf("%s: %q, want %q", filepath.Base(f.Path), f.Problem, want)
		}
		if f.Problem != "" && f.Answer != (machine.Answer{}) {
			t.Errorf("%s still has an answer", f.Path)
		}
		if err := s.Refuse(f, "no: "+f.Problem); err != nil {
			t.Error(err)
		}
	}
	if left := theInbox(t, s); len(left) > 0 {
		t.Errorf("after they were refused: %+v", left)
	}
	if got := document(t, read(t, inbox, "g5.refused.json")); got["reason"] != "no: "+files[len(files)-3].Problem || got["answer"] != "yes" {
		t.Errorf("refusal %v", got)
	}
	if got := document(t, read(t, inbox, "g9.refused.json")); got["file"] != "g9.refused" {
		t.Errorf("refusal %v", got)
	}
}

func TestEachRefusalIsKeptAndTheLastIsTold(t *testing.T) {
	s, dir, inbox := waiting(t)
	for _, reason := range []string{"not offered", "no reason", "too late"} {
		if err := PostAnswer(dir, machine.Answer{Gate: "g2", Option: "no"}); err != nil {
			t.Fatal(err)
		}
		if got, refused := Refused(dir, "g2"); refused {
			t.Errorf("before the answer was looked at: refused, %q", got)
		}
		if err := s.Refuse(theInbox(t, s)[0], reason); err != nil {
			t.Fatal(err)
		}
		if got, refused := Refused(dir, "g2"); got != reason || !refused {
			t.Errorf("refused %t, %q, want %q", refused, got, reason)
		}
	}
	write(t, `{"option":"by hand"}`, inbox, "g2.json")
	if err := s.Refuse(theInbox(t, s)[0], "by hand"); err != nil {
		t.Fatal(err)
	}
	if got, _ := Refused(dir, "g2"); got != "by hand" {
		t.Errorf("refused %q", got)
	}
	if got := strings.Join(names(t, inbox), " "); got != "g2-2.refused.json g2-3.refused.json g2-4.refused.json g2.refused.json" {
		t.Errorf("files %s", got)
	}
	write(t, "half", inbox, "g2.refused.json")
	if got, refused := Refused(dir, "g2"); refused {
		t.Errorf("half a file says %q", got)
	}
}

func TestAnAnswerThatWasThereBeforeItsGateIsRefused(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	inbox := filepath.Join(dir, inboxName)
	if err := PostAnswer(dir, machine.Answer{Gate: "g2", Option: "yes"}); err != nil {
		t.Fatal(err)
	}
	future := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(inbox, "g2.json"), future, future); err != nil {
		t.Fatal(err)
	}
	apply(t, s, machine.Event{Type: machine.GateRaised})
	if files := theInbox(t, s); len(files) > 0 {
		t.Errorf("inbox %+v", files)
	}
	if got := document(t, read(t, inbox, "g2.refused.json")); !strings.Contains(got["reason"].(string), "before the question") {
		t.Errorf("refusal %v", got)
	}
}

func TestAnAnswerOlderThanItsGateHasAProblem(t *testing.T) {
	s, dir, inbox := waiting(t)
	asked := s.State().Gate.AskedAt
	for name, c := range map[string]struct {
		at    time.Time
		early bool
	}{
		"before":                       {asked.Add(-time.Minute), true},
		"in the same tick":             {asked.Add(-5 * time.Millisecond), false},
		"after":                        {asked.Add(time.Minute), false},
		"in whole seconds, same":       {asked.Truncate(time.Second), false},
		"in whole seconds, and before": {asked.Add(-10 * time.Second).Truncate(time.Second), true},
	} {
		path := filepath.Join(inbox, "g2.json")
		_ = os.Remove(path)
		if err := errors.Join(PostAnswer(dir, machine.Answer{Gate: "g2", Option: "yes"}), os.Chtimes(path, c.at, c.at)); err != nil {
			t.Fatal(err)
		}
		if f := theInbox(t, s)[0]; (f.Problem != "") != c.early {
			t.Errorf("%s: problem %q", name, f.Problem)
		}
	}
}

func TestAnAnswerNeedsTheNameOfAGate(t *testing.T) {
	_, dir, inbox := waiting(t)
	for _, gate := range []string{"", "2", "g", "../g2", "g2.refused"} {
		if err := PostAnswer(dir, machine.Answer{Gate: gate}); err == nil {
			t.Errorf("%q is taken", gate)
		}
	}
	if len(names(t, inbox)) > 0 {
		t.Error("something was written")
	}
}

func TestAnInboxThatIsALinkIsRefused(t *testing.T) {
	s, dir, inbox := waiting(t)
	if err := os.Symlink(t.TempDir(), inbox); err != nil {
		t.Skip("no symbolic links here")
	}
	var link *plainfile.LinkError
	if _, err := s.Inbox(); !errors.As(err, &link) {
		t.Errorf("Inbox: %v", err)
	}
	if err := PostAnswer(dir, machine.Answer{Gate: "g2"}); !errors.As(err, &link) {
		t.Errorf("PostAnswer: %v", err)
	}
}

func TestHalfWrittenAnswersAreRemovedOnceTheyAreOld(t *testing.T) {
	s, dir, inbox := waiting(t)
	closed(t, s)
	if err := os.MkdirAll(inbox, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"g2-new.tmp": time.Minute, "g2-old.tmp": time.Hour} {
		write(t, "", inbox, name)
		at := noon.Add(-age)
		if err := os.Chtimes(filepath.Join(inbox, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir)
	if got := names(t, inbox); len(got) != 1 || got[0] != "g2-new.tmp" {
		t.Errorf("left in the inbox: %q", got)
	}
}
