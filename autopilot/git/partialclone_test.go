package git

import (
	"errors"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// partialClone is a clone of two commits that lacks what the first one had, and the server that it is of, which asks for a
// password once it is private.
func partialClone(t *testing.T) (clone *sandbox, server *httptest.Server, private *atomic.Bool, lacks string) {
	t.Helper()
	s := newSandbox(t)
	s.write("a.txt", "another\n")
	s.write("b.txt", "another, too\n")
	s.git("commit", "-qam", "Another")
	s.git("config", "uploadpack.allowFilter", "true")
	s.git("config", "uploadpack.allowAnySHA1InWant", "true")
	git, err := exec.LookPath("git")
	s.must(err)
	private = new(atomic.Bool)
	backend := &cgi.Handler{Path: git, Args: []string{"http-backend"}, Env: []string{"GIT_PROJECT_ROOT=" + s.dir, "GIT_HTTP_EXPORT_ALL=1"}}
	server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if private.Load() {
			w.Header().Set("WWW-Authenticate", "Basic realm=x")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	atHome(t, map[string]string{".gitconfig": "[http]\n\tsslVerify = false\n[safe]\n\tdirectory = *\n"})
	clone = &sandbox{fataler: t, dir: filepath.Join(t.TempDir(), "clone")}
	s.git("clone", "-q", "--filter=blob:none", server.URL+"/.git", clone.dir)
	clone.git("config", "user.name", "Ada")
	clone.git("config", "user.email", "ada@example.com")
	clone.repo, err = Open(t.Context(), clone.dir)
	clone.must(err)
	return clone, server, private, s.git("rev-parse", "HEAD~1:a.txt")
}

func TestWhatAPartialCloneLacksIsFetchedByARun(t *testing.T) {
	clone, server, _, _ := partialClone(t)
	clone.must(clone.repo.Config.Pin(t.Context()))
	before := clone.git("config", "--list", "--local") + clone.git("for-each-ref")
	text, _, err := clone.repo.Tree.Diff(t.Context(), "HEAD~1", "HEAD", 1000)
	if clone.must(err); !strings.Contains(text, "-one\n+another") || !strings.Contains(text, "-two\n+another, too") {
		t.Errorf("the difference is %q", text)
	}
	equal(t, "configuration and refs", clone.git("config", "--list", "--local")+clone.git("for-each-ref"), before)
	equal(t, "FETCH_HEAD", clone.read(".git/FETCH_HEAD"), "<none>")
	server.Close()
	contents, err := clone.repo.History.Contents(t.Context(), "HEAD~1", []string{"a.txt"})
	clone.must(err)
	equal(t, "a.txt", string(contents["a.txt"]), "one\n")
}

// TestNothingElseIsFetched: the remote may have become one that runs a program.
func TestNothingElseIsFetched(t *testing.T) {
	clone, _, private, lacks := partialClone(t)
	mark := filepath.Join(t.TempDir(), "mark")
	clone.git("config", "protocol.ext.allow", "always")
	plain := clone.read(".git/config")
	const changed = "settings for a push changed"
	for name, c := range map[string]struct{ before, after, want string }{ // what is set before the run begins, and after
		"by who only looks":     {},
		"by a program":          {before: "remote.origin.url ext::touch MARK", want: "transport 'ext' not allowed"},
		"from a folder":         {before: "remote.origin.url file:///tmp", want: "transport 'file' not allowed"},
		"with a password":       {before: "core.askPass touch MARK; echo", want: "terminal prompts disabled"},
		"by another program":    {before: "x.y z", after: "core.sshCommand touch MARK;", want: changed},
		"from another address":  {before: "x.y z", after: "remote.origin.url ext::touch MARK", want: changed},
		"from another remote":   {before: "x.y z", after: "remote.evil.promisor true", want: changed},
		"through somebody else": {before: "x.y z", after: "http.proxy http://127.0.0.1:1", want: changed},
	} {
		t.Run(name, func(t *testing.T) {
			clone.write(".git/config", plain)
			private.Store(c.want == "terminal prompts disabled")
			set := func(text string) {
				key, value, _ := strings.Cut(strings.ReplaceAll(text, "MARK", mark), " ")
				clone.git("config", key, value)
			}
			repo, err := Open(t.Context(), clone.dir)
			clone.must(err)
			if c.before != "" {
				set(c.before)
				clone.must(repo.Config.Pin(t.Context()))
			}
			if c.after != "" {
				set(c.after)
			}
			_, _, err = repo.Tree.Diff(t.Context(), "HEAD~1", "HEAD", 1000)
			missing, is := errors.AsType[*MissingObjectError](err)
			if !is || missing.ID != lacks || (missing.Cause != nil) != (c.want != "") || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v", err)
			}
			if _, err := os.Stat(mark); err == nil {
				t.Error("a program was run")
			}
		})
	}
}

func TestWhatTheErrorOfAMissingObjectSaysHelps(t *testing.T) {
	clone, _, _, lacks := partialClone(t)
	_, _, err := clone.repo.Tree.Diff(t.Context(), "HEAD~1", "HEAD", 1000)
	_, command, _ := strings.Cut(err.Error(), "\n  git ")
	clone.git(strings.Fields(command)...)
	_, _, err = clone.repo.Tree.Diff(t.Context(), "HEAD~1", "HEAD", 1000)
	if missing, is := errors.AsType[*MissingObjectError](err); !is || missing.ID == lacks {
		t.Errorf("got %v", err)
	}
}
