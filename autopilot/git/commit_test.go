package git

import (
	"errors"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/tail"
)

func (s *sandbox) commit(t *testing.T, paths ...string) (Committed, error) {
	t.Helper()
	return s.repo.Commits.Make(t.Context(), Commit{Paths: paths, Subject: "[autopilot] Task", HookTimeout: 20 * time.Second})
}

func (s *sandbox) committed() string {
	s.Helper()
	return s.git("-c", "core.quotepath=off", "show", "--no-renames", "--format=", "--name-status", "HEAD")
}

func TestCommitTakesExactlyItsPaths(t *testing.T) {
	s := newSandbox(t)
	s.write("b.txt", "staged by the user\n")
	s.git("add", "b.txt")
	s.write("b.txt", "edited by the user\n")
	s.write("user-new", "staged\n")
	s.git("add", "user-new")
	s.write("untracked", "the user's\n")
	user := s.git("ls-files", "-s", "b.txt", "user-new")

	s.write("a.txt", "changed\n")
	s.must(moveFile(s, "dir/c.txt", "dir/d.txt"))
	s.write("sub/new", "new\n")
	s.chmod("run.sh", 0o644)
	s.link("a.txt", "link")
	_, err := s.commit(t, "a.txt", "dir/c.txt", "dir/d.txt", "sub/new", "run.sh", "link", "unchanged", ".harness/x")
	s.must(err)
	equal(t, "commit", s.committed(), "M\ta.txt\nD\tdir/c.txt\nA\tdir/d.txt\nA\tlink\nM\trun.sh\nA\tsub/new")
	equal(t, "the user's index entries", s.git("ls-files", "-s", "b.txt", "user-new"), user)
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt), "M* b.txt", "A? untracked", "A* user-new")
}

func TestStagedDeletionAndStagedFileOfTheTaskAreCommittedAsTheyAreInTheTree(t *testing.T) {
	s := newSandbox(t)
	s.git("rm", "-q", "b.txt")
	s.write("a.txt", "staged\n")
	s.git("add", "a.txt")
	s.write("a.txt", "in the tree\n")
	_, err := s.commit(t, "a.txt", "b.txt")
	s.must(err)
	equal(t, "commit", s.committed(), "M\ta.txt\nD\tb.txt")
	equal(t, "content", s.git("show", "HEAD:a.txt"), "in the tree")
	equal(t, "status", s.git("status", "--porcelain"), "")
}

func TestFilesThatBecameFoldersAndFoldersThatBecameFilesAreCommitted(t *testing.T) {
	cases := map[string]func(*sandbox){
		"file to folder": func(s *sandbox) { s.remove("a.txt"); s.write("a.txt/inner", "x\n") },
		"folder to file": func(s *sandbox) { s.remove("dir"); s.write("dir", "x\n") },
		"folder to link": func(s *sandbox) { s.write("else/c.txt", "x\n"); s.remove("dir"); s.link("else", "dir") },
	}
	for name, do := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			do(s)
			changes, err := s.repo.Tree.Changes(t.Context(), "HEAD")
			s.must(err)
			_, err = s.commit(t, Paths(changes)...)
			s.must(err)
			equal(t, "status", s.git("status", "--porcelain"), "")
		})
	}
}

func TestMessageHoldsSubjectBodyAndTrailers(t *testing.T) {
	s := newSandbox(t)
	s.git("config", "commit.cleanup", "strip")
	s.git("config", "commit.template", "/nowhere")
	s.write("a.txt", "x\n")
	_, err := s.repo.Commits.Make(t.Context(), Commit{
		Paths: []string{"a.txt"}, Subject: "[autopilot][phase 1] #1\nin two lines", Body: "Why.\n\n# not a comment\n",
		Trailers: [][2]string{{"Autopilot-Phase", "1"}, {KeyTrailer, "s/1\nInjected: yes"}},
	})
	s.must(err)
	equal(t, "message", s.git("log", "-1", "--format=%B"), "[autopilot][phase 1] #1 in two lines\n\nWhy.\n\n"+
		"# not a comment\n\nAutopilot-Phase: 1\nAutopilot-Key: s/1 Injected: yes")
	equal(t, "trailers", s.git("log", "-1", "--format=%(trailers:key=Autopilot-Phase,valueonly)"), "1")
}

func TestNothingToCommitIsSaid(t *testing.T) {
	s := newSandbox(t)
	s.write(".git/info/exclude", "ignored\n")
	s.write("ignored", "x")
	s.write("b.txt", "staged only\n")
	s.git("add", "b.txt")
	s.write("b.txt", "two\n")
	for _, paths := range [][]string{nil, {"a.txt"}, {"ignored"}, {"none"}, {"b.txt"}, {".harness/x"}} {
		_, err := s.commit(t, paths...)
		var nothing *NothingToCommitError
		if !errors.As(err, &nothing) || !strings.Contains(err.Error(), "nothing to commit") {
			t.Fatalf("%q: got %v", paths, err)
		}
	}
	equal(t, "history", s.git("log", "--format=%s"), "Start")
}

