package workspace

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestControlFilesAreFoundInAFolderThatWasRenamed(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"the repository":     {"/a/r/.git", "/a/q/.git", "/a/q/autopilot.yaml /a/q/docs/spec.md /elsewhere/spec.md"},
		"a folder around it": {"/a/r/.git", "/b/r/.git", "/b/r/autopilot.yaml /b/r/docs/spec.md /elsewhere/spec.md"},
		"nothing":            {"/a/r/.git", "/a/r/.git", "/a/r/autopilot.yaml /a/r/docs/spec.md /elsewhere/spec.md"},
		"it was not noted":   {"", "/a/q/.git", "/a/r/autopilot.yaml /a/r/docs/spec.md /elsewhere/spec.md"},
	} {
		t.Run(name, func(t *testing.T) {
			w := RepoSnapshot{Common: filepath.FromSlash(c.from), Control: map[string][]byte{}}
			for _, path := range []string{"/a/r/docs/spec.md", "/a/r/autopilot.yaml", "/elsewhere/spec.md"} {
				w.Control[filepath.FromSlash(path)] = []byte("x")
			}
			w.MovedTo(filepath.FromSlash(c.to))
			if got := filepath.ToSlash(strings.Join(slices.Sorted(maps.Keys(w.Control)), " ")); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
