package hub

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestARepositoryHasOneNameHoweverItIsReached(t *testing.T) {
	for want, addresses := range map[string][]string{
		"github.com/acme/shop": {
			"git@github.com:acme/shop.git", "github.com:acme/shop", "git@GitHub.com:/acme/shop.git/", "ssh://git@github.com/acme/shop.git", "ssh://git@github.com:2222/acme/shop/",
			"https://github.com/acme/shop", "https://github.com/acme/shop.git/", "https://GitHub.com:443/acme/shop.git", "http://me@github.com/acme/shop", "git://github.com/acme//shop.git",
			"https://me:secret@github.com/acme/shop.git", "https://x-access-token:ghs_secret@github.com/acme/shop", "https://oauth2:se@cret@github.com/acme/shop",
			"https://me:se/cret@github.com/acme/shop", "https://me:se%zzcret@github.com/acme/shop", "https://me:se cret@github.com/acme/shop.git",
			"https://github.com/acme/shop.git?private_token=secret", "https://github.com/acme/shop.git#secret",
		},
		"github.com/acme/Shop":     {"git@github.com:acme/Shop", "https://github.com/acme/Shop"},
		"github.com/~acme/my shop": {"git@github.com:~acme/my shop", "https://github.com/~acme/my%20shop"},
		"::1/acme/shop":            {"ssh://git@[::1]:22/acme/shop.git"},
		"srv/git/shop":             {"/srv/git/shop.git", "/srv/git/shop/", "/srv/git/shop/.git", "file:///srv/git/shop.git", "/srv/x/../git//shop"},
		"home/me@work/a:b/shop":    {"/home/me@work/a:b/shop.git", "file:///home/me@work/a:b/shop"},
		"host/srv/shop":            {"me@host:/srv/shop.git", "ssh://me@host/srv/shop", "ssh://host:22/srv/shop.git"},
		"shop":                     {"../shop.git", "https://../../shop", "shop"}, // none leads out of the folder that it names
	} {
		for _, address := range addresses {
			if got := RepositoryID(address); got != want || strings.Contains(got, "cret") {
				t.Errorf("%s is called %s, want %s", address, got, want)
			}
		}
	}
}

func TestACloneIsMadeOnceAndTakenUpAgain(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	dir := filepath.Join(t.TempDir(), "deep", "1")
	for range 2 {
		c, err := Open(t.Context(), dir, bare, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		s := openSession(t, c)
		restore(t, s, runTree(s, ""))
		if read(t, dir, "a") != "1" || read(t, dir, "ignored") != "(none)" && read(t, dir, "ignored") != "stays" {
			t.Error("the clone is not as it was")
		}
		write(t, "ignored", dir, ".git", "info", "exclude")
		write(t, "stays", dir, "ignored")
	}
	if read(t, dir, "ignored") != "stays" {
		t.Error("the clone was made again")
	}
}

// TestACloneDoesNotGrowForEver: all calls leave it to Open to pack it.
func TestACloneDoesNotGrowForEver(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	s := begun(t, bare)
	for i := range 1000 {
		write(t, fmt.Sprint(i), s.clone.Dir, fmt.Sprint("f", i))
	}
	work := kept(t, s, runTree(s, ""))
	for _, threshold := range []string{"1", "no number"} { // git refuses to pack with that
		must(t, s.clone.Dir, "config", "gc.auto", threshold)
		c, err := Open(t.Context(), s.clone.Dir, bare, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		if left := must(t, c.Dir, "count-objects"); threshold == "1" && !strings.HasPrefix(left, "0 objects") {
			t.Errorf("loose are %s", left)
		}
		s = openSession(t, c)
		restore(t, s, runTree(s, work))
		if read(t, c.Dir, "f7") != "7" {
			t.Error("the work isn't restored")
		}
	}
}

func TestACloneThatWasCutOffIsMadeAgain(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	dir := filepath.Join(t.TempDir(), "1")
	write(t, "half", dir+".new", ".git", "config")
	write(t, "half", dir, ".git", "objects", "x")
	c, err := Open(t.Context(), dir, bare, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	openSession(t, c)
	if _, err := os.Stat(dir + ".new"); err == nil || read(t, dir, ".git", "objects", "x") != "(none)" {
		t.Error("what was cut off is still there")
	}
}

func TestACloneFollowsTheHubsAddress(t *testing.T) {
	first, second := newHub(t, map[string]string{"a": "1"}), newHub(t, map[string]string{"a": "2"})
	c := openClone(t, first)
	c, err := Open(t.Context(), c.Dir, second, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	s := openSession(t, c)
	restore(t, s, runTree(s, ""))
	if read(t, c.Dir, "a") != "2" {
		t.Error("the clone has the old hub's files")
	}
}

func TestAHubThatCannotBeReachedIsAnError(t *testing.T) {
	for _, address := range []string{filepath.Join(t.TempDir(), "none.git"), "http://me:secret@127.0.0.1:1/x.git", "--upload-pack=touch pwned"} {
		dir := filepath.Join(t.TempDir(), "1")
		_, err := Open(t.Context(), dir, address, os.Environ())
		if err == nil || !strings.HasPrefix(err.Error(), "cloning the remote: git clone: ") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: there is a clone", address)
		}
	}
	c := openClone(t, newHub(t, nil))
	c, err := Open(t.Context(), c.Dir, filepath.Join(t.TempDir(), "none.git"), os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Session(t.Context(), slug); err == nil || !strings.HasPrefix(err.Error(), "fetching from the remote: git fetch: ") {
		t.Error(err)
	}
}

func TestAnEmptyHubTakesASession(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "hub.git")
	must(t, t.TempDir(), "init", "--quiet", "--bare", bare)
	s := openSession(t, openClone(t, bare))
	write(t, "1", s.Dir(), "events.jsonl")
	save(t, s, "main")
	if other := openSession(t, openClone(t, bare)); read(t, other.Dir(), "events.jsonl") != "1" {
		t.Error("the hub has no records")
	}
}

// TestLocksOfAKilledGitAreRemoved: nobody else is in a clone when it is taken up.
func TestLocksOfAKilledGitAreRemoved(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	s := begun(t, bare)
	lane := Tree{Task: "task-001", Dir: filepath.Join(s.clone.Dir, ".harness", "lane"), Branch: "lane", At: s.Branch("main"), Work: s.Branch("main")}
	restore(t, s, lane)
	must(t, s.clone.Dir, "update-ref", refs(slug)+"notes", s.Branch("main"))
	save(t, s, "")
	for _, name := range []string{
		"index", "HEAD", "config", "packed-refs", "FETCH_HEAD", "autopilot-work-run.index", "autopilot-work-task-001.index", "autopilot-records.index", "autopilot-merged.index", "refs/heads/main", "refs/remotes/origin/main",
		refs(slug) + "notes", seenRefs(slug) + "notes", "worktrees/lane/index", "worktrees/lane/HEAD",
	} {
		write(t, "", s.clone.Dir, ".git", name+".lock")
	}
	other := begun(t, bare)
	write(t, "2", other.clone.Dir, "a")
	must(t, other.clone.Dir, "commit", "--quiet", "-am", "on")
	must(t, other.clone.Dir, "update-ref", refs(slug)+"notes", "HEAD")
	save(t, other, "main")
	c, err := Open(t.Context(), s.clone.Dir, bare, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	s = openSession(t, c)
	write(t, "1", s.Dir(), "events.jsonl")
	for _, tree := range []Tree{runTree(s, ""), lane} {
		restore(t, s, tree)
		kept(t, s, tree)
	}
}
