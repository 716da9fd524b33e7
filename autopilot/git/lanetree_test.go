package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWorktreeIsFoundWhateverBecameOfItsHead(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := filepath.Join(t.TempDir(), "lane")
	if there, err := s.repo.Worktrees.At(t.Context(), dir); err != nil || there != nil {
		t.Fatalf("before it is made: %v, %v", there, err)
	}
	lane, err := s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head())
	s.must(err)
	_, err = lane.write(t.Context(), nil, "switch", "--quiet", "--detach")
	s.must(err)
	there, err := s.repo.Worktrees.At(t.Context(), dir)
	if err != nil || there == nil || there.Root() != lane.Root() {
		t.Fatalf("detached: %v, %v", there, err)
	}
	if inside, err := s.repo.Worktrees.At(t.Context(), s.path("dir")); err != nil || inside != nil {
		t.Fatalf("a folder of the tree itself: %v, %v", inside, err)
	}
}

// A git that fails once must not have a tree made again, with all that was done in it.
func TestWorktreeThatGitCannotLookAtIsNotGone(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("a script as git")
	}
	s := newSandbox(t)
	dir, bin := filepath.Join(t.TempDir(), "lane"), t.TempDir()
	lane, err := s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head())
	s.must(err)
	s.must(os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho 'fatal: Input/output error' >&2\nexit 128\n"), 0o755))
	path := os.Getenv("PATH")
	t.Setenv("PATH", bin+":"+path)
	if there, err := s.repo.Worktrees.At(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "Input/output error") {
		t.Errorf("it is %v, error %v", there, err)
	}
	t.Setenv("PATH", path)
	for _, text := range []string{"nonsense", "ref: refs/heads/lane/one"} {
		s.must(os.WriteFile(filepath.Join(lane.GitDir(), "HEAD"), []byte(text+"\n"), 0o644))
		if there, err := s.repo.Worktrees.At(t.Context(), dir); err != nil || (there == nil) != (text == "nonsense") {
			t.Errorf("with the HEAD %s it is %v, error %v", text, there, err)
		}
	}
}

func TestBranchWithCommitsOfItsOwnIsNeverTakenOver(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := filepath.Join(t.TempDir(), "lane")
	lane, err := s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head())
	s.must(err)
	s.must(os.WriteFile(filepath.Join(dir, "a.txt"), []byte("more\n"), 0o644))
	made, err := lane.Commits.Make(t.Context(), Commit{Paths: []string{"a.txt"}, Subject: "own"})
	s.must(err)
	s.must(s.repo.Worktrees.RemoveBranch(t.Context(), dir, "lane/one", "refs/autopilot/x/lane/one/head"))
	equal(t, "kept", s.git("rev-parse", "refs/autopilot/x/lane/one/head"), made.SHA)
	equal(t, "branches", s.git("branch", "--list", "lane/*"), "")

	s.git("branch", "lane/one", made.SHA)
	var taken *BranchTakenError
	if _, err := s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head()); !errors.As(err, &taken) {
		t.Fatalf("got %v", err)
	}
	equal(t, "the branch", s.git("rev-parse", "lane/one"), made.SHA)
	s.must(s.repo.Worktrees.RemoveBranch(t.Context(), filepath.Join(dir, "none"), "lane/none", "refs/autopilot/x/none"))
}

func TestFolderWithOtherFilesIsInTheWayOfAFile(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := filepath.Join(t.TempDir(), "lane")
	lane, err := s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head())
	s.must(err)
	s.must(os.RemoveAll(filepath.Join(dir, "dir")))
	s.must(os.WriteFile(filepath.Join(dir, "dir"), []byte("a file now\n"), 0o644))
	paths := []string{"dir", "dir/c.txt"}
	blocked, err := s.repo.Files.InTheWay(lane.Files, paths)
	s.must(err)
	equalList(t, "only its own files", blocked)
	s.write("dir/secret", "ignored\n")
	blocked, err = s.repo.Files.InTheWay(lane.Files, paths)
	s.must(err)
	equalList(t, "another file", blocked, "dir")
}

func TestTakeMayBeDoneTwice(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := filepath.Join(t.TempDir(), "lane")
	lane, err := s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head())
	s.must(err)
	in := func(name string) string { return filepath.Join(dir, name) }
	s.must(os.Remove(in("a.txt")))
	s.must(os.Mkdir(in("a.txt"), 0o755))
	s.must(os.WriteFile(in("a.txt/x"), []byte("x\n"), 0o644))
	s.must(os.WriteFile(in("run.sh"), []byte("#!/bin/sh\n"), 0o644))
	s.must(os.Chmod(in("b.txt"), 0o755))
	s.must(os.RemoveAll(in("dir")))
	s.must(os.Symlink("b.txt", in("link")))
	paths := []string{"a.txt", "a.txt/x", "run.sh", "b.txt", "dir/c.txt", "link"}
	for range 2 {
		s.must(s.repo.Files.Take(lane.Files, paths))
		differ, err := s.repo.Files.Differ(lane.Files, paths)
		s.must(err)
		equalList(t, "differ", differ)
	}
	s.must(os.MkdirAll(s.path("dir/c.txt"), 0o755)) // a folder, and nothing: neither is a file
	differ, err := s.repo.Files.Differ(lane.Files, paths)
	s.must(err)
	equalList(t, "differ beside a folder", differ)
	s.must(os.RemoveAll(s.path("dir")))
	s.must(os.Remove(in("link")))
	s.must(os.Symlink("run.sh", in("link")))
	s.must(s.repo.Files.Take(lane.Files, paths))
	changes, err := s.repo.Tree.Changes(t.Context(), s.head())
	s.must(err)
	want, err := lane.Tree.Changes(t.Context(), s.head())
	s.must(err)
	equalList(t, "changes", Paths(changes), Paths(want)...)
}

func TestTreeThatLostItsLinkIsNotTakenForTheOneAroundIt(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	dir := s.path(".harness/worktrees/lane")
	lane, err := s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head())
	s.must(err)
	work := filepath.Join(dir, "work.txt")
	for name, replace := range map[string]func(link string) error{
		"gone":               func(string) error { return nil },
		"another repository": func(string) error { _, err := lane.write(t.Context(), nil, "init", "--quiet", dir); return err },
	} {
		s.must(os.WriteFile(work, []byte(name), 0o644))
		link := filepath.Join(dir, ".git")
		s.must(os.Remove(link))
		s.must(replace(link))
		if lane.Stands() {
			t.Errorf("%s: it is said to stand", name)
		}
		if p, err := lane.Position(t.Context()); err == nil && p.Branch == "main" && name == "gone" {
			t.Errorf("%s: it is taken for the tree around it: %+v", name, p)
		}
		there, err := s.repo.Worktrees.At(t.Context(), dir)
		if err != nil || there == nil || there.GitDir() != lane.GitDir() || !lane.Stands() {
			t.Fatalf("%s: linked again: %v, %v", name, there, err)
		}
		changes, err := lane.Tree.Changes(t.Context(), s.head())
		s.must(err)
		equalList(t, name, Paths(changes), "work.txt")
	}
	s.must(os.RemoveAll(dir))
	if there, err := s.repo.Worktrees.At(t.Context(), dir); err != nil || there != nil || lane.Stands() || !s.repo.Stands() {
		t.Fatalf("removed: %v, %v", there, err)
	}
	lane, err = s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head())
	s.must(err)
	if !lane.Stands() {
		t.Error("made again, it does not stand")
	}
}
