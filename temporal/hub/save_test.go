package hub

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// committed commits a file on the branch of a clone.
func committed(t *testing.T, s *Session, name, text string) string {
	t.Helper()
	write(t, text, s.clone.Dir, name)
	must(t, s.clone.Dir, "add", "--", name)
	must(t, s.clone.Dir, "commit", "--quiet", "-m", text)
	return must(t, s.clone.Dir, "rev-parse", "HEAD")
}

func refsOn(t *testing.T, bare string) string {
	t.Helper()
	return must(t, bare, "for-each-ref", "--format=%(refname) %(objectname)")
}

func TestOfTwoCommitsOnABranchOneWins(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	one, two := begun(t, bare), begun(t, bare)
	first := committed(t, one, "a", "one")
	save(t, one, "main")
	second := committed(t, two, "a", "two")
	must(t, two.clone.Dir, "update-ref", refs(slug)+"two", "HEAD")
	write(t, "two", two.Dir(), "two.md")
	work, err := two.Keep(t.Context(), runTree(two, ""))
	if err != nil {
		t.Fatal(err)
	}
	before := refsOn(t, bare)
	for range 2 {
		err := two.Save(t.Context(), map[string]string{"": work}, "main")
		if moved, is := errors.AsType[*MovedError](err); !is || moved.Ref != "main" {
			t.Errorf("got %v", err)
		}
		if after := refsOn(t, bare); after != before || strings.Contains(after, second) {
			t.Errorf("the hub has something of the loser:\n%s", after)
		}
	}
	two = openSession(t, two.clone) // the next try begins with what the hub has
	restore(t, two, runTree(two, ""))
	if two.Branch("main") != first || read(t, two.clone.Dir, "a") != "one" {
		t.Error("the loser doesn't have the winner's commit")
	}
	committed(t, two, "a", "three")
	save(t, two, "main")
}

// TestCommitsOfOthersStayOnABranch: a lease alone would let them go, for they were seen.
func TestCommitsOfOthersStayOnABranch(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	theirs := begun(t, bare)
	old := must(t, theirs.clone.Dir, "rev-parse", "HEAD")
	tip := committed(t, theirs, "a", "theirs")
	save(t, theirs, "main")
	ours := openSession(t, openClone(t, bare))
	for _, at := range []string{"behind", "beside"} {
		must(t, ours.clone.Dir, "checkout", "--quiet", "-B", "main", old)
		if at == "beside" {
			committed(t, ours, "b", "ours")
		}
		_, moved := errors.AsType[*MovedError](ours.Save(t.Context(), nil, "main"))
		if got := must(t, bare, "rev-parse", "main"); !moved || got != tip {
			t.Errorf("from %s, the hub has %s, and %s is expected", at, got, tip)
		}
	}
}

func TestABranchThatWasDeletedOrMadeMeanwhileIsNotPushed(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	one, two := begun(t, bare), begun(t, bare)
	for _, s := range []*Session{one, two} {
		must(t, s.clone.Dir, "checkout", "--quiet", "-b", "work")
		committed(t, s, "a", s.clone.Dir)
	}
	save(t, one, "work")
	if _, is := errors.AsType[*MovedError](two.Save(t.Context(), nil, "work")); !is {
		t.Error("a branch was written over that somebody else made")
	}
	must(t, bare, "update-ref", "-d", "refs/heads/work")
	committed(t, one, "a", "on")
	if _, is := errors.AsType[*MovedError](one.Save(t.Context(), nil, "work")); !is {
		t.Error("a branch was pushed that somebody deleted")
	}
}

// TestNobodyWaitsForARefThatSomebodyElseWrote: the same push would never be taken. What somebody else does with the other refs is no obstacle.
func TestNobodyWaitsForARefThatSomebodyElseWrote(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	one := begun(t, bare)
	must(t, one.clone.Dir, "update-ref", refs(slug)+"shared", "HEAD")
	save(t, one, "main")
	two := begun(t, bare)
	must(t, bare, "update-ref", "-d", refs(slug)+"shared")
	write(t, "one", one.Dir(), "one.md")
	save(t, one, "main")
	write(t, "two", two.Dir(), "two.md")
	save(t, two, "main") // one was faster, with the records
	for _, s := range []*Session{one, two} {
		must(t, s.clone.Dir, "update-ref", refs(slug)+"undone/d1", committed(t, s, "a", s.clone.Dir))
	}
	if err := one.SaveRefs(t.Context(), []string{must(t, one.clone.Dir, "rev-parse", "HEAD")}); err != nil {
		t.Fatal(err)
	}
	err := two.Save(t.Context(), nil, "")
	if moved, is := errors.AsType[*MovedError](err); !is || moved.Ref != refs(slug)+"undone/d1" || !strings.Contains(err.Error(), "another worker wrote "+moved.Ref) {
		t.Errorf("got %v", err)
	}
}

