package git

import (
	"os"
	"strings"
	"testing"
)

func TestFileThatIsTooLargeIsComparedAndNotPutBack(t *testing.T) {
	s := newSandbox(t)
	s.write("large", strings.Repeat("x", maxHeld+1))
	was, err := Hold(s.path("large"))
	s.must(err)
	s.write("large", strings.Repeat("x", maxHeld+2))
	now, err := Hold(s.path("large"))
	s.must(err)
	if was.Same(now) || was.PutAt(s.path("large")) == nil || len(s.read("large")) != maxHeld+2 {
		t.Error("a part of a file was taken for all of it")
	}
	s.must((*Held)(nil).PutAt(s.path("large")))
	if _, err := os.Stat(s.path("large")); err == nil {
		t.Error("the file is still there")
	}
}

func TestIgnoredFoldersAreListedAsSuch(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "node_modules/\n*.log\n")
	s.write("node_modules/x/y.js", "")
	s.write("dir/a.log", "")
	s.write(".harness/a.log", "")
	s.write("seen.txt", "")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "ignored", now.Ignored, "dir/a.log", "node_modules/")
}
