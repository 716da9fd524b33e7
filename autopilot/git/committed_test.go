package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// conversion is something by which git stores other content than a file has.
type conversion struct {
	text   string
	before func(s *sandbox, home string) // the run begins
	after  func(s *sandbox, home string)
	want   string // committed; "altered": nothing is, "hook": what a hook changed is told
}

const evilFilter = "[filter \"it\"]\n\tclean = echo evil\n"

func setFilter(s *sandbox) { s.git("config", "filter.it.clean", "echo evil") }

var conversions = map[string]conversion{
	"a filter in the home": {after: func(s *sandbox, home string) {
		s.must(os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(evilFilter+"[core]\n\tattributesFile = "+s.path(".git/all")+"\n"), 0o644))
		s.write(".git/all", "* filter=it\n")
	}, want: "hello"},
	"a filter in the home for attributes that are committed": {
		before: func(s *sandbox, _ string) { s.write(".gitattributes", "* filter=it\n") },
		after: func(s *sandbox, home string) {
			s.must(os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(evilFilter), 0o644))
		}, want: "hello",
	},
	"a filter in the repository": {
		before: func(s *sandbox, _ string) { s.write(".gitattributes", "* filter=it\n") },
		after:  func(s *sandbox, _ string) { setFilter(s) }, want: "altered",
	},
	"another filter in the repository": {before: func(s *sandbox, _ string) {
		s.write(".gitattributes", "* filter=it\n")
		s.git("config", "filter.it.clean", "cat")
	}, after: func(s *sandbox, _ string) { setFilter(s) }, want: "altered"},
	"info/attributes": {
		before: func(s *sandbox, _ string) { setFilter(s) },
		after:  func(s *sandbox, _ string) { s.write(".git/info/attributes", "* filter=it\n") }, want: "altered",
	},
	"attributes of the repository's configuration": {before: func(s *sandbox, _ string) { setFilter(s) }, after: func(s *sandbox, _ string) {
		s.write(".git/attributes", "* filter=it\n")
		s.git("config", "core.attributesFile", s.path(".git/attributes"))
	}, want: "altered"},
	"attributes of the working tree, for a filter of before": {
		before: func(s *sandbox, _ string) { setFilter(s) },
		after:  func(s *sandbox, _ string) { s.write(".gitattributes", "a.txt filter=it\n") }, want: "evil",
	}, // they are committed, and seen
	"line endings":           {text: "hello\r\n", after: func(s *sandbox, _ string) { s.git("config", "core.autocrlf", "input") }, want: "altered"},
	"line endings of before": {text: "hello\r\n", before: func(s *sandbox, _ string) { s.git("config", "core.autocrlf", "input") }, want: "hello"},
	"an encoding":            {text: "\xff\xfeh\x00i\x00", after: func(s *sandbox, _ string) { s.write(".git/info/attributes", "* working-tree-encoding=UTF-16\n") }, want: "altered"},
	"an encoding of before": {text: "\xff\xfeh\x00i\x00", before: func(s *sandbox, _ string) {
		s.write(".gitattributes", "a.txt working-tree-encoding=UTF-16\n")
		s.remove("a.txt")
	}, want: "hi"},
	"a hook": {after: func(s *sandbox, _ string) { s.hook("pre-commit", "echo evil > a.txt; git add a.txt") }, want: "hook"},
}

// TestWhatIsValidatedIsWhatIsCommitted: before or after the working tree is looked at, something is set by which git would store
// other content than a file has.
func TestWhatIsValidatedIsWhatIsCommitted(t *testing.T) {
	for name, c := range conversions {
		for _, seen := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", seen before: ", seen), func(t *testing.T) {
				c.check(t, seen)
			})
		}
	}
}

func (c conversion) check(t *testing.T, seen bool) {
	t.Helper()
	s, home := newSandbox(t), atHome(t, nil)
	if c.before != nil {
		c.before(s, home)
		s.git("add", "-A")
		s.git("commit", "-q", "--allow-empty", "-m", "Before")
	}
	s.must(s.repo.Config.Pin(t.Context()))
	s.write("a.txt", cmp.Or(c.text, "hello\n"))
	var ctx context.Context
	if seen {
		ctx = contexts["seen"](t, s)
	}
	if c.after != nil {
		c.after(s, home)
	}
	if !seen {
		ctx = contexts["seen"](t, s)
	} else if c.want == "evil" {
		c.want = "altered"
	}
	head := s.head()
	made, err := s.repo.Commits.Make(ctx, Commit{Paths: []string{"a.txt"}, Subject: "Task"})
	if _, altered := errors.AsType[*AlteredError](err); altered || c.want == "altered" {
		equal(t, "what is done", cmp.Or(map[bool]string{true: "altered"}[altered], fmt.Sprint(err)), c.want)
		equal(t, "HEAD", s.head(), head)
		return
	}
	s.must(err)
	if c.want == "hook" {
		equalList(t, "told", made.HookChanged, "a.txt")
		return
	}
	equal(t, "committed", s.git("cat-file", "-p", "HEAD:a.txt"), c.want)
}
