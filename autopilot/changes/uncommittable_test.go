package changes

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/git"
	"autopilot/autopilot/workspace"
)

// TestWhatGitDoesNotSeeIsFoundByItsAnnouncement: a file that is named counts whatever lies beside it, a folder or a
// pattern only where no change is in it.
func TestWhatGitDoesNotSeeIsFoundByItsAnnouncement(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{
		"build/f.txt", "build/deep/g.txt", "lib/.git/HEAD", "lib/f.txt", "bare/.git/HEAD", "src/a.go", "src/made/a.bin", "x.log", "app/[id]/page.log",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	entries := []string{"build/", "src/made/", "x.log", "app/[id]/page.log", "lib/", "bare/"}
	changes := []git.Change{{Path: "src/a.go", Status: 'A'}}
	for pattern, want := range map[string]string{
		"build/f.txt": "build/f.txt", "./x.log": "x.log", "lib/f.txt": "lib/f.txt", "app/[id]/page.log": "app/[id]/page.log",
		"build": "build/deep/g.txt", "build/deep/": "build/deep/g.txt", "build/*.txt": "build/f.txt", "**/g.txt": "build/deep/g.txt", "*.log": "x.log",
		"lib/": "lib/f.txt", "lib/**": "lib/f.txt", "src/made": "src/made/a.bin", "app/": "app/[id]/page.log",
		"src/": "", "src/**": "", "src/a.go": "", "build/none.txt": "", "none/": "", "bare/": "", "build/*.go": "", "buildx/*": "", ".": "",
	} {
		u := unseen{root: root, entries: entries, left: workspace.MaxWalked}
		got := ""
		for _, s := range u.announced([]string{pattern}, changes) {
			got = s.file
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", pattern, diff)
		}
	}
	u := unseen{root: root, entries: entries, left: 2}
	if seen := u.announced([]string{"build/*.txt"}, nil); len(seen) > 0 {
		t.Errorf("it looks no further than it may: %v", seen)
	}
}
