package git

import (
	"os"
	"runtime"
	"slices"
	"testing"
)

// withCase skips where .GIT is .git itself.
func withCase(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the file system may take these names for .git")
	}
}

// TestNamesAreRefusedAsGitDoes asks git itself.
func TestNamesAreRefusedAsGitDoes(t *testing.T) {
	t.Parallel()
	withCase(t)
	s := newSandbox(t)
	for _, name := range []string{
		".GIT/config", "sub/.Git/x", "git~1", "GIT~1/x", ".git .", "dir/.git. .", ".git:x", ".git\\x", ".gitx", ".git~1", "git~2", "git~1x", ".gitignore",
		"x.git", ".git-x", "git", "dir/.gitattributes", ".git x", ".gitmodules",
	} {
		s.write(name, "x\n")
		_, err := s.try("add", "--", name)
		equal(t, name, refusal(s.repo.root, name) != "", err != nil)
	}
	s.remove(".gitmodules")
	s.git("rm", "-q", "--cached", ".gitmodules")
	s.link("a.txt", ".gitmodules")
	_, err := s.try("add", "--", ".gitmodules")
	equal(t, "a link .gitmodules", refusal(s.repo.root, ".gitmodules") != "", err != nil)
}

func TestWhatGitRefusesIsLeftOutAndTold(t *testing.T) {
	t.Parallel()
	withCase(t)
	refused := []string{".GIT/config", "git~1", "sub/.Git/x"}
	s := newSandbox(t)
	before, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	for _, name := range refused {
		s.write(name, "x\n")
	}
	s.isLeftOut(t, before, refused)
}

func TestAFileThatNobodyMayReadIsLeftOutAndTold(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	s := newSandbox(t)
	before, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	s.write("secret", "x\n")
	s.chmod("secret", 0)
	s.isLeftOut(t, before, []string{"secret"})
}

// isLeftOut holds that of these new files nothing is seen, and that other work is committed beside them.
func (s *sandbox) isLeftOut(t *testing.T, before string, names []string) {
	t.Helper()
	ctx := t.Context()
	now, err := s.repo.Tree.Status(ctx)
	s.must(err)
	var paths []string
	for _, one := range now.Refused {
		paths = append(paths, one.Path)
	}
	slices.Sort(paths)
	equalList(t, "told", paths, names...)
	tree, err := s.repo.Tree.Hash(ctx)
	s.must(err)
	equal(t, "tree", tree, before)
	s.write("new.txt", "x\n")
	now, err = s.repo.Tree.Status(ctx)
	s.must(err)
	changes, err := s.repo.Tree.changesByDiff(ctx, "HEAD", now)
	s.must(err)
	equalList(t, "changes", words(changes), "A new.txt")
	equalList(t, "dirt", words(now.Dirt), "A? new.txt")
	_, err = s.repo.Files.Save(ctx, "refs/autopilot/x/y", "x", nil)
	s.must(err)
	_, err = s.repo.Commits.Make(ctx, Commit{Paths: append(names, "new.txt"), Subject: "x"})
	s.must(err)
	equal(t, "committed", s.git("show", "--format=", "--name-only", "HEAD"), "new.txt")
}
