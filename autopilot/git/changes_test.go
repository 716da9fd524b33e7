package git

import (
	"strings"
	"testing"
)

func TestDirtShowsEveryWayInWhichAFileCanDiffer(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "*.log\n")
	s.git("add", ".gitignore")
	s.git("commit", "-qm", "ignore")
	s.write("noise.log", "x")
	s.write("a.txt", "staged\n")
	s.git("add", "a.txt")
	s.write("a.txt", "staged and edited\n")
	s.remove("b.txt")
	s.git("mv", "dir/c.txt", "dir/d.txt")
	s.chmod("run.sh", 0o644)
	s.write("sub/new.txt", "new\n")
	s.link("a.txt", "link")
	s.write("gone.txt", "x")
	s.git("add", "gone.txt")
	s.remove("gone.txt")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt), "M* a.txt", "D b.txt", "D* dir/c.txt", "A* dir/d.txt", "D* gone.txt",
		"A? link", "M run.sh", "A? sub/new.txt")
}

func TestFileRemovedFromTheIndexOnlyIsModifiedNotDeleted(t *testing.T) {
	s := newSandbox(t)
	s.git("rm", "-q", "--cached", "a.txt")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt), "M*? a.txt")
}

func TestFileThatBecameALinkHasAnotherType(t *testing.T) {
	s := newSandbox(t)
	s.remove("a.txt")
	s.link("b.txt", "a.txt")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt), "T a.txt")
	changes, err := s.repo.Tree.Changes(t.Context(), "HEAD")
	s.must(err)
	equalList(t, "changes", words(changes), "T a.txt")
}

func TestRunDataIsNeitherDirtNorChangeNorTree(t *testing.T) {
	s := newSandbox(t)
	s.write(".harness/tracked.json", "{}\n")
	s.write("harness-tasks.json", "{}\n")
	s.git("add", "-f", "-A")
	s.git("commit", "-qm", "tracked run data")
	before, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	s.write(".harness/tracked.json", "changed\n")
	s.write(".harness/new", "new\n")
	s.write("harness-tasks.json", "changed\n")
	s.write("harness-progress.txt", "new\n")
	s.git("add", "harness-progress.txt")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt))
	changes, err := s.repo.Tree.Changes(t.Context(), "HEAD~1")
	s.must(err)
	equalList(t, "changes", words(changes))
	text, _, err := s.repo.Tree.Diff(t.Context(), "HEAD~1", "", 0)
	s.must(err)
	equal(t, "diff", text, "")
	after, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	equal(t, "tree", after, before)
}

