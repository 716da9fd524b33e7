package git

import (
	"context"
	"errors"
	"testing"
)

func TestUsersFilesThatAHookStagesAreTakenOutOfTheCommit(t *testing.T) {
	for _, script := range []string{"git add -A", "git add -A; git add -f ignored", "sed -i s/x/y/ a.txt; git add ."} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write(".git/info/exclude", "ignored\n")
			s.write("own.txt", "the user's\n")
			s.write("b.txt", "edited by the user\n")
			s.remove("dir/c.txt")
			s.write("staged", "staged by the user\n")
			s.git("add", "staged")
			s.write("run.sh", "staged\n")
			s.git("add", "run.sh")
			s.write("run.sh", "edited\n")
			s.write("ignored", "x\n")
			before := s.git("status", "--porcelain")
			s.hook("pre-commit", script)
			s.hook("commit-msg", "echo 'Change-Id: 1' >> $1")
			s.write("a.txt", "x\n")
			s.write("new", "x\n")
			made, err := s.commit(t, "a.txt", "new")
			s.must(err)
			equalList(t, "taken out", made.TakenOut, "b.txt", "dir/c.txt", "own.txt", "run.sh", "staged")
			equal(t, "hooks", made.Hook, "pre-commit, commit-msg")
			equal(t, "commit", made.SHA, s.head())
			equal(t, "its parent", s.git("log", "-1", "--format=%P %an", made.SHA), s.git("rev-parse", "HEAD~1")+" Ada")
			equal(t, "message", s.git("log", "-1", "--format=%B"), "[autopilot] Task\nChange-Id: 1")
			equal(t, "status", s.git("status", "--porcelain"), before)
			equal(t, "staged by the user", s.git("show", ":run.sh"), "staged")
			want := "M\ta.txt\nA\tnew"
			if script != "git add -A" && script[0] == 'g' {
				want = "M\ta.txt\nA\tignored\nA\tnew"
			}
			equal(t, "files of the commit", s.committed(), want)
		})
	}
}

// filtered is a sandbox in which *.txt go through a filter that runs a script.
func filtered(t *testing.T, script string) *sandbox {
	t.Helper()
	s := newSandbox(t)
	s.write("../clean", "#!/bin/sh\n"+script+"\n")
	s.chmod("../clean", 0o755)
	s.git("config", "filter.it.clean", s.path("../clean"))
	s.write(".git/info/attributes", "*.txt filter=it\n")
	return s
}

// contexts are those of a commit: after the working tree was looked at, and without.
var contexts = map[string]func(*testing.T, *sandbox) context.Context{
	"seen": func(t *testing.T, s *sandbox) context.Context {
		ctx := Still(t.Context())
		_, err := s.repo.Tree.Hash(ctx)
		s.must(err)
		return ctx
	},
	"not seen": func(t *testing.T, _ *sandbox) context.Context { return t.Context() },
}

func TestHonestConversionsAreCommitted(t *testing.T) {
	for name, with := range contexts {
		for what, c := range map[string]struct {
			make func(*testing.T) *sandbox
			want string
		}{
			"filter": {func(t *testing.T) *sandbox { return filtered(t, "tr a-z A-Z") }, "HELLO"},
			"line endings": {func(t *testing.T) *sandbox {
				s := newSandbox(t)
				s.git("config", "core.autocrlf", "true")
				return s
			}, "hello"},
			"line endings that were committed": {func(t *testing.T) *sandbox {
				s := newSandbox(t)
				s.write("a.txt", "one\r\n")
				s.git("commit", "-qam", "Returns")
				s.git("config", "core.autocrlf", "true")
				return s
			}, "hello\r"},
		} {
			t.Run(what+", "+name, func(t *testing.T) {
				t.Parallel()
				s := c.make(t)
				s.write("a.txt", "hello\r\n")
				if what == "filter" {
					s.write("a.txt", "hello\n")
				}
				s.write("new.txt", "new\n")
				_, err := s.repo.Commits.Make(with(t, s), Commit{Paths: []string{"a.txt", "new.txt"}, Subject: "Task"})
				s.must(err)
				equal(t, "committed", s.git("cat-file", "-p", "HEAD:a.txt"), c.want)
			})
		}
	}
}

func TestCommitOfSomethingElseIsTakenBack(t *testing.T) {
	for name, c := range map[string]struct {
		ctx    string
		before func(*sandbox) // after the working tree was looked at
		hook   string
	}{
		"the filter turned since": {"seen", func(s *sandbox) { s.write("../clean", "#!/bin/sh\necho evil\n") }, ""},
		"the file changed since":  {"seen", func(s *sandbox) { s.write("a.txt", "evil\n") }, ""},
		"the filter knows the commit": {"not seen", func(s *sandbox) {
			s.write("../clean", "#!/bin/sh\nif test \"$GIT_TRACE2_EVENT\"; then echo evil; else cat; fi\n")
		}, ""},
		"beside a hook": {"seen", func(s *sandbox) { s.write("../clean", "#!/bin/sh\necho evil\n") }, "true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := filtered(t, "cat")
			if c.hook != "" {
				s.hook("pre-commit", c.hook)
			}
			s.write("a.txt", "hello\n")
			s.write("new", "x\n")
			s.write("b.txt", "staged by the user\n")
			s.git("add", "b.txt")
			head, index := s.head(), s.index()
			ctx := contexts[c.ctx](t, s)
			c.before(s)
			_, err := s.repo.Commits.Make(ctx, Commit{Paths: []string{"a.txt", "new"}, Subject: "Task"})
			var altered *AlteredError
			if !errors.As(err, &altered) {
				t.Fatalf("got %v", err)
			}
			equalList(t, "altered", altered.Paths, "a.txt")
			equal(t, "HEAD", s.head(), head)
			equal(t, "index", s.index(), index)
			equal(t, "branch", s.git("branch", "--show-current"), "main")
		})
	}
}
