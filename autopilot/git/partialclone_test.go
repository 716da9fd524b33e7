package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatAPartialCloneLacksIsNotFetched: the remote may have become one that runs a program.
func TestWhatAPartialCloneLacksIsNotFetched(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "another\n")
	s.git("commit", "-qam", "Another")
	s.git("config", "uploadpack.allowFilter", "true")
	lacks := s.git("rev-parse", "HEAD~1:a.txt")
	dir := filepath.Join(t.TempDir(), "clone")
	s.git("clone", "-q", "--filter=blob:none", "file://"+filepath.ToSlash(s.dir), dir)
	clone := &sandbox{fataler: t, dir: dir}
	clone.git("config", "user.name", "Ada")
	clone.git("config", "user.email", "ada@example.com")
	mark := filepath.Join(t.TempDir(), "mark")
	origin := clone.git("config", "remote.origin.url")
	clone.git("config", "remote.origin.url", "ext::touch "+mark)
	clone.git("config", "protocol.ext.allow", "always")
	r, err := Open(t.Context(), dir)
	clone.must(err)
	_, _, err = r.Tree.Diff(t.Context(), "HEAD~1", "HEAD", 1000)
	var missing *MissingObjectError
	if !errors.As(err, &missing) || missing.ID != lacks || !strings.Contains(err.Error(), "git fetch --refetch --no-filter") {
		t.Errorf("got %v", err)
	}
	if _, err := r.History.Contents(t.Context(), "HEAD~1", []string{"a.txt"}); err == nil {
		t.Error("a file that is not there was read")
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the program of the remote was run")
	}

	clone.git("config", "remote.origin.url", origin)                              // and what the error says helps
	clone.git("fetch", "-q", "--refetch", "--no-filter", "--no-auto-maintenance") // it would go on behind the test
	text, _, err := r.Tree.Diff(t.Context(), "HEAD~1", "HEAD", 1000)
	if clone.must(err); !strings.Contains(text, "+another") {
		t.Errorf("the difference is %q", text)
	}
}
