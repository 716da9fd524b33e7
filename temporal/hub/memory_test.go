package hub

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// learned is an entry of learnings.md, and failed one of failures.md.
func learned(text string) string {
	return "- **2026-01-02 [skill:autopilot] [outcome:gotcha]:** " + text + " <!-- key:" + text + " -->\n"
}

func failed(text string) string {
	return "- **2026-01-02 [skill:autopilot] [type:task]:** " + text + " <!-- key:" + text + " -->\n"
}

// memoryOf are the files of a hub's memory.
func memoryOf(t testing.TB, bare string) (learnings, failures string) {
	t.Helper()
	return must(t, bare, "show", MemoryRef+":learnings.md"), must(t, bare, "show", MemoryRef+":failures.md")
}

// remember writes the files of a clone's memory, and gives them to the hub.
func remember(t testing.TB, s *Session, learnings, failures string) {
	t.Helper()
	write(t, learnings, s.clone.Dir, ".harness", "learnings.md")
	write(t, failures, s.clone.Dir, ".harness", "failures.md")
	give(t, s)
}

func give(t testing.TB, s *Session) {
	t.Helper()
	if err := s.GiveMemory(t.Context()); err != nil {
		t.Error(err)
	}
}

// takes fetches in a clone, takes the memory, and checks what its files are then.
func takes(t testing.TB, s *Session, learnings, failures string) *Session {
	t.Helper()
	s = openSession(t, s.clone)
	write(t, "", s.clone.Dir, ".harness", "is.there")
	if err := s.TakeMemory(t.Context()); err != nil {
		t.Error(err)
	}
	got := []string{read(t, s.clone.Dir, ".harness", "learnings.md"), read(t, s.clone.Dir, ".harness", "failures.md")}
	if want := []string{learnings, failures}; !slices.Equal(got, want) {
		t.Errorf("the clone has %q, not %q", got, want)
	}
	return s
}

func TestWhatASessionLearnedIsInTheNextClone(t *testing.T) {
	bare := newHub(t, nil)
	one, two := openSession(t, openClone(t, bare)), openSession(t, openClone(t, bare))
	two = takes(t, two, "(none)", "(none)")
	give(t, two)
	if refs := must(t, bare, "for-each-ref", "refs/autopilot"); refs != "" {
		t.Errorf("without a memory, the hub has %s", refs)
	}
	remember(t, one, learned("a"), failed("b"))
	two = takes(t, two, learned("a"), failed("b"))
	remember(t, two, learned("a")+learned("c"), failed("b"))
	before := must(t, bare, "rev-parse", MemoryRef)
	for range 2 {
		one = takes(t, one, learned("a")+learned("c"), failed("b"))
		give(t, one)
	}
	if now := must(t, bare, "rev-parse", MemoryRef); now != before {
		t.Error("what the hub has was given again")
	}
}

// TestTwoClonesRememberTheSameMoment: none of them knows what the other one gives.
func TestTwoClonesRememberTheSameMoment(t *testing.T) {
	bare := newHub(t, nil)
	clones, times := 4, 3
	var all sync.WaitGroup
	for n := range clones {
		s := openSession(t, openClone(t, bare))
		all.Go(func() {
			for i := range times {
				text := fmt.Sprintf("%d.%d", n, i)
				remember(t, s, strings.Replace(read(t, s.clone.Dir, ".harness", "learnings.md"), "(none)", "", 1)+learned("both")+learned(text), failed(text))
			}
		})
	}
	all.Wait()
	learnings, failures := memoryOf(t, bare)
	for n := range clones {
		for i := range times {
			text := fmt.Sprintf("%d.%d", n, i)
			if strings.Count(learnings+"\n", learned(text)) != 1 || strings.Count(failures+"\n", failed(text)) != 1 {
				t.Errorf("%s is lost, or there twice", text)
			}
		}
	}
	if strings.Count(learnings+"\n", learned("both")) != 1 {
		t.Error("what all learned is there twice")
	}
}

