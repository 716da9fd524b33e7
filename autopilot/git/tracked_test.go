package git

import "testing"

func TestTrackedAreFilesAndSubmodulesWithoutRunData(t *testing.T) {
	s, inner := newSandbox(t), newSandbox(t)
	s.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.dir, "module")
	s.write("harness-tasks.json", "{}")
	s.git("add", "-f", "harness-tasks.json")
	s.write("new.txt", "x\n")
	tracked, err := s.repo.Tree.Tracked(t.Context())
	s.must(err)
	equalList(t, "submodules", tracked.Submodules, "module/")
	equalList(t, "files", tracked.Files, ".gitmodules", "a.txt", "b.txt", "dir/c.txt", "run.sh")
}

func TestUnseenAreFilesThatGitHasToPassOver(t *testing.T) {
	all := func(string) bool { return true }
	for flag, want := range map[string][]string{"--skip-worktree": {"a.txt"}, "--assume-unchanged": {"a.txt"}, "--no-skip-worktree": nil} {
		s := newSandbox(t)
		s.git("update-index", flag, "a.txt", "run.sh")
		s.write("a.txt", "otherwise\n")
		got, err := s.repo.Tree.Unseen(t.Context(), all)
		s.must(err)
		equalList(t, flag, got, want...)
		got, err = s.repo.Tree.Unseen(t.Context(), func(path string) bool { return path == "run.sh" })
		s.must(err)
		equalList(t, flag+" of another file", got)
	}
}
