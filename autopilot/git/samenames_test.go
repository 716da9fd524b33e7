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
