package git

import (
	"fmt"
	"testing"
)

func TestIgnoredFilesAreNamedWithTheirRule(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("rules", "\n*.mine\n")
	s.git("config", "core.excludesFile", s.path("rules"))
	s.write(".gitignore", "build/\n:*\n")
	s.write("dir/.gitignore", "# own\nx[1].txt\n")
	paths := []string{"build/deep/a b.txt", ":odd", "dir/x1.txt", "some.mine", "plain.txt"}
	for _, path := range paths {
		s.write(path, "x\n")
	}
	rules, err := s.repo.Tree.IgnoredBy(t.Context(), paths)
	s.must(err)
	for path, want := range map[string]IgnoringRule{
		"build/deep/a b.txt": {".gitignore", "1", "build/"},
		":odd":               {".gitignore", "2", ":*"},
		"dir/x1.txt":         {"dir/.gitignore", "2", "x[1].txt"},
		"some.mine":          {s.path("rules"), "2", "*.mine"},
		"plain.txt":          {},
	} {
		equal(t, path, fmt.Sprint(rules[path]), fmt.Sprint(want))
	}
	rules, err = s.repo.Tree.IgnoredBy(t.Context(), []string{"plain.txt"})
	s.must(err)
	equal(t, "rules for what is not ignored", len(rules), 0)
}

func TestIgnoredFoldersAreListedAsSuch(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "node_modules/\n*.log\n")
	s.write("node_modules/x/y.js", "")
	s.write("dir/a.log", "")
	s.write(".harness/a.log", "")
	s.write("seen.txt", "")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "ignored", now.Ignored, "dir/a.log", "node_modules/")
}