// TestAnAnswerThatWasLostIsNoMove: the hub took the push, and the clone does not know.
func TestAnAnswerThatWasLostIsNoMove(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	s := begun(t, bare)
	write(t, "1\n", s.Dir(), "progress.txt")
	must(t, s.clone.Dir, "update-ref", refs(slug)+"gone", "HEAD")
	save(t, s, "main")
	committed(t, s, "a", "2")
	must(t, s.clone.Dir, "update-ref", refs(slug)+"notes", "HEAD")
	must(t, s.clone.Dir, "update-ref", "-d", refs(slug)+"gone")
	write(t, "1\n2\n", s.Dir(), "progress.txt")
	forgetful := *s
	forgetful.known = maps.Clone(s.known)
	save(t, s, "main")
	before := refsOn(t, bare)
	save(t, &forgetful, "main")
	if after := refsOn(t, bare); after != before {
		t.Errorf("the hub has\n%s\nbefore\n%s", after, before)
	}
}

func TestWhatAHubRefusesIsSaid(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	s := begun(t, bare)
	write(t, "#!/bin/sh\necho 'the policy blocks it: sign your commits' >&2\necho x >> pushes\nexit 1\n", bare, "hooks", "pre-receive")
	if err := os.Chmod(filepath.Join(bare, "hooks", "pre-receive"), 0o700); err != nil {
		t.Fatal(err)
	}
	before := refsOn(t, bare)
	committed(t, s, "a", "2")
	write(t, "1", s.Dir(), "events.jsonl")
	err := s.Save(t.Context(), nil, "main")
	if _, moved := errors.AsType[*MovedError](err); moved || err == nil || !strings.Contains(err.Error(), "the policy blocks it: sign your commits") {
		t.Errorf("got %v", err)
	}
	if after := refsOn(t, bare); after != before || read(t, bare, "pushes") != "x\n" {
		t.Errorf("it was pushed again, or the hub has something of it: %s", after)
	}
	removeAll(t, bare, "hooks", "pre-receive")
	save(t, s, "main")
}

func TestRefsOfTwoClonesAreKeptAndDeleted(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	one := begun(t, bare)
	for _, name := range []string{"old", "stays", "snap/1"} {
		must(t, one.clone.Dir, "update-ref", refs(slug)+name, "HEAD")
	}
	save(t, one, "")
	two := begun(t, bare)
	must(t, one.clone.Dir, "update-ref", "-d", refs(slug)+"old")
	must(t, one.clone.Dir, "update-ref", "-d", refs(slug)+"snap/1")
	must(t, two.clone.Dir, "update-ref", refs(slug)+"new", "HEAD")
	for range 2 {
		save(t, one, "")
		save(t, two, "")
	}
	if got := must(t, bare, "for-each-ref", "--format=%(refname)", "refs/autopilot"); got != refs(slug)+"new\n"+refs(slug)+"stays" {
		t.Errorf("the hub has\n%s", got)
	}
	two = openSession(t, two.clone)
	if got := must(t, two.clone.Dir, "for-each-ref", "--format=%(refname)", refs(slug)); got != refs(slug)+"new\n"+refs(slug)+"stays" {
		t.Errorf("the clone has\n%s", got)
	}
	must(t, two.clone.Dir, "update-ref", refs(slug)+"old", "HEAD") // it was deleted, and is made again
	save(t, two, "")
	if two = openSession(t, two.clone); two.known[refs(slug)+"old"] == "" {
		t.Error("a ref that was made again is not on the hub")
	}
}

func TestSettleLeavesTheWorkingTreesThatItNames(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	s := begun(t, bare)
	var works []string
	for _, text := range []string{"2", "3", "4"} {
		write(t, text, s.clone.Dir, "a")
		work, err := s.SaveWork(t.Context(), runTree(s, ""))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.SaveWork(t.Context(), runTree(s, "")); err != nil || again != work {
			t.Errorf("the same tree was %s, and now %s: %v", work, again, err)
		}
		works = append(works, work)
	}
	other := openSession(t, openClone(t, bare))
	write(t, "end", other.Dir(), "events.jsonl")
	if err := other.Settle(t.Context(), nil, true); err != nil { // an act was cut off: its work has no other name
		t.Fatal(err)
	}
	for _, work := range works {
		must(t, bare, "cat-file", "-e", worksRefs(slug)+"run/"+work[:12])
	}
	lost := map[string]string{"": works[0]} // nothing else is new
	if err := other.Settle(t.Context(), lost, true); err != nil {
		t.Fatal(err)
	}
	if got, err := openSession(t, openClone(t, bare)).Works(t.Context()); err != nil || !maps.Equal(got, lost) {
		t.Errorf("the records name %v, not %v: %v", got, lost, err)
	}
	write(t, "the very end", other.Dir(), "events.jsonl")
	named := map[string]string{"": works[1], "task-001": works[2]}
	if err := other.Settle(t.Context(), named, false); err != nil {
		t.Fatal(err)
	}
	if got, err := other.Works(t.Context()); err != nil || !maps.Equal(got, named) {
		t.Errorf("the records name %v, not %v: %v", got, named, err)
	}
	want := refs(slug) + "records\n" + worksRefs(slug) + "run/" + works[1][:12] + "\n" + worksRefs(slug) + "task-001/" + works[2][:12]
	if got := must(t, bare, "for-each-ref", "--format=%(refname)", "refs/autopilot"); got != want {
		t.Errorf("the hub has\n%s\nwant\n%s", got, want)
	}
	save(t, s, "") // one that knows them still brings none back
	if got := must(t, bare, "for-each-ref", "--format=%(refname)", "refs/autopilot"); got != want {
		t.Errorf("the hub has\n%s\nwant\n%s", got, want)
	}
}
