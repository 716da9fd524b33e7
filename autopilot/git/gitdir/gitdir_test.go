package gitdir

import "testing"

func TestWhatLiesBeyondAMountPointWasNotRefused(t *testing.T) {
	const said = "fatal: not a git repository (or any parent up to mount point /dev)\nStopping at filesystem boundary (GIT_DISCOVERY_ACROSS_FILESYSTEM not set)."
	for link, want := range map[string]bool{"/dev/shm/a/.git": true, "/dev/shm/.git": true, "/dev/.git": false, "/.git": false} {
		if LookedAt(link, said) != want || !LookedAt(link, "fatal: not a git repository (or any of the parent directories): .git") {
			t.Errorf("%s: what git refused is not told from what it did not look at", link)
		}
	}
}
