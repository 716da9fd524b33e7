package hub

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// everything has a clone do all that it can.
func everything(t *testing.T, bare string, env []string) *Session {
	t.Helper()
	c, err := Open(t.Context(), filepath.Join(t.TempDir(), "clone"), bare, env)
	if err != nil {
		t.Fatal(err)
	}
	write(t, ".harness/\n", c.Dir, ".git", "info", "exclude")
	if hooks := os.Getenv("HOOKS"); hooks != "" {
		must(t, c.Dir, "config", "core.hooksPath", hooks)
		must(t, c.Dir, "config", "core.fsmonitor", filepath.Join(hooks, "fsmonitor"))
	}
	s := openSession(t, c)
	restore(t, s, runTree(s, ""))
	lane := laneOf(s, s.Branch("main"))
	restore(t, s, lane)
	write(t, "2", c.Dir, "a")
	write(t, "3", lane.Dir, "a")
	write(t, "1", s.Dir(), "events.jsonl")
	for _, tree := range []Tree{runTree(s, ""), lane} {
		if tree.Work, err = s.SaveWork(t.Context(), tree); err != nil {
			t.Fatal(err)
		}
		restore(t, s, tree)
	}
	save(t, s, "main")
	drop(t, s, lane)
	if err := s.Settle(t.Context(), nil, false); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNoHookOfTheRepositoryRuns(t *testing.T) {
	hooks := t.TempDir()
	for _, name := range []string{
		"post-checkout", "pre-push", "pre-commit", "post-commit", "commit-msg", "reference-transaction", "post-index-change", "post-merge", "post-rewrite", "fsmonitor", "pre-auto-gc",
	} {
		write(t, "#!/bin/sh\necho "+name+" >> "+hooks+"/ran\nexit 1\n", hooks, name)
		if err := os.Chmod(filepath.Join(hooks, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOOKS", hooks)
	s := everything(t, newHub(t, map[string]string{"a": "1"}), os.Environ())
	if ran := read(t, hooks, "ran"); ran != "(none)" && !strings.HasPrefix(ran, "fsmonitor") {
		t.Errorf("hooks ran: %s", ran)
	}
	if status(t, s.clone.Dir); read(t, hooks, "ran") == "(none)" {
		t.Error("the hooks would not run anyway")
	}
}

// TestTheEnvironmentOfAHookDoesNotMatter: autopilot may run in one, and git gives it the repository at work there.
func TestTheEnvironmentOfAHookDoesNotMatter(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"})
	theirs := begun(t, bare).clone.Dir
	write(t, "their own", theirs, "a")
	before := status(t, theirs) + must(t, theirs, "for-each-ref")
	env := os.Environ()
	for name, value := range map[string]string{
		"GIT_DIR": ".git", "GIT_WORK_TREE": "", "GIT_INDEX_FILE": ".git/index", "GIT_COMMON_DIR": ".git", "GIT_OBJECT_DIRECTORY": ".git/objects", "GIT_PREFIX": "x/",
		"GIT_NAMESPACE": "x", "GIT_QUARANTINE_PATH": ".git/objects/incoming",
	} {
		env = append(env, name+"="+filepath.Join(theirs, value))
	}
	s := everything(t, bare, append(env, "GIT_NAMESPACE=other", "GIT_LITERAL_PATHSPECS=1", "GIT_QUARANTINE_PATH=x"))
	if read(t, s.clone.Dir, "a") != "2" || must(t, bare, "rev-parse", RecordsRef(slug)) == "" {
		t.Error("the clone isn't what it should be")
	}
	if after := status(t, theirs) + must(t, theirs, "for-each-ref"); after != before {
		t.Errorf("the other repository was\n%s\nand is\n%s", before, after)
	}
}

// TestAContextThatEndsLeavesNoLock: it ends at any moment, and the next try is in the same clone.
func TestAContextThatEndsLeavesNoLock(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1", "b": "1"})
	s := begun(t, bare)
	step := 5
	if os.Getenv("RESUME_FULL") == "1" {
		step = 1
	}
	for moment := 0; moment < 50; moment += step {
		write(t, strings.Repeat("x", moment+1), s.clone.Dir, "a")
		write(t, strings.Repeat("x", moment+1), s.Dir(), "events.jsonl")
		ctx := &ending{Context: t.Context(), done: make(chan struct{})}
		ctx.left.Store(int64(moment))
		work, err := s.Keep(ctx, runTree(s, ""))
		if err == nil {
			err = s.Save(ctx, map[string]string{"": work}, "main")
		}
		if err == nil {
			err = s.Restore(ctx, runTree(s, work))
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("moment %d: %v", moment, err)
		}
		_ = filepath.WalkDir(filepath.Join(s.clone.Dir, ".git"), func(name string, d fs.DirEntry, err error) error {
			if strings.HasSuffix(name, ".lock") {
				t.Errorf("moment %d: %s is left", moment, name)
			}
			return err
		})
		w := kept(t, s, runTree(s, "")) // as a worker does at the end of a step
		save(t, s, "main")
		restore(t, s, runTree(s, w))
	}
}

// ending is a context that ends when it was asked so many times whether it has.
type ending struct {
	context.Context
	left atomic.Int64
	done chan struct{}
}

func (e *ending) Done() <-chan struct{} {
	if e.left.Add(-1) == -1 {
		close(e.done)
	}
	return e.done
}

func (e *ending) Err() error {
	select {
	case <-e.done:
		return context.Canceled
	default:
		return nil
	}
}

// TestGitsWordsShowNoLogin: git repeats the address, which may have a token, and workers pass on what it says.
func TestGitsWordsShowNoLogin(t *testing.T) {
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Basic")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer closed.Close()
	host := strings.TrimPrefix(closed.URL, "http://")
	for _, address := range []string{"tokentoken@" + host + "/shop.git", "me:tokentoken@" + host + "/shop.git", host + "/shop.git?private_token=tokentoken"} {
		err := Reach(t.Context(), "http://"+address, os.Environ())
		if err == nil || strings.Contains(err.Error(), "tokentoken") || !strings.Contains(err.Error(), "http://"+host) {
			t.Errorf("of %s it says: %v", address, err)
		}
	}
}

// TestAHubIsReachedOverSSH, by what stands in for ssh here: it runs the other side on this machine, as a host would.
func TestAHubIsReachedOverSSH(t *testing.T) {
	bare, bin := newHub(t, map[string]string{"a.txt": "a"}), t.TempDir()
	write(t, "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n", bin, "ssh")
	if err := os.Chmod(filepath.Join(bin, "ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	session := func() *Session {
		c, err := Open(t.Context(), filepath.Join(t.TempDir(), "clone"), "ssh://git@hub.example.com"+bare, env)
		if err != nil {
			t.Fatal(err)
		}
		return openSession(t, c)
	}
	one := session()
	write(t, "told", one.Dir(), "log.txt")
	if err := errors.Join(Reach(t.Context(), "ssh://git@hub.example.com"+bare, env), one.Save(t.Context(), nil, "")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, session().Dir(), "log.txt"); got != "told" {
		t.Errorf("another clone has %q", got)
	}
}