func TestRefusingHookLeavesEverythingAsItWas(t *testing.T) {
	for _, hook := range []string{"pre-commit", "prepare-commit-msg", "commit-msg"} {
		t.Run(hook, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.hook("post-index-change", "true")
			s.hook(hook, "echo 'line too long'; exit 1")
			s.write("b.txt", "staged\n")
			s.git("add", "b.txt")
			s.write("a.txt", "x\n")
			s.write("new", "x\n")
			head, index := s.head(), s.index()
			_, err := s.commit(t, "a.txt", "new")
			var refused *HookError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v", err)
			}
			equal(t, "hook", refused.Hook, hook)
			equal(t, "timed out", refused.TimedOut, false)
			equal(t, "output", strings.Contains(err.Error(), "line too long"), true)
			equal(t, "HEAD", s.head(), head)
			equal(t, "index", s.index(), index)
			equal(t, "file", s.read("new"), "x\n")
		})
	}
}

func TestWhatAHookChangesIsTold(t *testing.T) {
	cases := []struct {
		name, hook, script string
		want, left         []string
	}{
		{"nothing", "pre-commit", "true", nil, nil},
		{"a file of the commit, not added", "pre-commit", "echo tidy >> a.txt", []string{"a.txt"}, nil},
		{"a file of the commit, added", "pre-commit", "echo tidy >> a.txt; git add a.txt", []string{"a.txt"}, nil},
		{"written again with the same bytes", "pre-commit", "cp a.txt t && cat t > a.txt && rm t", nil, nil},
		{"a file of the user", "pre-commit", "echo more >> user.txt", []string{"user.txt"}, nil},
		{"a file of the user, removed", "pre-commit", "rm user.txt", []string{"user.txt"}, nil},
		{"a clean file", "pre-commit", "echo more >> b.txt", []string{"b.txt"}, nil},
		{"a new file", "post-commit", "echo x > report", nil, []string{"report"}},
		{"what is in the commit", "pre-commit", "echo x > made; git add -A", []string{"made"}, nil},
		{"the message only", "commit-msg", "echo 'Change-Id: 1' >> $1", nil, nil},
		{"run data only", "pre-commit", "mkdir -p .harness; echo x > .harness/x", nil, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.hook(c.hook, c.script)
			s.write("user.txt", "the user's\n")
			s.write("a.txt", "x\n")
			made, err := s.commit(t, "a.txt")
			s.must(err)
			equal(t, "commit", made.SHA, s.head())
			equalList(t, "changed", made.HookChanged, c.want...)
			equalList(t, "left", made.HookLeft, c.left...)
		})
	}
}

// A hook that stages what it formats writes into the index of the commit, which is not the one that stays.
func TestIndexIsAsHeadAfterAHookThatStages(t *testing.T) {
	cases := []struct {
		name, script string
		paths        []string
		status       string
	}{
		{"a file of the commit", "gofmt -w x.go; git add x.go", []string{"x.go"}, "M  b.txt"},
		{"a new file of the commit", "gofmt -w new.go; git add new.go", []string{"new.go"}, "M  b.txt\n M x.go"},
		{"a changed file beside the commit", "gofmt -w x.go; git add x.go", []string{"a.txt"}, "M  b.txt\n M x.go"},
		{"a new file beside it", "echo x > made; git add made", []string{"x.go"}, "M  b.txt"},
		{"a file that it removes", "git rm -qf run.sh", []string{"x.go"}, "M  b.txt"},
		{"what the user staged", "echo more >> b.txt; git add b.txt", []string{"x.go"}, "MM b.txt"},
		{"a file that it edits on", "git add x.go; echo '// more' >> x.go", []string{"x.go"}, "M  b.txt\n M x.go"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write("x.go", "package x\n")
			s.git("add", "x.go")
			s.git("commit", "-qm", "Go")
			s.write("b.txt", "staged by the user\n")
			s.git("add", "b.txt")
			staged := s.git("ls-files", "-s", "b.txt")
			s.hook("pre-commit", c.script)
			s.write("x.go", "package   x\n\nvar  X =  1\n")
			for _, path := range c.paths {
				if path != "x.go" {
					s.write(path, "package   x\n")
				}
			}
			made, err := s.commit(t, c.paths...)
			s.must(err)
			equal(t, "the hook's changes are told", len(made.HookChanged) > 0, true)
			equal(t, "the user's staged file", s.git("ls-files", "-s", "b.txt"), staged)
			equal(t, "status", s.git("status", "--porcelain", "--untracked-files=all"), c.status)
		})
	}
}

func TestOfWhatHooksPrintTheEndIsKept(t *testing.T) {
	for name, piece := range map[string]string{"in lines": "a line\n", "in one line": "x", "in large pieces": strings.Repeat("a line\n", 20_000)} {
		w := &tail.Writer{Limit: mostWords}
		for range 50_000_000 / len(piece) / 100 {
			_, _ = w.Write([]byte(piece))
		}
		equal(t, name+": what is held is small", cap(w.Bytes()) < 8*mostWords, true)
		_, _ = w.Write([]byte("\nthe last\n"))
		text := lastWords(w)
		equal(t, name+": its end", strings.HasSuffix(text, "the last"), true)
		equal(t, name+": the word of what is cut", strings.HasPrefix(text, "…"), true)
		equal(t, name+": is short", len(text) < 17<<10, true)
		if piece != "x" {
			equal(t, name+": is cut at a line", strings.HasPrefix(text, "…a line\n"), true)
		}
	}
	w := &tail.Writer{Limit: mostWords}
	_, _ = w.Write([]byte("\n as it came \n"))
	equal(t, "short", lastWords(w), "as it came")
}
