package git

import (
	"os"
	"runtime"
	"testing"
)

func TestRepositoryFromFilesIsWhatGitSays(t *testing.T) {
	for _, c := range []struct {
		name  string
		plain bool // the files are enough
		at    string
		make  func(s *sandbox)
	}{
		{"its root", true, "", func(*sandbox) {}},
		{"a folder in it", true, "dir", func(*sandbox) {}},
		{"with a remote and a branch", true, "dir", func(s *sandbox) {
			s.git("remote", "add", "origin", "https://example.com/a.git")
			s.git("config", "branch.main.remote", "origin")
		}},
		{"a detached HEAD", true, "", func(s *sandbox) { s.git("switch", "-q", "--detach") }},
		{"no commit yet", true, "", func(s *sandbox) { s.git("switch", "-q", "--orphan", "fresh") }},
		{"a folder that is a link", true, "link", func(s *sandbox) { s.link("dir", "link") }},
		{"the folder .git", false, ".git", func(*sandbox) {}},
		{"below the folder .git", false, ".git/refs", func(*sandbox) {}},
		{"a folder that is not there", false, "gone", func(*sandbox) {}},
		{"no repository", false, "", func(s *sandbox) { s.remove(".git") }},
		{"a repository within", true, "dir", func(s *sandbox) { s.git("init", "-q", "dir") }},
		{"a bare repository within", false, "dir", func(s *sandbox) { s.git("init", "-q", "--bare", "dir") }},
		{"a folder .git within that is none", false, "dir", func(s *sandbox) { s.must(os.Mkdir(s.path("dir/.git"), 0o755)) }},
		{"a linked working tree", false, "linked", func(s *sandbox) { s.git("worktree", "add", "-q", "--detach", "linked") }},
		{"a working tree elsewhere", false, "", func(s *sandbox) { s.git("config", "core.worktree", s.path("dir")) }},
		{"called bare", false, "", func(s *sandbox) { s.git("config", "core.bare", "true") }},
		{"called bare without a value", false, "", func(s *sandbox) { s.write(".git/config", s.read(".git/config")+"[core]\n\tbare\n") }},
		{"called bare in one line", false, "", func(s *sandbox) { s.write(".git/config", s.read(".git/config")+"[core] bare = true\n") }},
		{"an extension", false, "", func(s *sandbox) {
			s.git("config", "core.repositoryformatversion", "1")
			s.git("config", "extensions.worktreeConfig", "true")
		}},
		{"a format of the future", false, "", func(s *sandbox) { s.git("config", "core.repositoryformatversion", "9") }},
		{"another file of settings", false, "", func(s *sandbox) { s.git("config", "include.path", "more") }},
		{"a configuration that is nonsense", false, "", func(s *sandbox) { s.write(".git/config", s.read(".git/config")+"nonsense ]\n") }},
		{"a configuration that ends in the middle", false, "", func(s *sandbox) { s.write(".git/config", s.read(".git/config")+"]\n") }},
		{"a HEAD that is nonsense", false, "", func(s *sandbox) { s.write(".git/HEAD", "nonsense\n") }},
		{"a HEAD that is a link", false, "", func(s *sandbox) {
			s.must(os.Remove(s.path(".git/HEAD")))
			s.link("refs/heads/main", ".git/HEAD")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSandbox(t)
			c.make(s)
			at := s.path(c.at)
			equal(t, "plain", (&Repo{root: at}).findFiles(), c.plain && runtime.GOOS == "linux")
			want := &Repo{root: at}
			wantErr := want.askWhere(t.Context())
			got, err := Find(t.Context(), at)
			equal(t, "fails", err != nil, wantErr != nil)
			if err == nil {
				equal(t, "root", got.root, want.root)
				equal(t, "git folder", got.gitDir, want.gitDir)
				equal(t, "common folder", got.commonDir, want.commonDir)
				equal(t, "long ids", got.longIDs, want.longIDs)
				equal(t, "found", got.found, want.found)
			}
		})
	}
}

func TestAVariableThatTellsWhereIsHeeded(t *testing.T) {
	s := newSandbox(t)
	t.Setenv("GIT_CEILING_DIRECTORIES", s.dir)
	equal(t, "plain", (&Repo{root: s.path("dir")}).findFiles(), false)
	_, err := Find(t.Context(), s.path("dir"))
	equal(t, "fails", err != nil, true)
}