func TestChangesGoFromTheBaseToTheWorkingTree(t *testing.T) {
	s := newSandbox(t)
	base := s.head()
	s.write("committed.txt", "x\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "later")
	s.write("a.txt", "changed\n")
	s.write("b.txt", "two\n") // written again with the same bytes
	s.write("untracked.txt", "some text that is new\n")
	s.must(moveFile(s, "dir/c.txt", "moved/c.txt"))
	s.chmod("run.sh", 0o644)
	index := s.index()
	changes, err := s.repo.Tree.Changes(t.Context(), base)
	s.must(err)
	equalList(t, "changes", words(changes), "M a.txt", "A committed.txt", "R moved/c.txt <- dir/c.txt", "M run.sh",
		"A untracked.txt")
	equalList(t, "paths", Paths(changes), "a.txt", "committed.txt", "dir/c.txt", "moved/c.txt", "run.sh", "untracked.txt")
	equal(t, "index", s.index(), index)
}

func TestChangesSeeAFileThatBecameAFolder(t *testing.T) {
	s := newSandbox(t)
	s.remove("a.txt")
	s.write("a.txt/inner", "x\n")
	changes, err := s.repo.Tree.Changes(t.Context(), "HEAD")
	s.must(err)
	equalList(t, "changes", words(changes), "D a.txt", "A a.txt/inner")
}

func TestNamesSurviveExactly(t *testing.T) {
	s := newSandbox(t)
	names := weird()
	for _, name := range names {
		s.write(name, "content of "+name)
	}
	changes, err := s.repo.Tree.Changes(t.Context(), "HEAD")
	s.must(err)
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	for _, name := range names {
		for _, list := range [][]Change{changes, now.Dirt} {
			found := false
			for _, c := range list {
				found = found || c.Path == name
			}
			equal(t, "found "+name, found, true)
		}
	}
	before, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	made, err := s.repo.Commits.Make(t.Context(), Commit{Paths: names, Subject: "weird"})
	s.must(err)
	equal(t, "commit", made.SHA, s.head())
	after, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	equal(t, "tree hash after the commit", after, before)
	now, err = s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt after the commit", words(now.Dirt))
}

func TestSubmodulesAndNestedRepositoriesAreLeftAlone(t *testing.T) {
	s, inner := newSandbox(t), newSandbox(t)
	s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.dir, "module")
	s.git("commit", "-qm", "module")
	before, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	s.write("module/a.txt", "dirt inside\n")
	s.write("nested/x", "x")
	s.git("init", "-q", "nested")
	s.git("-C", "nested", "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "x")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt))
	changes, err := s.repo.Tree.Changes(t.Context(), "HEAD")
	s.must(err)
	equalList(t, "changes", words(changes))
	after, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	equal(t, "tree", after, before)
	_, err = s.repo.Files.Reset(t.Context(), "HEAD", []string{"module"}, "refs/autopilot/x")
	s.must(err)
	equal(t, "inside", s.read("module/a.txt"), "dirt inside\n")
}

func TestTreeHashFollowsContentNotTheIndex(t *testing.T) {
	steps := []struct {
		name    string
		do      func(*sandbox)
		changes bool
	}{
		{"staging", func(s *sandbox) { s.write("a.txt", "x\n"); s.git("add", "-A") }, true},
		{"committing it", func(s *sandbox) { s.git("commit", "-qm", "x") }, false},
		{"a file touched", func(s *sandbox) { s.write("a.txt", "x\n") }, false},
		{"a new file", func(s *sandbox) { s.write("new", "n\n") }, true},
		{"the new file staged", func(s *sandbox) { s.git("add", "new") }, false},
		{"its mode", func(s *sandbox) { s.chmod("new", 0o755) }, true},
		{"a link", func(s *sandbox) { s.link("a", "link") }, true},
		{"the link's target", func(s *sandbox) { s.remove("link"); s.link("b", "link") }, true},
		{"a deletion", func(s *sandbox) { s.remove("b.txt") }, true},
		{"the deletion staged", func(s *sandbox) { s.git("add", "-A") }, false},
		{"taken out of the index", func(s *sandbox) { s.git("rm", "-q", "--cached", "a.txt") }, false},
		{"ignored", func(s *sandbox) { s.write(".git/info/exclude", "*.log\n"); s.write("x.log", "x") }, false},
	}
	s := newSandbox(t)
	before, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	for _, step := range steps {
		step.do(s)
		after, err := s.repo.Tree.Hash(t.Context())
		s.must(err)
		equal(t, step.name+" changes the hash", after != before, step.changes)
		before = after
	}
}

func TestTreeHashIsThatOfTheCommittedLineEndings(t *testing.T) {
	s := newSandbox(t)
	s.git("config", "core.autocrlf", "true")
	s.git("config", "core.safecrlf", "true")
	s.write("crlf.txt", "a\r\nb\r\n")
	before, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	_, err = s.repo.Commits.Make(t.Context(), Commit{Paths: []string{"crlf.txt"}, Subject: "x"})
	s.must(err)
	after, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	equal(t, "hash", after, before)
	equal(t, "bytes on disk", s.read("crlf.txt"), "a\r\nb\r\n")
	equal(t, "bytes in the commit", s.git("show", "HEAD:crlf.txt"), "a\nb")
}

func TestExecutableBitIsIgnoredWhereTheFileSystemHasNone(t *testing.T) {
	s := newSandbox(t)
	s.git("config", "core.fileMode", "false")
	r, err := Open(t.Context(), s.dir)
	s.must(err)
	s.write("a.txt", "x\n")
	before, err := r.Tree.Hash(t.Context())
	s.must(err)
	s.chmod("a.txt", 0o755)
	after, err := r.Tree.Hash(t.Context())
	s.must(err)
	equal(t, "hash", after, before)
}

func TestDiffIsTheSameWhateverIsConfigured(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "ONE\n")
	s.write("new.txt", "new\n")
	plain, cut, err := s.repo.Tree.Diff(t.Context(), "HEAD", "", 0)
	s.must(err)
	equal(t, "cut", cut, false)
	for _, line := range []string{"--- a/a.txt\n", "-one\n+ONE\n", "+++ b/new.txt\n", "+new\n"} {
		equal(t, line, strings.Contains(plain, line), true)
	}
	for key, value := range map[string]string{
		"diff.noprefix": "true", "color.ui": "always", "diff.mnemonicPrefix": "true", "diff.context": "9",
		"core.pager": "false", "diff.algorithm": "patience", "diff.renames": "false",
	} {
		s.git("config", key, value)
	}
	configured, _, err := s.repo.Tree.Diff(t.Context(), "HEAD", "", 0)
	s.must(err)
	equal(t, "diff", configured, plain)
}

func TestLongDiffIsCutAtALine(t *testing.T) {
	s := newSandbox(t)
	s.write("long.txt", strings.Repeat("a line of text\n", 200_000))
	text, cut, err := s.repo.Tree.Diff(t.Context(), "HEAD", "", 1000)
	s.must(err)
	equal(t, "cut", cut, true)
	equal(t, "ends with a whole line", strings.HasSuffix(text, "+a line of text\n"), true)
	if len(text) > 1000 || len(text) < 900 {
		t.Fatalf("%d bytes", len(text))
	}
}

func TestDiffBetweenCommitsLeavesTheWorkingTreeOut(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "ONE\n")
	s.git("commit", "-qam", "Shout")
	s.write("b.txt", "not this\n")
	text, _, err := s.repo.Tree.Diff(t.Context(), "HEAD~1", "HEAD", 0)
	s.must(err)
	equal(t, "holds the commit", strings.Contains(text, "+ONE"), true)
	equal(t, "holds the tree", strings.Contains(text, "not this"), false)
	stat, err := s.repo.Tree.DiffStat(t.Context(), "HEAD~1", "")
	s.must(err)
	equal(t, "stat", strings.Contains(stat, "2 files changed"), true)
	equal(t, "the short form holds no patch", strings.Contains(stat, "@@"), false)
	_, _, err = s.repo.Tree.Diff(t.Context(), "nowhere", "", 0)
	equal(t, "an unknown base fails", err != nil, true)
	_, _, err = s.repo.Tree.Diff(t.Context(), "--output=x", "HEAD", 0)
	equal(t, "an option is no revision", err != nil, true)
	equal(t, "nothing was written", s.read("x"), "<none>")
}
