package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFolderOutsideOfARepositoryIsRefused(t *testing.T) {
	_, err := Open(t.Context(), t.TempDir())
	var missing *NoRepositoryError
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "git init") {
		t.Fatalf("got %v", err)
	}
}

func TestRepositoryWithoutACommitCanBeFoundButNotOpened(t *testing.T) {
	s := emptySandbox(t)
	_, err := Open(t.Context(), s.dir)
	var noCommit *NoCommitError
	if !errors.As(err, &noCommit) || !strings.Contains(err.Error(), "git commit") {
		t.Fatalf("got %v", err)
	}
	r, err := Find(t.Context(), s.dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Position(t.Context())
	s.must(err)
	equal(t, "branch", p.Branch, "main")
	equal(t, "head", p.Head, "")
}

func TestMissingIdentityIsRefusedWithTheCommands(t *testing.T) {
	s := emptySandbox(t)
	s.seed()
	s.git("config", "--unset", "user.name")
	s.git("config", "--unset", "user.email")
	s.git("config", "user.useConfigOnly", "true")
	_, err := Open(t.Context(), s.dir)
	var nobody *NoIdentityError
	if !errors.As(err, &nobody) || !strings.Contains(err.Error(), "git config --global user.email") {
		t.Fatalf("got %v", err)
	}
}

func TestOpenFromASubfolderFindsTheRoot(t *testing.T) {
	s := newSandbox(t)
	r, err := Open(t.Context(), s.path("dir"))
	s.must(err)
	equal(t, "root", r.Root(), s.dir)
	equal(t, "git folder", r.GitDir(), s.path(".git"))
	equal(t, "common folder", r.CommonDir(), s.path(".git"))
}

func TestRepositoryNamedByTheEnvironmentIsNotUsed(t *testing.T) {
	s, other := newSandbox(t), newSandbox(t)
	other.write("a.txt", "changed\n")
	t.Setenv("GIT_DIR", other.path(".git"))
	t.Setenv("GIT_WORK_TREE", other.dir)
	t.Setenv("GIT_INDEX_FILE", other.path(".git/index"))
	r, err := Open(t.Context(), s.dir)
	s.must(err)
	now, err := r.Tree.Status(t.Context())
	s.must(err)
	equal(t, "root", r.Root(), s.dir)
	equalList(t, "dirt", words(now.Dirt))
}

func TestLongObjectIdsAreUnderstood(t *testing.T) {
	s := emptySandbox(t)
	s.remove(".git")
	s.git("init", "-q", "--object-format=sha256")
	s.git("config", "user.name", "Ada")
	s.git("config", "user.email", "ada@example.com")
	s.seed()
	r, err := Open(t.Context(), s.dir)
	s.must(err)
	s.write("new", "x\n")
	changes, err := r.Tree.Changes(t.Context(), "HEAD")
	s.must(err)
	equalList(t, "changes", words(changes), "A new")
	saved, err := r.Files.Save(t.Context(), "refs/autopilot/x", "x", nil)
	s.must(err)
	equal(t, "blob", saved.Files[0].Blob, s.git("rev-parse", saved.Ref+":new"))
}

func TestPositionTellsBranchHeadAndUnfinishedOperation(t *testing.T) {
	s := newSandbox(t)
	p, err := s.repo.Position(t.Context())
	s.must(err)
	equal(t, "branch", p.Branch, "main")
	equal(t, "head", p.Head, s.head())
	equal(t, "operation", p.Operation, "")

	s.git("switch", "-q", "-c", "side")
	s.write("a.txt", "side\n")
	s.git("commit", "-qam", "side")
	s.git("switch", "-q", "main")
	s.write("a.txt", "main\n")
	s.git("commit", "-qam", "main")
	_, _ = s.try("merge", "side")
	p, err = s.repo.Position(t.Context())
	s.must(err)
	equal(t, "operation", p.Operation, "merge")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt), "U* a.txt")

	s.git("merge", "--abort")
	s.git("switch", "-q", "--detach")
	p, err = s.repo.Position(t.Context())
	s.must(err)
	equal(t, "detached branch", p.Branch, "")
	equal(t, "detached head", p.Head, s.head())
}

func TestLockInTheWayIsNamedWithTheRemedy(t *testing.T) {
	s := newSandbox(t)
	s.write(".git/index.lock", "")
	s.write("a.txt", "changed\n")
	_, err := s.repo.Commits.Make(t.Context(), Commit{Paths: []string{"a.txt"}, Subject: "x"})
	var lock *LockError
	if !errors.As(err, &lock) || lock.File != s.path(".git/index.lock") || !strings.Contains(err.Error(), "rm '") {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Stat(lock.File); err != nil {
		t.Fatal("a lock of somebody else was removed")
	}
	_, err = s.repo.Files.Reset(t.Context(), "HEAD", []string{"a.txt"}, "refs/autopilot/x")
	if !errors.As(err, &lock) {
		t.Fatalf("got %v", err)
	}
}

func TestShortLockOfAnEditorIsWaitedFor(t *testing.T) {
	s := newSandbox(t)
	tries := 0
	s.repo.lockWait = 1 << 30
	err := s.repo.patiently(t.Context(), func() error {
		if tries++; tries < 3 {
			return &LockError{File: "index.lock"}
		}
		return nil
	})
	s.must(err)
	equal(t, "tries", tries, 3)
}

func TestCancelledCallEnds(t *testing.T) {
	s := newSandbox(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.repo.Tree.Status(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func TestReadingRunsNothingThatTheRepositoryNames(t *testing.T) {
	s := newSandbox(t)
	witness := filepath.Join(t.TempDir(), "ran")
	s.write("evil.sh", "#!/bin/sh\necho $0 >> "+witness+"\n")
	s.chmod("evil.sh", 0o755)
	s.write(".gitattributes", "*.txt diff=evil\n")
	for _, key := range []string{"core.fsmonitor", "diff.external", "diff.evil.textconv", "diff.evil.command", "core.pager"} {
		s.git("config", key, s.path("evil.sh"))
	}
	for _, name := range []string{"post-index-change", "reference-transaction", "post-checkout"} {
		s.hook(name, "echo "+name+" >> "+witness)
	}
	s.write("a.txt", "changed\n")
	_, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	_, err = s.repo.Tree.Changes(t.Context(), "HEAD")
	s.must(err)
	_, _, err = s.repo.Tree.Diff(t.Context(), "HEAD", "", 0)
	s.must(err)
	_, err = s.repo.Tree.Hash(t.Context())
	s.must(err)
	saved, err := s.repo.Files.Save(t.Context(), "refs/autopilot/x", "x", nil)
	s.must(err)
	s.must(s.repo.Files.Restore(t.Context(), saved.Ref, []string{"a.txt"}))
	_, err = s.repo.Refs.CreateBranch(t.Context(), "side")
	s.must(err)
	if ran, err := os.ReadFile(witness); err == nil {
		t.Fatalf("these ran:\n%s", ran)
	}
}

func TestRunDataIsToldByItsPath(t *testing.T) {
	for path, want := range map[string]bool{
		".harness": true, ".harness/sessions/x/lock": true, "harness-tasks.json": true, "harness-progress.txt": true,
		".harnessed/x": false, "harness-notes.md": false, "src/harness-tasks.json": false, "src/.harness/x": false, "a": false,
	} {
		equal(t, path, IsRunData(path), want)
	}
}
