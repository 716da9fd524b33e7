package git

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestARepositoryThatGitRefusesIsNotToBeMadeAnew(t *testing.T) {
	for _, c := range []struct {
		name, at, says string
		make           func(s *sandbox)
	}{
		{"a HEAD that is nonsense", "dir", ".git (fatal: not a git repository", func(s *sandbox) { s.write(".git/HEAD", "garbage\n") }},
		{"called bare", "", "git config core.bare false", func(s *sandbox) { s.git("config", "core.bare", "true") }},
		{"a format of the future", "", "found 99", func(s *sandbox) { s.git("config", "core.repositoryformatversion", "99") }},
		{"a configuration that is nonsense", "dir", "bad config line", func(s *sandbox) { s.write(".git/config", "[\n") }},
		{"a link that leads nowhere", "", "not a git repository: /gone", func(s *sandbox) { s.remove(".git"); s.write(".git", "gitdir: /gone\n") }},
		{"below the folder .git", ".git/refs", "is inside git's own folder", func(*sandbox) {}},
		{"a bare repository", "", "is a bare repository", func(s *sandbox) { s.remove(".git"); s.git("init", "-q", "--bare", ".") }},
		{"no right to read the configuration", "dir", "Permission denied", func(s *sandbox) { s.chmod(".git/config", 0) }},
		{"no right to read HEAD", "dir", ".git (fatal: not a git repository", func(s *sandbox) { s.chmod(".git/HEAD", 0) }},
		{"a branch that is nonsense", "", "broken", func(s *sandbox) { s.write(".git/refs/heads/main", "garbage\n") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.HasPrefix(c.name, "no right") && os.Geteuid() == 0 {
				t.Skip("root may read everything")
			}
			s := newSandbox(t)
			c.make(s)
			_, err := Open(t.Context(), s.path(c.at))
			if _, ok := errors.AsType[*NoRepositoryError](err); !ok {
				t.Fatalf("got %v", err)
			}
			if text := err.Error(); !strings.Contains(text, c.says) || strings.Contains(text, "git init") || strings.Contains(text, "git add") {
				t.Errorf("got %s, want %q and nothing of making a repository", text, c.says)
			}
		})
	}
}

// TestAnUnusualReasonIsTold: what everybody knows is left out, and what git found besides is not.
func TestAnUnusualReasonIsTold(t *testing.T) {
	for reason, told := range map[string]bool{
		"fatal: not a git repository (or any of the parent directories): .git":                                false,
		"fatal: not a git repository (or any parent up to mount point /mnt)\nStopping at filesystem boundary": true,
		"fatal: not a git repository: '/gone'":                                                                true,
	} {
		text := (&NoRepositoryError{Dir: "/x", Reason: reason}).Error()
		if strings.Contains(text, reason) != told || !strings.HasPrefix(text, "/x is not in a git repository") {
			t.Errorf("%q: %s", reason, text)
		}
	}
}

func TestARepositoryIsToBeMadeWhereThereIsNone(t *testing.T) {
	for name, make := range map[string]func(s *sandbox){
		"none at all":         func(s *sandbox) { s.remove(".git") },
		"an empty folder":     func(s *sandbox) { s.remove(".git"); s.must(os.Mkdir(s.path(".git"), 0o755)) },
		"an empty one within": func(s *sandbox) { s.remove(".git"); s.must(os.Mkdir(s.path("dir/.git"), 0o755)) },
	} {
		s := newSandbox(t)
		make(s)
		_, err := Open(t.Context(), s.path("dir"))
		if err == nil || !strings.Contains(err.Error(), "git init") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAWorkingTreeElsewhereIsNamed(t *testing.T) {
	elsewhere := t.TempDir()
	for name, make := range map[string]func(s *sandbox){
		"another folder":     func(s *sandbox) { s.git("config", "core.worktree", elsewhere) },
		"a folder above":     func(s *sandbox) { s.git("config", "core.worktree", "../..") },
		"another repository": func(s *sandbox) { s.git("init", "-q", elsewhere); s.git("config", "core.worktree", elsewhere) },
	} {
		s := newSandbox(t)
		make(s)
		_, err := Open(t.Context(), s.dir)
		var away *WorktreeElsewhereError
		if !errors.As(err, &away) || away.Root == s.dir {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAWorkingTreeThatIsSetWhereItIsIsFound(t *testing.T) {
	for name, make := range map[string]func(s *sandbox){
		"its own folder":            func(s *sandbox) { s.git("config", "core.worktree", "..") },
		"a git folder elsewhere":    func(s *sandbox) { s.git("init", "-q", "--separate-git-dir", t.TempDir()+"/git") },
		"a link to the git folder":  func(s *sandbox) { s.must(os.Rename(s.path(".git"), s.path("../kept"))); s.link("../kept", ".git") },
		"a broken one further down": func(s *sandbox) { s.write("dir/.git/HEAD", "garbage\n") },
		"as for a submodule": func(s *sandbox) {
			s.git("init", "-q", "--separate-git-dir", t.TempDir()+"/git")
			s.git("config", "core.worktree", s.dir)
		},
	} {
		s := newSandbox(t)
		make(s)
		if _, err := Open(t.Context(), s.path("dir")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
