package git

import (
	"os"
	"strings"
	"testing"
)

func TestOnlyWhatIsStillAsItWasSavedIsTakenAway(t *testing.T) {
	s := newSandbox(t)
	index := s.index()
	names := []string{"new/deep/file", "edited", "gone", "tool", "link"}
	for _, name := range append(names, weird()...) {
		s.write(name, "content of "+name)
	}
	s.remove("link")
	s.link("somewhere else", "link")
	saved, err := s.repo.Files.Save(t.Context(), saveRef, "x", nil)
	s.must(err)
	s.write("edited", "by the user, in the meantime")
	s.remove("gone")
	s.chmod("tool", 0o755)
	s.must(s.repo.Files.TakeAway(saved.Files))
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "what stays", words(now.Dirt), "A? edited", "A? tool")
	equal(t, "the folder", s.read("new"), "<none>")
	equal(t, "index", s.index(), index)
	s.must(s.repo.Files.Restore(t.Context(), saved.Ref, []string{"new/deep/file", "link"}))
	equal(t, "the file again", s.read("new/deep/file"), "content of new/deep/file")
	equal(t, "the link again", s.read("link"), "-> somewhere else")
}

// What people are told to type has to work for files that git does not know.
func TestGitRestoreBringsBackWhatWasTakenAway(t *testing.T) {
	s := newSandbox(t)
	s.write("sub dir/new", "x\n")
	saved, err := s.repo.Files.Save(t.Context(), saveRef, "x", nil)
	s.must(err)
	s.must(s.repo.Files.TakeAway(saved.Files))
	s.git("restore", "--source="+saved.Ref, "--worktree", "--", "sub dir/new")
	equal(t, "the file", s.read("sub dir/new"), "x\n")
	equal(t, "the index", strings.Contains(s.index(), "sub dir"), false)
}

func TestWhatIsMovedAsideKeepsItsBytes(t *testing.T) {
	s := newSandbox(t)
	s.write("dir/c.txt.moved-aside", "an earlier one\n")
	aside, err := s.repo.Files.MoveAside("dir/c.txt")
	s.must(err)
	equal(t, "its name", aside, "dir/c.txt.moved-aside-2")
	equal(t, "its bytes", s.read(aside), "three\n")
	equal(t, "its place", s.read("dir/c.txt"), "<none>")
	_, err = s.repo.Files.MoveAside("nothing")
	equal(t, "nothing there fails", err != nil, true)
}

func TestResetWithoutARefSavesNothing(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "changed\n")
	saved, err := s.repo.Files.Reset(t.Context(), "HEAD", []string{"a.txt"}, "")
	s.must(err)
	equal(t, "ref", saved.Ref, "")
	equal(t, "refs", s.git("for-each-ref", "refs/autopilot"), "")
	equal(t, "file", s.read("a.txt"), "one\n")
}

func TestNestedRepositoriesAreNamed(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "ignored/\n")
	for _, name := range []string{"dir/nested", "empty", "ignored", ".harness/worktrees/x"} {
		s.must(os.MkdirAll(s.path(name), 0o755))
		s.git("init", "-q", name)
		s.write(name+"/file", "x\n")
	}
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "nested", now.Nested, "dir/nested/", "empty/")
}
