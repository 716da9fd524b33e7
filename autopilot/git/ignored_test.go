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