// TestWhatIsPrunedStaysAway from the clone where it was pruned. The hub keeps it, and other clones.
func TestWhatIsPrunedStaysAway(t *testing.T) {
	bare := newHub(t, nil)
	mine, theirs := openSession(t, openClone(t, bare)), openSession(t, openClone(t, bare))
	remember(t, mine, "# Ours\n\n- **Tabs:** no\n"+learned("given"), "")
	remember(t, theirs, learned("taken"), failed("x"))
	mine = takes(t, mine, "# Ours\n\n- **Tabs:** no\n"+learned("given")+learned("taken"), failed("x"))
	remember(t, mine, "# Ours", "")
	theirs = takes(t, theirs, learned("taken")+learned("given"), failed("x"))
	remember(t, theirs, learned("taken")+learned("given")+learned("new"), failed("x"))
	takes(t, mine, "# Ours\n"+learned("new"), "")
	if learnings, failures := memoryOf(t, bare); learnings+"\n" != learned("given")+learned("taken")+learned("new") || failures+"\n" != failed("x") {
		t.Errorf("the hub has %q and %q", learnings, failures)
	}
}

// TestACommittedMemoryIsNotAll: a checkout takes back what a worker's clone got.
func TestACommittedMemoryIsNotAll(t *testing.T) {
	bare := newHub(t, map[string]string{".harness/learnings.md": learned("committed")})
	remember(t, openSession(t, openClone(t, bare)), learned("given"), failed("x"))
	s := begun(t, bare)
	for range 2 {
		c, err := Open(t.Context(), s.clone.Dir, bare, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		s = openSession(t, c)
		restore(t, s, runTree(s, ""))
		s = takes(t, s, learned("committed")+learned("given"), failed("x"))
	}
}

// TestLineEndingsOfAnEditorMakeNoEntry: those of some are two characters.
func TestLineEndingsOfAnEditorMakeNoEntry(t *testing.T) {
	bare := newHub(t, nil)
	s := openSession(t, openClone(t, bare))
	remember(t, s, learned("a"), "")
	edited := strings.ReplaceAll(learned("a"), "\n", "\r\n")
	remember(t, s, edited, "")
	takes(t, s, edited, "")
	if learnings, _ := memoryOf(t, bare); learnings+"\n" != learned("a") {
		t.Errorf("the hub has %q", learnings)
	}
}

// TestWhatTheHubDidNotGetIsGivenLater: it was away, or refused it, or lost it.
func TestWhatTheHubDidNotGetIsGivenLater(t *testing.T) {
	bare := newHub(t, nil)
	s := openSession(t, openClone(t, bare))
	hook := filepath.Join(bare, "hooks", "pre-receive")
	write(t, "#!/bin/sh\nexit 1\n", hook)
	if err := os.Chmod(hook, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, learned("a"), s.clone.Dir, ".harness", "learnings.md")
	if err := s.GiveMemory(t.Context()); err == nil {
		t.Error("the hub took it")
	}
	removeAll(t, hook)
	s = takes(t, s, learned("a"), "(none)")
	give(t, s)
	must(t, bare, "update-ref", "-d", MemoryRef)
	s = takes(t, s, learned("a"), "(none)")
	give(t, s)
	if learnings, failures := memoryOf(t, bare); learnings+"\n" != learned("a") || failures != "" {
		t.Errorf("the hub has %q and %q", learnings, failures)
	}
}

// TestNoSessionHasTheMemorysRef, nor a ref above or below it, which git would refuse.
func TestNoSessionHasTheMemorysRef(t *testing.T) {
	for _, slug := range []string{"all.sessions", "all.sessions--memory", "memory", "on.hub", "..", "ALL.SESSIONS"} {
		if strings.HasPrefix(refs(slug), memoryRefs) || strings.HasPrefix(seenRefs(slug), memoryRefs) || strings.HasPrefix(refs(slug), seenRef(memoryRefs)) || strings.HasPrefix(memoryRefs, refs(slug)) {
			t.Errorf("the session %s has refs below %s", slug, refs(slug))
		}
	}
}

// TestALinkIsNoMemory: what it leads to is somebody's file.
func TestALinkIsNoMemory(t *testing.T) {
	bare := newHub(t, nil)
	s := openSession(t, openClone(t, bare))
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, learned("secret"), secret)
	write(t, "", s.clone.Dir, ".harness", "is.there")
	if err := os.Symlink(secret, filepath.Join(s.clone.Dir, ".harness", "learnings.md")); err != nil {
		t.Skip(err)
	}
	if err := s.GiveMemory(t.Context()); err == nil {
		t.Error("the hub got it")
	}
	if refs := must(t, bare, "for-each-ref", "refs/autopilot"); refs != "" {
		t.Errorf("the hub has %s", refs)
	}
}
