package hub

import (
	"os"
	"path/filepath"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// person is a clone of somebody, and a session in it.
func person(t *testing.T, bare string) (dir string, here func() *Session) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "mine")
	must(t, t.TempDir(), "clone", "--quiet", bare, dir)
	return dir, func() *Session {
		t.Helper()
		s, err := Here(t.Context(), dir, slug, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func state(t *testing.T, s *Session) string {
	t.Helper()
	is, err := s.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return is.SessionID
}

func TestASessionIsFetchedIntoSomebodysClone(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	dir, here := person(t, bare)
	if got := state(t, here()); got != "" {
		t.Errorf("a hub without a session has the state of %s", got)
	}
	worker := begun(t, bare)
	write(t, `{"sessionId": "s1", "revision": 7}`, worker.Dir(), sessions.SnapshotName)
	must(t, worker.clone.Dir, "update-ref", refs(slug)+"notes", "HEAD")
	commit := committed(t, worker, "a", "2")
	save(t, worker, "main")
	s := here()
	folder := s.Dir()
	for _, name := range []string{"old.md", "lock", "inbox/1.json"} {
		write(t, "mine", folder, name)
	}
	if state(t, s) != "s1" || s.Branch("main") != commit || read(t, folder, "old.md") != "mine" {
		t.Error("looking at the hub doesn't show it, or changes the folder")
	}
	before := must(t, dir, "for-each-ref", "refs/heads") + must(t, dir, "status", "--porcelain")
	if err := s.LayOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"old.md": "(none)", "lock": "mine", "inbox/1.json": "mine", sessions.SnapshotName: `{"sessionId": "s1", "revision": 7}`} {
		if got := read(t, folder, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if after := must(t, dir, "for-each-ref", "refs/heads") + must(t, dir, "status", "--porcelain"); after != before {
		t.Errorf("the clone was\n%s\nand is\n%s", before, after)
	}
	if must(t, dir, "rev-parse", refs(slug)+"notes") == "" {
		t.Error("the session's refs are not there")
	}
}

// TestASessionThatContinuedInTwoPlacesIsSeen: to take it up is not to continue it.
func TestASessionThatContinuedInTwoPlacesIsSeen(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	_, here := person(t, bare)
	line := func(types ...machine.EventType) (text string) {
		for _, e := range types {
			text += `{"type":"` + string(e) + `"}` + "\n"
		}
		return text
	}
	worker := begun(t, bare)
	write(t, line("created", "noted"), worker.Dir(), sessions.JournalName)
	save(t, worker, "")
	s := here()
	for journal, want := range map[string]struct{ newer, worked, fetched bool }{
		line("created"):                                     {newer: true},
		line("created", "noted"):                            {},
		line("created", "noted", "dispatched"):              {worked: true},
		line("created", "dispatched"):                       {newer: true, worked: true},
		line("created", "snapshot_taken"):                   {newer: true, fetched: true},
		line("created", "noted", "snapshot_taken"):          {fetched: true},
		line("created", "noted", "run_started"):             {},
		line("created", "run_started", "answered", "noted"): {newer: true, worked: true},
	} {
		write(t, journal, s.Dir(), sessions.JournalName)
		got, err := s.Compare(t.Context())
		if err != nil || got.Newer != want.newer || got.WorkedOn() != want.worked || got.Fetched() != want.fetched {
			t.Errorf("with\n%sit is %+v: %v", journal, got, err)
		}
	}
}

// TestASessionOfSomebodysCloneGoesToTheHub: its refs are nowhere else before.
func TestASessionOfSomebodysCloneGoesToTheHub(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	dir, here := person(t, bare)
	write(t, ".harness/\n", dir, ".git", "info", "exclude")
	write(t, "1\n", here().Dir(), "events.jsonl")
	write(t, "x", here().Dir(), "later gone")
	must(t, dir, "update-ref", refs(slug)+"notes", "HEAD")
	s := here()
	if got := must(t, dir, "for-each-ref", "--format=%(refname)", refs(slug)); got != refs(slug)+"notes" {
		t.Fatalf("looking at the hub took refs away: %q", got)
	}
	write(t, "2", dir, "a")
	w := kept(t, s, Tree{Dir: dir})
	worker := begun(t, bare)
	restore(t, worker, runTree(worker, w))
	if read(t, worker.Dir(), "events.jsonl") != "1\n" || read(t, worker.clone.Dir, "a") != "2" || worker.known[refs(slug)+"notes"] == "" {
		t.Error("a worker doesn't have the session")
	}
	write(t, "1\n2\n", s.Dir(), "events.jsonl") // it went on here, and moves again
	removeAll(t, s.Dir(), "later gone")
	must(t, dir, "update-ref", "-d", refs(slug)+"notes")
	save(t, here(), "")
	worker = openSession(t, worker.clone)
	if read(t, worker.Dir(), "events.jsonl") != "1\n2\n" || read(t, worker.Dir(), "later gone") != "(none)" || worker.known[refs(slug)+"notes"] != "" {
		t.Error("the hub doesn't have the session as it is in the clone")
	}
}

func TestALinkedWorkingTreeIsSomebodysCloneToo(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	worker := begun(t, bare)
	write(t, "1", worker.Dir(), "events.jsonl")
	save(t, worker, "")
	dir, _ := person(t, bare)
	linked := filepath.Join(t.TempDir(), "linked")
	must(t, dir, "worktree", "add", "--quiet", linked)
	s, err := Here(t.Context(), linked, slug, os.Environ())
	if err == nil {
		err = s.LayOut(t.Context())
	}
	if err != nil || read(t, s.Dir(), "events.jsonl") != "1" {
		t.Error("it isn't laid out", err)
	}
	write(t, "2", s.Dir(), "events.jsonl")
	save(t, s, "")
	expect(t, bare, map[string]string{"events.jsonl": "2"})
}

// TestAllRecordsComeFromASparseClone, though git leaves out of it what is not to be checked out.
func TestAllRecordsComeFromASparseClone(t *testing.T) {
	bare := newHub(t, map[string]string{"src/a": "1", "other/b": "2"})
	dir, here := person(t, bare)
	must(t, dir, "sparse-checkout", "set", "src")
	write(t, ".harness/\n", dir, ".git", "info", "exclude")
	write(t, "a prompt", here().Dir(), "attempts", "1", "prompt.md")
	save(t, here(), "")
	if got := must(t, bare, "show", RecordsRef(slug)+":attempts/1/prompt.md"); got != "a prompt" {
		t.Errorf("the hub has %q", got)
	}
}
