package git

import (
	"slices"
	"testing"
)

func TestAPathIsAlsoAnothersInWhateverCase(t *testing.T) {
	paths := []string{"a.go", "README.md", "Docs/b.md", "c.go"}
	got := AlsoIn(paths, []string{"c.go", "docs/B.md", "readme.md", "d.go"})
	if want := []string{"README.md", "Docs/b.md", "c.go"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if none := AlsoIn(paths, nil); len(none) > 0 || paths[0] != "a.go" {
		t.Errorf("%q of %q", none, paths)
	}
}

func TestNewNameInAnotherCaseIsCommittedWhateverIsConfigured(t *testing.T) {
	s := newSandbox(t)
	if len(s.repo.caseSetting()) == 0 {
		t.Skip("a file system that does not tell cases apart")
	}
	s.git("config", "core.ignoreCase", "true")
	s.must(moveFile(s, "a.txt", "A.txt"))
	s.write("B.TXT", "beside b.txt\n")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt), "A? A.txt", "A? B.TXT", "D a.txt")
	_, err = s.commit(t, "A.txt", "a.txt", "B.TXT")
	s.must(err)
	equal(t, "commit", s.committed(), "A\tA.txt\nA\tB.TXT\nD\ta.txt")
}
