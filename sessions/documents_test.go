package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/plainfile"
	"autopilot/sessions/faulty"
	"autopilot/sessions/storage"
)

func TestDocumentsAreWrittenWhole(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	path, errSpec := s.WriteSpec([]byte("# Spec\n"))
	err := errors.Join(errSpec,
		s.WriteJSON(VerifyName(2), map[string]any{"command": "a && b"}), s.WriteJSON(VerifyName(2), []string{"x"}),
		s.WriteJSON(ReviewName(1), nil), s.WriteJSON(FinalReviewName, 1), s.WriteJSON(FinalVerifyName, 3), s.WriteJSON(FinalName, 2),
		s.WriteHandoff(Handoff{FromSkill: "executor", Phase: "EXECUTE", Summary: "Did <it>", Pending: []string{"rest"}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		SpecName: "# Spec\n", "phase-2-verify.json": "[\n  \"x\"\n]\n", "phase-1-review.json": "null\n",
		FinalReviewName: "1\n", FinalVerifyName: "3\n", FinalName: "2\n",
		handoffName: `{
  "timestamp": "2025-03-04T12:00:03Z",
  "fromSkill": "executor",
  "phase": "EXECUTE",
  "summary": "Did <it>",
  "completed": [],
  "pending": [
    "rest"
  ],
  "concerns": [],
  "decisions": [],
  "blockers": [],
  "contextKeywords": []
}
`,
	} {
		if d := cmp.Diff(want, read(t, dir, name)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if path != filepath.Join(dir, SpecName) {
		t.Errorf("the spec's copy is %s", path)
	}
	for _, name := range names(t, dir) {
		if strings.HasSuffix(name, storage.TempSuffix) {
			t.Errorf("%s is left over", name)
		}
	}
}

func TestNamesThatLeadElsewhereAreRefused(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, "c:x", ".hidden"} {
		_, errAttempt := s.Folders().AttemptDir(1, name, 1)
		if s.WriteText(name, "") == nil || errAttempt == nil {
			t.Errorf("%q is taken", name)
		}
	}
	if err := s.WriteJSON("x.json", func() {}); err == nil {
		t.Error("a value that is no JSON is written")
	}
}

func TestDocumentsDoNotFollowLinks(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	if err := os.Symlink(filepath.Join(dir, "x"), filepath.Join(dir, FinalName)); err != nil {
		t.Skip("no symbolic links here")
	}
	var link *plainfile.LinkError
	if err := s.WriteJSON(FinalName, 1); !errors.As(err, &link) {
		t.Errorf("error %v", err)
	}
}

func TestAttemptsHaveAFolderEach(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	for range 2 {
		got, err := s.Folders().AttemptDir(2, "task-001", 3)
		if want := filepath.Join(dir, "attempts", "2", "task-001", "3"); got != want || err != nil {
			t.Errorf("folder %s, error %v", got, err)
		}
	}
	if got := names(t, filepath.Join(dir, "attempts", "2", "task-001")); len(got) != 1 {
		t.Errorf("folders %q", got)
	}
}

func TestScratchpadIsKeptForThePhase(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	out, next := t.TempDir(), t.TempDir()
	pad := filepath.Join(out, "scratchpad")
	if err := os.MkdirAll(filepath.Join(pad, "notes"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "found", pad, "notes", "a.md")
	write(t, strings.Repeat("x", maxScratch+1), pad, "huge")
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, "secret", secret)
	linked := os.Symlink(secret, filepath.Join(pad, "link")) == nil
	for range 2 {
		if err := s.Folders().KeepScratchpad(1, out); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Folders().FillScratchpad(1, next); err != nil {
		t.Fatal(err)
	}
	if got := read(t, next, "scratchpad", "notes", "a.md"); got != "found" {
		t.Errorf("the note says %q", got)
	}
	if got := names(t, filepath.Join(next, "scratchpad")); len(got) != 1 {
		t.Errorf("files %q (a link among them: %t)", got, linked)
	}
	if err := s.Folders().ClearScratchpad(1); err != nil || len(names(t, filepath.Join(dir, "scratchpad"))) > 0 {
		t.Errorf("it is still there, error %v", err)
	}
	if err := errors.Join(s.Folders().FillScratchpad(1, next), s.Folders().KeepScratchpad(1, t.TempDir())); err != nil {
		t.Errorf("without a scratchpad: %v", err)
	}
}

func TestADocumentThatCannotBeWrittenLeavesTheOldOne(t *testing.T) {
	dir, s, disk := onFaulty(t)
	if err := s.WriteJSON(FinalName, "old"); err != nil {
		t.Fatal(err)
	}
	const perDocument = 7 // stat, remove, open, write, sync, close, rename
	for n := 1; n <= perDocument; n++ {
		disk.At = disk.Ops + n
		if err := s.WriteJSON(FinalName, "new"); !errors.Is(err, faulty.ErrFault) {
			t.Errorf("operation %d: %v", n, err)
		}
		if read(t, dir, FinalName) != "\"old\"\n" || slices.Contains(names(t, dir), FinalName+storage.TempSuffix) {
			t.Errorf("operation %d left %q in %q", n, read(t, dir, FinalName), names(t, dir))
		}
	}
	disk.At = disk.Ops + 2
	if err := s.Project(s.State()); !errors.Is(err, faulty.ErrFault) {
		t.Errorf("Project: %v", err)
	}
}

func TestAttemptsOfEarlierWorkAreKept(t *testing.T) {
	s := create(t, sessionDir(t))
	if err := s.Folders().SetAttemptsAside(2); err != nil {
		t.Fatalf("without earlier work: %v", err)
	}
	for _, want := range []string{"2.earlier", "2-2.earlier"} {
		dir, err := s.Folders().AttemptDir(2, "task-001", 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "prompt.md"), []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := s.Folders().SetAttemptsAside(2); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(s.Dir(), "attempts", want, "task-001", "1", "prompt.md"))
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", want, got, err)
		}
	}
}
